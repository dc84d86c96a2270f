// What a worker lets a job do. Whoever can write to the queue can ask for anything: only what was signed is looked at,
// and only what lies within the worker's own bounds is done. Paths are followed to where they really lead.

import type { KeyObject } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import { FileStore } from '../commit/file-store.ts';
import type { Store } from '../commit/store.ts';
import { MapError } from '../errors.ts';
import { tasksOf } from '../local/tasks.ts';
import type { PlannedTask, Task } from '../local/tasks.ts';
import type { ThreadRun, ThreadStage } from '../local/threads.ts';
import { exceedingOf } from '../local/surroundings.ts';
import { nothingAllowed } from '../plan/permissions.ts';
import type { Allowed } from '../plan/permissions.ts';
import type { MapSettings, Partition } from '../plan/plan.ts';
import { isSigned } from './keys.ts';
import { identityOf, partitionsOf, runName, specVersion } from './spec.ts';
import type { Job, JobSpec, SpecAllowed, SpecFile, SpecStage } from './spec.ts';

/** A job that is not done, here or anywhere: no further attempt would change that. */
export class Refused extends MapError {
  override readonly name = 'Refused';
}

/** What this worker's flags do not let a job do; another worker's may. */
export class NotGranted extends MapError {
  override readonly name = 'NotGranted';
}

export interface Bounds {
  readonly trusted: readonly KeyObject[];
  /** Folders that really are there, without links. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly limits: MapSettings['limits'];
  readonly readerBytes: number;
  /** What scripts may reach. */
  readonly allowed: SpecAllowed;
}

/** Throws MapError where a folder is not there. */
export function realFolders(option: string, folders: readonly string[]): readonly string[] {
  return folders.map((folder) => {
    try {
      return realpathSync(folder);
    } catch {
      throw new MapError(`${option}: there is no folder ${folder}`);
    }
  });
}

/** A run whose spec is trusted. */
export interface TrustedRun {
  /** The folder as the job names it. */
  readonly output: string;
  readonly store: Store;
  readonly threadRun: ThreadRun;
  readonly spec: JobSpec;
  readonly tasks: ReadonlyMap<string, PlannedTask>;
}

/** Whether the folder still is this run's. */
export async function isUnderWay({
  store,
  spec,
  output,
}: Pick<TrustedRun, 'store' | 'spec' | 'output'>): Promise<boolean> {
  const record = await store.current();
  return record !== null && runName(record, output) === spec.run;
}

/** Throws Refused and NotGranted. Null where the run is over, and has nothing to be done. */
export async function trustedRun(job: Job, bounds: Bounds, temporary: string): Promise<TrustedRun | null> {
  const { output, spec: hash, signature } = job;
  if (!isSigned(bounds.trusted, { output, spec: hash }, signature))
    throw new Refused('it is not signed by a key that this worker trusts');
  const folder = realOutput(output, bounds.outputs);
  if (folder === null) return null;
  const store = new FileStore(folder, 'tmp');
  if ((await store.current()) === null) return null;
  const text = await store.kept(hash);
  if (text === null) throw new Refused(`its spec is missing in ${output}, or has been changed`);
  const spec = JSON.parse(Buffer.from(text).toString()) as JobSpec;
  if (spec.version !== specVersion)
    throw new Refused(`its spec is of version ${spec.version}, and this worker's is ${specVersion}`);
  if (!(await isUnderWay({ store, spec, output }))) return null;
  checkLimits(spec, bounds);
  const allowed: Allowed = { ...nothingAllowed, ...spec.allowed, bound: bounds.allowed };
  await checkPermissions(allowed);
  const { structs, settings, outputFormat, startedAt } = spec;
  return {
    output,
    store: new FileStore(folder, outputFormat),
    spec,
    tasks: new Map(tasksOf(partitionsOf(spec), spec.fold !== null).map((planned) => [planned.id, planned])),
    threadRun: {
      map: await threadStage(spec.map, store, output),
      fold: await threadStage(spec.fold, store, output),
      structs,
      scriptModule: await keptModule(spec.scriptModule, store, output),
      records: spec.partitions.reduce((sum, [, from, to]) => sum + to - from, 0),
      partitions: spec.partitions.length,
      settings,
      outputFormat,
      startedAt,
      output: folder,
      files: [],
      allowed,
      temporary,
    },
  };
}

