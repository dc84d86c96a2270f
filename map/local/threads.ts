// Threads that take tasks, of any run: what a task needs to know of its run goes with it.

import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import type { CommitOutcome, Counts } from '../commit/store.ts';
import { MapError, ScriptThrew, TooManyErrors } from '../errors.ts';
import type { MapPlan, Partition, Stage } from '../plan/plan.ts';
import { encodeValues } from '../plan/value-text.ts';
import { signal } from './signal.ts';
import type { Task } from './tasks.ts';
import type { FaultKind, TaskReport, ThreadData, ThreadRun, ThreadStage } from './worker-main.ts';

export type { ThreadRun, ThreadStage };

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker-main.ts' : './worker-main.js', import.meta.url);

const faults: Readonly<Record<FaultKind, new (message: string) => MapError>> = {
  tooMany: TooManyErrors,
  script: ScriptThrew,
  other: MapError,
};

/** What threads and those who wait for them share. */
export class Signals {
  readonly shared = new BigInt64Array(new SharedArrayBuffer(24));

  /** Rows that are done. */
  get rows(): number {
    return Number(Atomics.load(this.shared, signal.rows));
  }

  /** How often the work has shown that it goes on: that of a merge has no rows. */
  get signs(): bigint {
    return Atomics.load(this.shared, signal.signs);
  }

  stop(): void {
    Atomics.store(this.shared, signal.stop, 1n);
  }
}

/** What came of a task, and of its commit. */
export interface Done extends Counts {
  /** Rows of the summary, where the task has finished it. */
  readonly groups: number;
  readonly outcome: CommitOutcome;
}

/**
 * The room for what is new, in megabytes, where records are numbers: all that lives on from one batch is a few arrays,
 * and a larger room is only filled with garbage. Texts live longer, and would be copied.
 */
const newMegabytes = 6;

export class Threads {
  readonly #pool: Piscina;

  /** `run` is the one that they are for, if there is only one. */
  constructor(count: number, run: ThreadRun | null = null) {
    this.#pool = new Piscina({
      filename: fileURLToPath(workerFile),
      name: 'work',
      minThreads: count,
      maxThreads: count,
      idleTimeout: Infinity,
      execArgv: ['--no-warnings'],
      ...keepingCode(),
      ...(run !== null && isOfNumbers(run) ? { resourceLimits: { maxYoungGenerationSizeMb: newMegabytes } } : {}),
    });
  }

  /** Does and commits a task; null where it was stopped. Throws MapError and TooManyErrors. */
  async work(run: ThreadRun, task: Task, { shared }: Signals): Promise<Done | null> {
    const report = (await this.#pool.run({ run, task, shared })) as TaskReport;
    switch (report.kind) {
      case 'done':
        return report;
      case 'stopped':
        return null;
      case 'fault':
        throw new faults[report.of](report.message);
    }
  }

  /** Ends the threads: only when none is at work. */
  async end(): Promise<void> {
    await this.#pool.destroy();
  }
}

/**
 * Where the command has the engine keep its code, it keeps that of threads too, in a folder of their own: they run
 * other functions of the same files. A thread takes the variable away, which is none that scripts should see.
 */
function keepingCode(): Pick<WorkerOptions, 'env' | 'workerData'> {
  const folder = getCompileCacheDir();
  if (folder === undefined || process.env['NODE_COMPILE_CACHE'] !== undefined) return {};
  return {
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'threads') },
    workerData: { hiddenVariable: 'NODE_COMPILE_CACHE' } satisfies ThreadData,
  };
}

/** Whether a run maps numbers to numbers. */
function isOfNumbers({ map, fold }: ThreadRun): boolean {
  if (map === null || fold !== null) return false;
  const { inputs, outputs } = map.work;
  return [...inputs, ...outputs].every(({ carrier }) => carrier !== 'string' && carrier !== 'json');
}

/** What the threads need of a plan. */
export function threadRunOf(plan: MapPlan, startedAt: number, partitions: readonly Partition[]): ThreadRun {
  const { map, fold, structs, scriptModule, settings, outputFormat, output, files, allowed } = plan;
  return {
    map: threadStageOf(map),
    fold: threadStageOf(fold),
    structs,
    scriptModule,
    settings,
    outputFormat,
    startedAt,
    records: partitions.reduce((sum, { from, to }) => sum + to - from, 0),
    partitions: partitions.length,
    output,
    files,
    allowed,
    temporary: null,
  };
}

function threadStageOf<Kind>(stage: Stage<Kind> | null): ThreadStage<Kind> | null {
  if (stage === null) return null;
  const { module, work, values } = stage;
  return { module: new WebAssembly.Module(module, compileOptions), work, values: encodeValues(values) };
}
