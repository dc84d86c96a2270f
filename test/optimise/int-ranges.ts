// The range of a variable of a script, for the tests of ranges.

import { Ranges } from '../../src/4-optimise/analysis/ranges.ts';
import type { Statement } from '../../src/mir/mir.ts';
import { mirOf } from './lowering.ts';

type Change = (body: readonly Statement[]) => readonly Statement[];

/** The range of all that the local x of f, whose body may be changed, is ever set to: `low..high`, or `any`. */
export function rangeOfX(text: string, change: Change = (body) => body): string {
  const lowered = mirOf(text);
  const original = lowered.functions.get('#f')!;
  const fn = { ...original, body: change(original.body) };
  const program = { ...lowered, functions: new Map([...lowered.functions, [fn.id, fn]]) };
  const local = fn.locals.findIndex(({ name }) => name === 'x');
  const range = new Ranges(program).of(fn, { kind: 'get-local', local, type: fn.locals[local]!.type, span: fn.span })!;
  return range.low === -(2n ** 63n) && range.high === 2n ** 63n - 1n ? 'any' : `${range.low}..${range.high}`;
}
