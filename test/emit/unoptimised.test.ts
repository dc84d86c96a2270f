// Every conformance case means the same without optimisation. Stacks may have fewer frames after inlining, never others.

import { describe, expect, it } from 'vitest';
import { readCases } from '../conformance-cases.ts';
import { checkCase } from '../conformance-harness.ts';

const topics = Map.groupBy(readCases(), ({ name }) => name.slice(0, name.indexOf('/')));

describe('without optimisation', () => {
  for (const [topic, cases] of topics) {
    it(topic, async () => {
      const complaints: string[] = [];
      for (const testCase of cases) complaints.push(...(await checkCase(testCase, { optimise: false })));
      expect(complaints).toEqual([]);
    });
  }
});
