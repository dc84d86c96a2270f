// Threads that take partitions, of any run: what a partition needs to know of its run goes with it.

import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import type { CommitOutcome, Counts } from '../commit/store.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import type { MapPlan, Partition } from '../plan/plan.ts';
import { encodeValues } from '../plan/value-text.ts';
import type { PartitionReport, ThreadRun } from './worker-main.ts';

export type { ThreadRun };

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker-main.ts' : './worker-main.js', import.meta.url);

/** What threads and those who wait for them share: rows that are done, and 1 once the work is to stop. */
export class Signals {
  readonly shared = new BigInt64Array(new SharedArrayBuffer(16));

  get rows(): number {
    return Number(Atomics.load(this.shared, 0));
  }

  stop(): void {
    Atomics.store(this.shared, 1, 1n);
  }
}

/** What came of a partition, and of its commit. */
export interface Done extends Counts {
  readonly outcome: CommitOutcome;
}

export class Threads {
  readonly #pool: Piscina;

  constructor(count: number) {
    this.#pool = new Piscina({
      filename: fileURLToPath(workerFile),
      name: 'work',
      minThreads: count,
      maxThreads: count,
      idleTimeout: Infinity,
      execArgv: ['--no-warnings'],
    });
  }

  /** Maps and commits a partition; null where it was stopped. Throws MapError and TooManyErrors. */
  async work(run: ThreadRun, partition: Partition, { shared }: Signals): Promise<Done | null> {
    const report = (await this.#pool.run({ run, partition, shared })) as PartitionReport;
    switch (report.kind) {
      case 'done':
        return report;
      case 'stopped':
        return null;
      case 'fault':
        throw report.isTooMany ? new TooManyErrors(report.message) : new MapError(report.message);
    }
  }

  /** Ends the threads: only when none is at work. */
  async end(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** What the threads need of a plan. */
export function threadRunOf(plan: MapPlan, startedAt: number): ThreadRun {
  const { module, work, values, settings, outputFormat, output, files, allowed } = plan;
  return {
    module: new WebAssembly.Module(module, compileOptions),
    work,
    values: encodeValues(values),
    settings,
    outputFormat,
    startedAt,
    output,
    files,
    allowed,
    temporary: null,
  };
}
