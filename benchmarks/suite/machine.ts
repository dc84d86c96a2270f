// The machine that the suite runs on, as a report names it.

import { arch, cpus, release, totalmem, type } from 'node:os';
import type { Machine } from './results.ts';

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}, ${arch()}`,
  };
}
