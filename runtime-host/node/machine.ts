// What Node offers besides a platform. Deno and Bun, which can replace it, start their processes differently.

import { unknownStacks } from '../worker/machine.ts';
import type { Machine } from '../worker/machine.ts';
import { findChangedBuiltIn } from './built-ins.ts';
import { memoryGauge } from './memory.ts';
import { threadStack, workerDepth } from './stacks.ts';

const isNode = process.versions['deno'] === undefined && process.versions['bun'] === undefined;

export const nodeMachine: Machine = {
  memory: memoryGauge,
  findChangedBuiltIn,
  // In other engines the stack size of workers cannot be set.
  stacks: isNode ? { here: threadStack(), isolated: workerDepth } : unknownStacks,
  startWorker: async () => (await import('./worker.ts')).nodeWorkers,
  startProcess: isNode ? async () => (await import('./process.ts')).nodeProcesses : null,
};
