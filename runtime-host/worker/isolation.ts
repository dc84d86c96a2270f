// Sets up instances outside of this thread: loaded only for scripts that are isolated.

import { isCompiledHere } from '../../src/abi/provenance.ts';
import { HostError } from '../errors/errors.ts';
import type { Program } from '../run/execution.ts';
import type { ExecutionBackend } from '../run/execution-backend.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { ModuleSource } from '../run/module-check.ts';
import type { Machine } from './machine.ts';
import type { PoolOptions } from './pool-options.ts';
import { WorkerPool } from './pool.ts';
import { isolatedBackend } from './workers.ts';

export interface IsolatedScript {
  readonly source: ModuleSource;
  readonly limits: LimitOptions | null;
  readonly isolation: unknown;
  readonly workerUrl: string | URL | undefined;
  readonly trusted: unknown;
  readonly machine: Machine;
  /** Returns the pool, made by `make` on first use; null for a value that is no pool, and for a closed one. */
  readonly openPool: (make: (options: PoolOptions) => WorkerPool) => WorkerPool | null;
}

/** Throws HostError. */
export async function isolated(
  program: Program,
  {
    source,
    limits,
    isolation,
    workerUrl,
    trusted = isCompiledHere(source),
    machine: { startWorker, startProcess = null },
    openPool,
  }: IsolatedScript,
): Promise<ExecutionBackend> {
  if (isolation === 'none') throw new HostError("the option pool goes with isolation: 'worker' or 'process'");
  if (isolation !== 'worker' && isolation !== 'process')
    throw new HostError("the option isolation is 'none', 'worker' or 'process'");
  if (typeof trusted !== 'boolean') throw new HostError('the option trusted is true or false');
  // The worker starter knows the number of cores; without workers there are processes.
  const workers = startWorker === null ? null : await startWorker();
  const pool = openPool((options) => new WorkerPool(options, workers?.cores() ?? 1, workers?.makeContext));
  if (pool === null) throw new HostError('the option pool is a pool that createPool() made, and that is not closed');
  if (isolation === 'worker') {
    if (workers === null) throw new HostError('there are no workers on this platform');
    return isolatedBackend(program, {
      isolation,
      pool,
      start: () => workers.start(workerUrl),
      file: String(workerUrl ?? ''),
      isForeign: !trusted,
    });
  }
  if (startProcess === null) throw new HostError('there are no processes on this platform');
  const start = (await startProcess())({ source, plugins: program.plugins, limits, url: workerUrl });
  return isolatedBackend(program, { isolation, pool, start, file: '', isForeign: !trusted });
}
