// What makes a run another one.

import { createHash } from 'node:crypto';
import type { MapPlan } from '../plan/plan.ts';
import type { Fingerprint } from './store.ts';

/** Threads, limits and how many errors may be do not change what is written. */
export function fingerprintOf({ scriptModule, map, fold, files, outputFormat, settings }: MapPlan): Fingerprint {
  const hash = (value: unknown): string =>
    createHash('sha256')
      .update(JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)))
      .digest('hex');
  const { seed, partitionRows, partitionBytes } = settings;
  const stages = [map, fold].filter((stage) => stage !== null);
  return {
    script: createHash('sha256').update(scriptModule).digest('hex'),
    input: hash(files.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
    options: hash([
      // The driver's module is not the script's, since options make another driver.
      ...stages.flatMap(({ values, work, driver }) => [values, work, driver]),
      outputFormat,
      seed,
      partitionRows,
      partitionBytes,
    ]),
  };
}
