// What attempts at a partition have in common: the script, the records that failed, and beginning again without one.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import type { ModuleSource, Script } from '../../runtime-host/api/node.ts';
import { MapError, tooManyErrors, TooManyErrors } from '../errors.ts';
import { mostErrors } from '../plan/max-errors.ts';
import type { MaxErrors } from '../plan/max-errors.ts';
import type { Allowed } from '../plan/permissions.ts';
import { decodeValues, encodeValues } from '../plan/value-text.ts';
import type { Fold, Format, MapSettings, Partition, Stage, Work } from '../plan/plan.ts';
import type { Failure } from '../write/failures.ts';
import { LostPlace, mostLost } from './batch-call.ts';
import { surroundingsOf } from './surroundings.ts';

/** A stage whose module is compiled. */
export interface RunStage<Kind> extends Pick<Stage<Kind>, 'work' | 'values'> {
  readonly module: WebAssembly.Module;
}

/** What all tasks of a run share. */
export interface RunWork {
  readonly map: RunStage<Work> | null;
  readonly fold: RunStage<Fold> | null;
  readonly structs: readonly ManifestStruct[];
  /** The module of the script without a driver. */
  readonly scriptModule: Uint8Array<ArrayBuffer>;
  readonly settings: MapSettings;
  /** All of the run. */
  readonly records: number;
  readonly outputFormat: Format;
  readonly allowed: Allowed;
  /** Unix milliseconds, for Date.now. */
  readonly startedAt: number;
}

/** A stage of a plan, as it runs in this thread. */
export function stageOf<Kind>({ module, work, values }: Stage<Kind>): RunStage<Kind> {
  return {
    work,
    module: new WebAssembly.Module(module, compileOptions),
    values: decodeValues(encodeValues(values)),
  };
}

/** The script of a stage for a task, with random numbers of its own. */
export async function scriptOf(
  run: Pick<RunWork, 'settings' | 'allowed' | 'startedAt'>,
  stage: { readonly module: ModuleSource },
  task: number | string,
): Promise<Script> {
  const { seed, limits } = run.settings;
  return loadScript(stage.module, {
    ...(await surroundingsOf(run.allowed)),
    random: seedOf(seed, task),
    clock: run.startedAt,
    limits: { timeMs: limits.timeMs, memoryBytes: limits.memoryBytes },
  });
}

/** The bytes of 32-bit FNV-1a over both: other seeds for other partitions, the same on every machine. */
export function seedOf(seed: number, task: number | string): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${task}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}

/** How often a partition begins again, each time without one more record. */
const mostRestarts = 10;

/**
 * Attempts until one goes through. One that gives null has added records to those that are left out, and the next is
 * without them. `onRows` hears of rows that are done, and `ragged` are no records at all.
 */
export async function untilThrough<Result>(
  { source, what = 'partition' }: Pick<Partition, 'source'> & { readonly what?: string },
  onRows: (rows: number) => void,
  attempt: (left: Map<number, Failure>, onRows: (rows: number) => void) => Promise<Result | null>,
  ragged: readonly Failure[] = [],
): Promise<Result> {
  const left = new Map(ragged.map((failure) => [failure.row, failure]));
  let lost = 0;
  for (let restarts = 0; ; restarts++) {
    let told = 0;
    try {
      const result = await attempt(left, (rows) => {
        told += rows;
        onRows(rows);
      });
      if (result !== null) return result;
    } catch (error) {
      if (!(error instanceof LostPlace) || lost++ === mostLost) throw error;
      restarts--;
    }
    onRows(-told);
    if (restarts === mostRestarts)
      throw new MapError(
        `${source}: more than ${mostRestarts} records of one ${what} hit a limit, the last of them ` +
          describeFailure(source, [...left.values()].at(-1)!),
      );
  }
}

export function describeFailure(file: string, { row, type, message }: Failure): string {
  return `${file}, record ${row + 1}: ${type}: ${message}`;
}

/** More records failed than may; where the first did is not known yet. */
export class TooManyFailures extends Error {
  readonly first: Failure;
  readonly #source: string;
  readonly #maxErrors: MaxErrors;

  constructor(source: string, maxErrors: MaxErrors, first: Failure) {
    super();
    this.first = first;
    this.#source = source;
    this.#maxErrors = maxErrors;
  }

  /** For people: `first` is the first with its message, and its stack. */
  told(first: Failure, stack: readonly string[]): TooManyErrors {
    return new TooManyErrors(tooManyErrors(this.#maxErrors, describeFailure(this.#source, first), stack));
  }
}

/** Records of a partition that failed in an attempt, with those that are left out. */
export class Failures {
  readonly #source: string;
  readonly #maxErrors: MaxErrors;
  readonly #most: number;
  readonly #earlier: number;
  readonly #left: Map<number, Failure>;
  readonly #all: Failure[];

  /** `earlier`: how many failed before, elsewhere, and count too. */
  constructor(
    source: string,
    { settings, records }: Pick<RunWork, 'settings' | 'records'>,
    left: Map<number, Failure>,
    earlier = 0,
  ) {
    this.#source = source;
    this.#maxErrors = settings.maxErrors;
    this.#most = mostErrors(settings.maxErrors, records);
    this.#earlier = earlier;
    this.#left = left;
    this.#all = [...left.values()];
  }

  /** In the order of their rows. */
  get sorted(): readonly Failure[] {
    return this.#all.toSorted((a, b) => a.row - b.row);
  }

  /** Throws TooManyFailures. */
  add(failures: readonly Failure[]): void {
    this.#all.push(...failures);
    if (this.#all.length + this.#earlier <= this.#most) return;
    const first = this.#all.reduce((a, b) => (b.row < a.row ? b : a));
    throw new TooManyFailures(this.#source, this.#maxErrors, first);
  }

  /** The next attempt is without them. */
  leaveOut(): void {
    for (const failure of this.#all) this.#left.set(failure.row, failure);
  }
}
