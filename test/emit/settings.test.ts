// Every conformance case means the same with other settings of the compiler: without optimisation, and with functions
// that stop and are gone on with at each iteration of a loop, and with limits compiled in. Stacks may have fewer frames
// after inlining, never others.

import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import { readCases } from '../conformance-cases.ts';
import { checkCase } from '../conformance-harness.ts';

const topics = Map.groupBy(readCases(), ({ name }) => name.slice(0, name.indexOf('/')));

const settings: Readonly<Record<string, CompileOptions>> = {
  'without optimisation': { optimise: false },
  'called anew at each iteration': { iterationsPerCall: 1 },
  'with limits, called anew every few iterations': { iterationsPerCall: 9, guards: { use: true, depth: true } },
};

describe.each(Object.entries(settings))('%s', (_name, options) => {
  for (const [topic, cases] of topics) {
    it(topic, async () => {
      const complaints: string[] = [];
      for (const testCase of cases) complaints.push(...(await checkCase(testCase, options)));
      expect(complaints).toEqual([]);
    });
  }
});
