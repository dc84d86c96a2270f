// Counting changes nothing: every conformance case and every example hands out the same, ends with the same error in
// the same places, and uses as much fuel, with counters and without.

import { describe, expect, it } from 'vitest';
import { instrument } from '../../src/coverage/instrument.ts';
import type { CompileChoice, CompileOptions } from '../../src/compile.ts';
import { requireVerified } from '../../src/mir/verify.ts';
import type { Case } from '../conformance-harness.ts';
import { examples, outcomeOf, reader, topics } from './outcomes.ts';

const counted: CompileChoice = {
  instrument: (program) => {
    const instrumented = instrument(program, () => true).program;
    requireVerified(instrumented, 'with counters');
    return instrumented;
  },
};

async function compare(testCase: Case, options: CompileOptions = {}): Promise<void> {
  const expected = await outcomeOf(testCase, options, {});
  const found = await outcomeOf(testCase, { ...options, optimise: false }, counted);
  expect(found, testCase.name).toEqual(expected);
}

describe('a program with counters does the same', () => {
  it.each([...topics])('%s', async (_topic, members) => {
    for (const testCase of members) await compare(testCase);
  });

  it.each(examples.map((example) => [example.name, example] as const))('examples/%s', async (_name, example) => {
    await compare(example, { reader });
  });
});
