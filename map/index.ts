// Runs a script over any number of records: `planMap` works out what that means, `runMap` does it.

export { MapError, MapScriptError, TasksFailed, TooManyErrors } from './errors.ts';
export type { FailedTask } from './errors.ts';
export { describePlan } from './plan/describe.ts';
export { checkMerge } from './local/check-merge.ts';
export { describeMergeCheck } from './plan/merge-check.ts';
export type { MergeCheck, MergeDifference } from './plan/merge-check.ts';
export { mapArrow } from './map-arrow.ts';
export type { ArrowMap, ArrowOptions } from './map-arrow.ts';
export type { ArrowCounts } from './filter/stream.ts';
export { planMap } from './plan-map.ts';
export type { MapOptions, ModuleCache, WorkOptions } from './plan-map.ts';
export { readMaxErrors } from './plan/max-errors.ts';
export type { IntType } from './plan/int-types.ts';
export type { MaxErrors } from './plan/max-errors.ts';
export type { Permissions } from './plan/permissions.ts';
export type {
  Fold,
  Format,
  GroupColumn,
  InputColumn,
  InputFile,
  MapPlan,
  MapSettings,
  OutputColumn,
  Partition,
  Stage,
  Work,
  WorkPlan,
} from './plan/plan.ts';
export { runMap } from './local/run.ts';
export type { RunOptions } from './local/run.ts';
export { describeStanding, readStanding } from './local/standing.ts';
export type { Standing } from './local/standing.ts';
export type { MapProgress } from './commit/totals.ts';
export { runQueuedMap } from './queue/coordinator.ts';
export type { CoordinatorTimes, QueueRunOptions } from './queue/coordinator.ts';
export { writeKeys } from './queue/keys.ts';
export { MapWorker } from './queue/worker.ts';
export type { MapWorkerOptions, WorkerTimes } from './queue/worker.ts';
export type { WorkerEvent } from './queue/worker-events.ts';
export type { Address } from './queue/http.ts';
export { showProgress } from './local/progress.ts';
