// Which choices between doubles the next iteration waits for.

import { expect, it } from 'vitest';
import { findCarriedChoices } from '../../src/4-optimise/analysis/carried-choices.ts';
import { visitAll } from '../../src/mir/children.ts';
import { printNode } from '../../src/mir/print.ts';
import { mirOf } from './lowering.ts';

/** Those of a loop over the elements `v` of an array. */
function carriedIn(body: string): readonly string[] {
  const locals = 'double sum = 0.0, back = 0.0, most = 0.0;';
  const program = mirOf(
    `double f(double[] x) { ${locals} foreach (double v in x) { ${body} } return sum + back + most; } yield f([1.0]);`,
  );
  const fn = program.functions.get('#f')!;
  const carried = findCarriedChoices(fn);
  const found: string[] = [];
  visitAll(fn.body, (node) => void ('type' in node && carried.has(node as never) && found.push(printNode(fn, node))));
  return found;
}

it.each([
  ['sum += v > 0.0 ? v : v * 0.1;', []],
  ['most = v > most ? v : most;', []],
  ['most = most < v ? v : most;', []],
  ['back = back > 2.0 ? back - v : back;', ['((back > 2.0) ? (back - v) : back)']],
  ['double w = back + v; back += w > 0.0 ? w : 0.0;', ['((w > 0.0) ? w : 0.0)']],
  ['most = v + 1.0 > most ? v : most;', ['(((v + 1.0) > most) ? v : most)']],
])('%s', (body, expected) => expect(carriedIn(body)).toEqual(expected));

it('goes through as many variables as somebody writes', () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `w${index}`);
  const chain = names.map((name, index) => `double ${name} = ${index === 0 ? 'back' : names[index - 1]!} + v;`);
  const last = names.at(-1)!;
  expect(carriedIn(`${chain.join('\n')} back = ${last} > 2.0 ? ${last} : v;`).length).toBe(1);
});
