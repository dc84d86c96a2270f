// The reference interpreter agrees with what the conformance cases say, as far as they are about the language alone.

import { expect, it } from 'vitest';
import { checkSource } from '../../../src/compile.ts';
import { readCases } from '../../conformance-cases.ts';
import { interpret } from './interpreter.ts';
import { Exhausted } from './values.ts';

/** Calls into the world outside and of plugins, and what is drawn at random, are not the interpreter's. */
const isOutside = (text: string): boolean => /\b(?:File|Http|Env)\.|Math\.random|Date\.now/.test(text);
const cases = readCases().filter(
  (one) =>
    !one.name.startsWith('plugins/') &&
    one.errors.length === 0 &&
    one.refused === null &&
    Object.keys(one.arguments).length === 0 &&
    !/^\/\/ file:/m.test(one.text) &&
    !isOutside(one.text),
);

it('agrees with the conformance cases', () => {
  let agreed = 0;
  const complaints: string[] = [];
  for (const { name, text, outputs, throws } of cases) {
    const { program } = checkSource(name, text);
    try {
      const { yields, result, failure } = interpret(program!);
      const found = [...yields, ...(result === undefined ? [] : [result])];
      const end = failure === null ? null : { type: failure.type, line: failure.places[0]?.line };
      const expected = throws === null ? null : { type: throws.type ?? failure?.type, line: throws.line };
      if (JSON.stringify([found, end]) === JSON.stringify([outputs.map((output) => output.text), expected]))
        agreed += 1;
      else complaints.push(`${name}: ${JSON.stringify([found, end])}`);
    } catch (error) {
      if (!(error instanceof Exhausted)) complaints.push(`${name}: ${String(error)}`);
    }
  }
  expect(complaints).toEqual([]);
  expect(cases.length).toBeGreaterThan(300);
  expect(agreed).toBeGreaterThan(cases.length * 0.9);
});

it('finds the variables that there are, and none that every object has', () => {
  const names = ['HOME', 'EMPTY', 'NONE', 'toString', '__proto__', 'constructor'];
  const text = names.map((name) => `yield Env.get("${name}");\nyield Env.system("${name}");\n`).join('');
  const { yields, failure } = interpret(checkSource('names.slu', text).program!);
  expect({ yields, failure }).toEqual({
    yields: ['/home', 'null', '', ...Array<string>(9).fill('null')],
    failure: null,
  });
});
