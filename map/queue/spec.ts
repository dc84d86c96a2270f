// What a job is about, as a document that every worker reads: all that a thread needs of the run, and hashes of what
// lies elsewhere. Its own hash is signed.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunRecord, Store } from '../commit/store.ts';
import { MapError } from '../errors.ts';
import type { ManifestStruct } from '../../src/abi/manifest.ts';
import { isTaskId } from '../local/tasks.ts';
import type { ThreadStage } from '../local/threads.ts';
import type { Fold, Format, MapPlan, MapSettings, Partition, Stage, Work } from '../plan/plan.ts';
import type { Allowed } from '../plan/permissions.ts';
import { encodeValues } from '../plan/value-text.ts';

/** A file of the input as it was when the job was signed. */
export interface SpecFile {
  /** Absolute. */
  readonly path: string;
  /** As people know it. */
  readonly source: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** SHA-256 of its last 64 KiB, which in Parquet say where all the rest lies. */
  readonly tail: string;
}

/** A stage whose module lies elsewhere. */
export interface SpecStage<Kind> extends Omit<ThreadStage<Kind>, 'module'> {
  /** SHA-256. */
  readonly module: string;
}

/** Changes with what workers have to know. */
export const specVersion = 4;

/** Relative paths begin at the folder: workers find it at the same path. */
export type SpecAllowed = Pick<Allowed, 'flags' | 'folder'>;

export interface JobSpec {
  readonly version: number;
  /** The run, in names of jobs. */
  readonly run: string;
  readonly map: SpecStage<Work> | null;
  readonly fold: SpecStage<Fold> | null;
  readonly structs: readonly ManifestStruct[];
  /** SHA-256 of the script's own module. */
  readonly scriptModule: string;
  readonly settings: MapSettings;
  readonly outputFormat: Format;
  /** What the script may reach, where the worker allows it too. */
  readonly allowed: SpecAllowed;
  readonly startedAt: number;
  readonly files: readonly SpecFile[];
  /** The file's position, its first row, and the one behind the last. */
  readonly partitions: readonly (readonly [number, number, number])[];
}

/** What is in the queue: hardly more than where the spec lies. */
export interface Job {
  /** The folder of the output: absolute. */
  readonly output: string;
  /** SHA-256 of the spec. */
  readonly spec: string;
  readonly signature: string;
  /** What the task is committed as. */
  readonly task: string;
}

export function isJob(value: unknown): value is Job {
  const { output, spec, signature, task } = (value ?? {}) as Partial<Job>;
  return [output, spec, signature].every((text) => typeof text === 'string') && isTaskId(task);
}

/** The spec of a plan, whose modules the store keeps. */
export async function specOf(
  { map, fold, structs, scriptModule, settings, outputFormat, output, asks, allowed }: MapPlan,
  partitions: readonly Partition[],
  record: RunRecord,
  store: Store,
): Promise<JobSpec> {
  const sources = new Map(partitions.map(({ file, source }) => [file, source]));
  const files = [...sources].map(([file, source]) => ({ path: resolve(file), source, ...identityOf(file) }));
  const places = new Map([...sources.keys()].map((file, at) => [file, at]));
  return {
    version: specVersion,
    run: runName(record, resolve(output)),
    map: await specStage(map, store),
    fold: await specStage(fold, store),
    structs,
    scriptModule: await store.keep(scriptModule),
    settings,
    outputFormat,
    allowed: asks.length > 0 ? { flags: allowed.flags, folder: allowed.folder } : { flags: [], folder: '/' },
    startedAt: record.startedAt,
    files,
    partitions: partitions.map(({ file, from, to }) => [places.get(file)!, from, to]),
  };
}

async function specStage<Kind>(stage: Stage<Kind> | null, store: Store): Promise<SpecStage<Kind> | null> {
  if (stage === null) return null;
  const { module, work, values } = stage;
  return { module: await store.keep(module), work, values: encodeValues(values) };
}

/** The partitions of a run, of files as the spec names them. */
export function partitionsOf({ files, partitions }: JobSpec): readonly Partition[] {
  return partitions.map(([index, from, to], at) => {
    const { path, source } = files[index]!;
    return { at, file: path, source, from, to };
  });
}

/** The same for all who are at work on the same run. */
export function runName(record: RunRecord, output: string): string {
  return createHash('sha256')
    .update(JSON.stringify([record, output]))
    .digest('hex')
    .slice(0, 16);
}

const tailBytes = 65_536;

/** Throws MapError where the file cannot be read. */
export function identityOf(path: string): Pick<SpecFile, 'bytes' | 'modifiedMs' | 'tail'> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new MapError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const { size, mtimeMs } = fstatSync(file);
    const tail = new Uint8Array(Math.min(size, tailBytes));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return { bytes: size, modifiedMs: mtimeMs, tail: createHash('sha256').update(tail).digest('hex') };
  } finally {
    closeSync(file);
  }
}
