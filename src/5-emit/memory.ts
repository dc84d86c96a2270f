// The memory of a module, which the host supplies: int[] and double[] cross the boundary through its first page
// (staging.ts), and loop nests keep their arrays in it while they run (scratch.ts). It holds nothing in between, so both
// begin at byte 0. A module whose nests do so may have it grow.

import { mostScratchPages, runtimeModule, scratchImport, stagingBytes, stagingImport } from '../abi/imports.ts';
import type { Emitter } from './emitter.ts';

export const memoryName = '$memory';
export const pageBytes = 65_536;

const uses = { staging: '$staging', scratch: '$scratch' } as const;

/** Notes that the module uses the memory for this. */
export function useMemory(emitter: Emitter, use: keyof typeof uses): void {
  emitter.declare(uses[use], () => {});
}

/** Imports the memory, once all is written that may use it. */
export function declareMemory(emitter: Emitter): void {
  const isScratch = emitter.isDeclared(uses.scratch);
  if (!isScratch && !emitter.isDeclared(uses.staging)) return;
  const first = stagingBytes / pageBytes;
  emitter.module.setMemory(first, isScratch ? mostScratchPages : first, null, [], false, false, memoryName);
  emitter.module.addMemoryImport(memoryName, runtimeModule, isScratch ? scratchImport : stagingImport);
}
