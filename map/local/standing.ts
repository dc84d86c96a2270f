// How far a run is that was stopped, without taking part in it.

import { FileStore } from '../commit/file-store.ts';
import { fingerprintOf } from '../commit/fingerprint.ts';
import type { MapPlan } from '../plan/plan.ts';
import { knownPartitions } from '../read/stage.ts';

/** What a run with `resume` finds. */
export interface Standing {
  /** Partitions that are committed. */
  readonly committed: number;
  /** All of them; null where only reading the files would tell. */
  readonly partitions: number | null;
}

/** Looks at the output of a plan. Throws MapError where a run with `resume` would not go on with it. */
export async function readStanding(plan: MapPlan): Promise<Standing> {
  const store = new FileStore(plan.output, plan.outputFormat);
  return {
    committed: await store.committed(fingerprintOf(plan)),
    partitions: (await knownPartitions(plan, store.staging))?.length ?? null,
  };
}

/** For people, as a line behind those of the plan. */
export function describeStanding({ committed, partitions }: Standing): string {
  const are = (count: number): string => `${count.toLocaleString('en-US')} partition${count === 1 ? ' is' : 's are'}`;
  const left = partitions === null ? 'how many are left is known when it runs' : `${are(partitions - committed)} left`;
  return `resume       ${committed === 0 ? 'nothing is' : are(committed)} committed, ${left}`;
}
