// Sums of locals in loop nests, and systems of differences between them.

import { describe, expect, it } from 'vitest';
import {
  add,
  constantForm,
  isSmall,
  keyOf,
  localForm,
  plus,
  substitute,
} from '../../src/4-optimise/nests/affine-forms.ts';
import { equal, isSatisfiable } from '../../src/4-optimise/nests/difference-constraints.ts';

describe('affine forms', () => {
  const [i, j] = [localForm(1), localForm(2)];

  it('are sums of locals', () => {
    expect(keyOf(add(add(i, j, 3n), constantForm(7n), -1n))).toBe('1*1+3*2+-7');
    expect(keyOf(add(i, i, -1n))).toBe('+0');
  });

  it('have others put in', () => {
    expect(keyOf(substitute(add(j, i, 2n), 1, plus(j, -5n)))).toBe('3*2+-10');
    expect(keyOf(substitute(i, 2, j))).toBe('1*1+0');
  });

  it('are small below limits that no sum of them passes', () => {
    expect(isSmall(plus(add(j, i, 1024n), -(1n << 29n)))).toBe(true);
    expect(isSmall(add(j, i, 1025n))).toBe(false);
    expect(isSmall(constantForm((1n << 29n) + 1n))).toBe(false);
    const six = [1, 2, 3, 4, 5, 6].map(localForm).reduce((sum, form) => add(sum, form));
    expect(isSmall(six)).toBe(true);
    expect(isSmall(add(six, localForm(7)))).toBe(false);
  });
});

describe('difference constraints', () => {
  it('have a solution unless a cycle is below 0', () => {
    const chain = [
      { left: 'x', right: 'y', most: -1 },
      { left: 'y', right: 'z', most: -1 },
    ];
    expect(isSatisfiable([])).toBe(true);
    expect(isSatisfiable(chain)).toBe(true);
    expect(isSatisfiable([...chain, { left: 'z', right: 'x', most: 2 }])).toBe(true);
    expect(isSatisfiable([...chain, { left: 'z', right: 'x', most: 1 }])).toBe(false);
    expect(isSatisfiable([...equal('x', 'y', 3), ...equal('y', 'x', -3)])).toBe(true);
    expect(isSatisfiable([...equal('x', 'y', 3), ...equal('y', 'x', -2)])).toBe(false);
    expect(isSatisfiable([{ left: 'x', right: 'x', most: -1 }])).toBe(false);
  });
});
