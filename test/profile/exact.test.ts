// A profile accounts for each unit of fuel, and changes nothing: the counters add up to what the run has used, which is
// what it uses without them. exact.full.ts has all conformance cases.

import { describe, expect, it } from 'vitest';
import { examples, reader, topics } from '../coverage/outcomes.ts';
import { compareAccounts } from './accounting.ts';

describe('all fuel has been used by somebody', () => {
  it.each(['errors', 'functions', 'recursion', 'structs', 'templates'])('%s', async (topic) => {
    const cases = topics.get(topic)!;
    expect(cases.length).toBeGreaterThan(5);
    for (const testCase of cases) await compareAccounts(testCase);
  });

  it.each(examples.map((example) => [example.name, example] as const))('examples/%s', async (_name, example) => {
    await compareAccounts(example, { reader });
  });
});
