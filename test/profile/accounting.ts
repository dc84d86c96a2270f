// Runs programs with the counters of a profile.

import { expect } from 'vitest';
import { countExport } from '../../src/abi/imports.ts';
import type { CompileOptions } from '../../src/compile.ts';
import { requireVerified } from '../../src/mir/verify.ts';
import { instrument } from '../../src/profile/instrument.ts';
import { unitsPerSample } from '../../src/profile/samples.ts';
import type { Case } from '../conformance-harness.ts';
import { outcomeOf } from '../coverage/outcomes.ts';

/** Expects that the counters add up to what the program uses without them, and that it does the same. */
export async function compareAccounts(testCase: Case, options: CompileOptions = {}): Promise<void> {
  const expected = await outcomeOf(testCase, options, {});
  let counters = 0;
  const counts: ((counter: number) => bigint)[] = [];
  const found = await outcomeOf(
    testCase,
    { ...options, optimise: false, iterationsPerCall: unitsPerSample },
    {
      instrument: (program) => {
        const { program: counted, charges } = instrument(program);
        requireVerified(counted, 'with counters');
        counters = charges.length;
        return counted;
      },
    },
    (exports) => counts.push(exports[countExport] as (counter: number) => bigint),
  );
  expect(found, testCase.name).toEqual(expected);
  const used = /^(\d+) units/m.exec(found.join('\n'))?.[1];
  const sum = counts.flatMap((count) => Array.from({ length: counters }, (_, at) => count(at)));
  // A run whose arguments are refused does not begin.
  if (used !== undefined) expect(`${sum.reduce((a, b) => a + b, 0n)}`, testCase.name).toBe(used);
}
