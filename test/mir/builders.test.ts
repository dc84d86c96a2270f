// What small nodes say of the objects that they are made for.

import { describe, expect, it } from 'vitest';
import { arrayOf, doubleType, onStack } from '../../src/language/types.ts';
import type { Type } from '../../src/language/types.ts';
import { areDifferent, getLocal } from '../../src/mir/builders.ts';
import type { Expression } from '../../src/mir/mir.ts';
import { createSourceFile } from '../../src/source.ts';

const span = { file: createSourceFile('test.slu', ''), start: 0, end: 0 };
const heap = arrayOf(doubleType);
const stack = arrayOf(onStack(doubleType));

describe('that two arrays are different', () => {
  const test = (one: Type, other: Type): Expression =>
    areDifferent(getLocal(0, one, span), getLocal(1, other, span), span);

  it('has to be looked at where both lie on the heap, or both on the stack', () => {
    for (const type of [heap, stack])
      expect(test(type, type)).toMatchObject({ operator: '!(boolean)', operands: [{ kind: 'same-object' }] });
  });

  it('is known where one of them lies on the stack, which has no name for what lies on the heap', () => {
    const [elements, ofStack] = [doubleType, onStack(doubleType)].map((element): Type => ({
      kind: 'elements',
      element,
    }));
    expect(test(heap, stack)).toMatchObject({ kind: 'boolean', value: true });
    expect(test(ofStack!, elements!)).toMatchObject({ kind: 'boolean', value: true });
  });
});