async function threadStage<Kind>(
  stage: SpecStage<Kind> | null,
  store: Store,
  output: string,
): Promise<ThreadStage<Kind> | null> {
  if (stage === null) return null;
  const module = await keptModule(stage.module, store, output);
  return { ...stage, module: new WebAssembly.Module(module, compileOptions) };
}

async function keptModule(sha256: string, store: Store, output: string): Promise<Uint8Array<ArrayBuffer>> {
  const module = await store.kept(sha256);
  if (module === null) throw new Refused(`its module is missing in ${output}, or has been changed`);
  return module;
}

/** Null where there is no such folder any more. */
function realOutput(output: string, allowed: readonly string[]): string | null {
  const real = realPath(output);
  if (real === null) return null;
  if (!allowed.some((folder) => isWithin(real, folder)))
    throw new Refused(`its output ${output} is not in a folder of --allow-output`);
  for (const name of ['_data', '_commits', '_job', '_staging']) {
    const found = realPath(join(real, name));
    if (found !== null && found !== join(real, name))
      throw new Refused(`${output}/${name} is a link to somewhere else`);
  }
  return real;
}

function checkLimits({ settings }: JobSpec, bounds: Bounds): void {
  const wanted = { ...settings.limits, readerBytes: settings.readerBytes };
  const given = { ...bounds.limits, readerBytes: bounds.readerBytes };
  const options = { timeMs: '--max-time', memoryBytes: '--max-memory', readerBytes: 'the memory for reading' };
  for (const name of ['timeMs', 'memoryBytes', 'readerBytes'] as const)
    if (!(wanted[name] <= given[name]))
      throw new Refused(
        `it asks for more than ${options[name]} of this worker: ${wanted[name]}, and not ${given[name]}`,
      );
}

/** Limits count too: a script gives the same whichever worker runs it. */
async function checkPermissions(allowed: Allowed): Promise<void> {
  const exceeding = await exceedingOf(allowed).catch((error: unknown) => {
    if (error instanceof MapError) return error.message;
    throw error;
  });
  if (exceeding !== null) throw new NotGranted(`it asks for more than the flags of this worker give: ${exceeding}`);
}

/** A task that reads what it may, and what its thread has to know. Throws Refused. */
export async function trustedTask(run: TrustedRun, id: string, bounds: Bounds): Promise<TrustedTask> {
  const planned = run.tasks.get(id);
  if (planned === undefined) throw new Refused(`there is no task ${id} in it`);
  const { task, after } = planned;
  if (task.kind === 'partition') return trustedPartition(run, task.partition, bounds);
  const { store, threadRun, output } = run;
  for (const input of after) {
    const states = await store.states(input);
    if (dirname(realPath(states) ?? states) !== store.data)
      throw new Refused(`the states of ${input} are not in ${output}/_data`);
  }
  return { task, threadRun };
}

export interface TrustedTask {
  readonly task: Task;
  readonly threadRun: ThreadRun;
}

/** With the file that it really is. */
function trustedPartition({ spec, store, threadRun }: TrustedRun, partition: Partition, bounds: Bounds): TrustedTask {
  const file = spec.files[spec.partitions[partition.at]![0]]!;
  const real = realPath(file.path);
  if (real === null) throw new MapError(`there is no file ${file.path}`);
  if (![...bounds.inputs, store.staging].some((folder) => isWithin(real, folder)))
    throw new Refused(`its input ${file.path} is not in a folder of --allow-input`);
  checkFile(file, real);
  return {
    task: { kind: 'partition', partition: { ...partition, file: real } },
    threadRun: { ...threadRun, files: [{ path: real, bytes: file.bytes, modifiedMs: file.modifiedMs, rows: null }] },
  };
}

function checkFile(file: SpecFile, real: string): void {
  const { bytes, modifiedMs, tail } = identityOf(real);
  if (bytes !== file.bytes || modifiedMs !== file.modifiedMs || tail !== file.tail)
    throw new Refused(`${file.source} has changed since the run began`);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new MapError(`cannot read ${path}: ${code}`, { cause: error });
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
