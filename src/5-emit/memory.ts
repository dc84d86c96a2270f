// The memory of a module, which the host supplies: int[] and double[] cross the boundary through its first page
// (staging.ts), loop nests keep copies of their arrays in it while they run (scratch.ts), and behind the first page are
// arrays that lie there as long as the function that makes them (stack-arrays.ts). Nests hold nothing in between, so that
// they begin at byte 0, or behind these arrays. A module that has nests or such arrays may have it grow.

import {
  mostScratchPages,
  mostStackPages,
  runtimeModule,
  scratchImport,
  stackImport,
  stagingBytes,
  stagingImport,
} from '../abi/imports.ts';
import type { Emitter } from './emitter.ts';

export const memoryName = '$memory';
export const pageBytes = 65_536;

const uses = { staging: '$usesStaging', scratch: '$usesScratch', stack: '$usesStack' } as const;

/** Notes that the module uses the memory for this. */
export function useMemory(emitter: Emitter, use: keyof typeof uses): void {
  emitter.declare(uses[use], () => {});
}

/** Imports the memory, once all is written that may use it. */
export function declareMemory(emitter: Emitter): void {
  const first = stagingBytes / pageBytes;
  const kinds = [
    { use: uses.stack, name: stackImport, most: mostStackPages },
    { use: uses.scratch, name: scratchImport, most: mostScratchPages },
    { use: uses.staging, name: stagingImport, most: first },
  ];
  const kind = kinds.find(({ use }) => emitter.isDeclared(use));
  if (kind === undefined) return;
  emitter.module.setMemory(first, kind.most, null, [], false, false, memoryName);
  emitter.module.addMemoryImport(memoryName, runtimeModule, kind.name);
}
