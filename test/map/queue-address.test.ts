// What is no address of a queue.

import { expect, it } from 'vitest';
import { JobQueue, usualTimes } from '../../map/queue/engine.ts';

it.each([
  ['localhost:6399', 'not localhost:6399: did you mean redis://localhost:6399?'],
  ['queue.internal', 'not queue.internal: did you mean redis://queue.internal?'],
  ['http://user:secret@host/x', 'not http://host/x'],
  ['user:secret@host', 'not what is no address'],
])('%s', async (url, message) => {
  const error: unknown = await JobQueue.open(url, usualTimes).catch((fault: unknown) => fault);
  expect((error as Error).message).toContain(`--queue takes redis://…, rediss://… or postgres://…, ${message}`);
  expect((error as Error).message).not.toContain('secret');
});
