// What compares programs notices each kind of difference, and what reduces them leaves what shows it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';
import { compareOutcomes, compareProgram } from './compare.ts';
import { runCompiled, settings } from './compiled.ts';
import { RandomText } from './random-text.ts';
import { smallerPrograms } from './reduce.ts';
import { interpret } from './reference/interpreter.ts';
import type { Outcome } from './reference/interpreter.ts';

/** What the interpreter says of a text. */
function outcomeOf(text: string): Outcome {
  return interpret(checkSource('case.slu', text).program!);
}

describe('a compiled program', () => {
  const { program } = checkSource(
    'case.slu',
    'main() { int n = 0; for (int i = 0; i < 9; i++) n += i; yield n; return "end"; }',
  );

  it.each(settings)('says what it does: $name', async (setting) => {
    expect(await runCompiled(program!, setting)).toEqual({
      yields: ['36'],
      result: 'end',
      failure: null,
      used: setting.guards === undefined ? null : 10,
    });
  });
});

describe('differences', () => {
  const outcome = outcomeOf('int f(int n) {\n  yield n;\n  return 1 / n;\n}\nmain() {\n  f(1);\n  return f(0);\n}');
  const { failure } = outcome;
  const [innermost, outer] = failure!.places;

  it('are none between an outcome and itself', () => {
    expect(outcome).toEqual({
      yields: ['1', '0'],
      result: undefined,
      used: 3,
      failure: {
        type: 'DivisionByZeroError',
        message: 'division by zero',
        places: [
          { function: 'f', line: 3, column: 10 },
          { function: 'main', line: 7, column: 10 },
        ],
      },
    });
    expect(compareOutcomes(outcome, outcome)).toBeNull();
    expect(compareOutcomes(outcome, { ...outcome, failure: { ...failure!, places: [innermost!] } })).toBeNull();
    expect(compareOutcomes(outcome, { ...outcome, used: null })).toBeNull();
  });

  it.each([
    ['yield', { ...outcome, yields: ['1'] }],
    ['yield', { ...outcome, yields: ['1', '0', '0'] }],
    ['yield', { ...outcome, yields: ['1', '-0'] }],
    ['end', { ...outcome, failure: { ...failure!, type: 'Error' } }],
    ['end', { ...outcome, failure: { ...failure!, message: 'division' } }],
    ['end', { ...outcome, failure: null }],
    ['places', { ...outcome, failure: { ...failure!, places: [] } }],
    ['places', { ...outcome, failure: { ...failure!, places: [outer!] } }],
    ['places', { ...outcome, failure: { ...failure!, places: [{ ...innermost!, column: 1 }, outer!] } }],
    ['places', { ...outcome, failure: { ...failure!, places: [innermost!, { ...outer!, line: 8 }] } }],
    ['units', { ...outcome, used: 4 }],
  ])('are seen: %s', (part, found) => {
    expect(compareOutcomes(outcome, found)?.part).toBe(part);
  });

  it('leave a program that cannot be followed alone', async () => {
    expect(await compareProgram('main() { while (true) { } }')).toEqual({ kind: 'too-much' });
    expect((await compareProgram('main() { return x; }')).kind).toBe('refused');
  });

  it('are reduced to what shows them', () => {
    const text =
      'int f(int n) {\n  int m = n * 2;\n  if (m > 3) {\n    yield m << (3 + 4 * m);\n  }\n  return m;\n}\n' +
      'main() {\n  yield 5;\n  f(2);\n}\n';
    const shows = (smaller: string): boolean =>
      checkSource('a.slu', smaller).program !== null && smaller.includes('<<');
    const { counterexample } = fc.check(
      fc.property(new RandomText(() => text, smallerPrograms), (smaller) => !shows(smaller)),
      { numRuns: 1 },
    );
    expect(counterexample![0].length).toBeLessThan(30);
  });
});
