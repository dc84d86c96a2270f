// What constant folding leaves: an error that names the place of a null value names that of the whole choice, and the
// operand that is left of `x + 0` fails at its own; of statements those that are reached.

import { expect, it } from 'vitest';
import { withConstantsFolded } from '../../src/4-optimise/constant-folding.ts';

import { booleanType, intType as int, stringType as string } from '../../src/language/types.ts';
import type { Type } from '../../src/language/types.ts';
import type { Expression, Statement } from '../../src/mir/mir.ts';
import { createSourceFile } from '../../src/source.ts';
import type { Span } from '../../src/source.ts';

const file = createSourceFile('test.slu', '');
const span = (start: number): Span => ({ file, start, end: start + 1 });

function folded(type: Type, then: Expression): Expression {
  const condition: Expression = { kind: 'boolean', value: false, type: booleanType, span: span(1) };
  return foldedExpression({ kind: 'conditional', condition, then, otherwise: then, type, span: span(0) });
}

function foldedExpression(expression: Expression): Expression {
  const [statement] = withConstantsFolded([{ kind: 'evaluate', expression, span: span(0) }], (node) => node);
  return (statement as { readonly expression: Expression }).expression;
}

const global = (type: Type): Expression => ({ kind: 'get-global', global: 'g', type, span: span(7) });

it('gives the value that is left the place of the choice, where it may be null', () => {
  expect(folded(string, global(string))).toEqual({ ...global(string), span: span(0) });
  expect(folded(int, global(int))).toEqual(global(int));
});

it('leaves a choice of what fails at its own place and may be null', () => {
  const array = global({ kind: 'array', element: string });
  const element: Expression = {
    kind: 'get-element',
    array,
    index: { kind: 'int', value: 0n, type: int, span: span(9) },
    checked: true,
    type: string,
    span: span(8),
  };
  expect(folded(string, element)).toMatchObject({ kind: 'conditional', span: span(0) });
});

it('leaves the operand of what changes nothing at its own place', () => {
  const operator = '+(int,int)';
  const none: Expression = { kind: 'int', value: 0n, type: int, span: span(9) };
  const operands = [global(int), none];
  expect(foldedExpression({ kind: 'operate', operator, operands, type: int, span: span(0) })).toEqual(global(int));
});

it('leaves out what is behind a jump that is taken', () => {
  const leave: Statement = { kind: 'return', value: null, span: span(2) };
  const behind: Statement = { kind: 'evaluate', expression: global(int), span: span(3) };
  const choice = (value: boolean): Statement => ({
    kind: 'if',
    arms: [{ condition: { kind: 'boolean', value, type: booleanType, span: span(1) }, then: [leave] }],
    otherwise: [],
    span: span(1),
  });
  const after = (value: boolean): readonly Statement[] =>
    withConstantsFolded([choice(value), behind], (node) => node).flatMap((node) =>
      node.kind === 'block' ? node.statements : [node],
    );
  expect(after(true)).toEqual([leave]);
  expect(after(false)).toEqual([behind]);
});
