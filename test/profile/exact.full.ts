// As exact.test.ts, for all conformance cases.

import { it } from 'vitest';
import { topics } from '../coverage/outcomes.ts';
import { compareAccounts } from './accounting.ts';

it.each([...topics])('all fuel has been used by somebody: %s', async (_topic, members) => {
  for (const testCase of members) await compareAccounts(testCase);
});
