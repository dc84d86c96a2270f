// One batch through the driver of an instance: what goes in as the driver's parameters, what comes out as columns.

import { formatLocation, ScriptError } from '../../runtime-host/api/node.ts';
import type { CallResult, ScriptInstance, ScriptValue } from '../../runtime-host/api/node.ts';
import { isDriver } from '../driver/driver.ts';
import { slotsOf } from '../driver/slots.ts';
import type { Slot } from '../driver/slots.ts';
import { limitErrors, misfitError, unwritableError } from '../driver/values.ts';
import { MapError } from '../errors.ts';
import { unwritableMessage } from '../plan/int-types.ts';
import type { OutputColumn, Work } from '../plan/plan.ts';
import type { Batch } from '../read/batch.ts';
import { recordReader } from '../read/record-values.ts';
import type { Failure } from '../write/failures.ts';
import type { WrittenColumn } from '../write/writer.ts';

/** What a batch gave. */
export interface BatchResult {
  readonly kind: 'rows';
  readonly rows: number;
  readonly skipped: number;
  readonly columns: readonly WrittenColumn[];
  /** The text of a column with another separator, as long as no further batch is called. */
  readonly rejoin: (column: number, separator: string) => string;
  readonly failures: readonly Failure[];
  /** A step that threw may have changed a part of its state. */
  readonly isSpoilt: boolean;
}

/** A record hit a limit, and the instance is done for. */
export interface LimitHit {
  readonly kind: 'limit';
  readonly failure: Failure;
}

/**
 * A limit was hit, and which record did that got lost: a busy machine left the driver no time to say it. Another
 * attempt may tell, or go through.
 */
export class LostPlace extends MapError {}

/** How often in a row a place may get lost. */
export const mostLost = 3;

/** Records of a partition, or of a stream, that are run again. */
export const mostStacks = 20;
/** Of an endless recursion, the end says enough. */
const mostFrames = 30;

/** The places of an error, innermost first, and without those of a driver. */
export function framesOf({ frames }: ScriptError): readonly string[] {
  return frames
    .filter(({ file }) => !isDriver(file))
    .slice(0, mostFrames)
    .map(formatLocation);
}

/** What a loop of a driver takes and gives. */
export type Looped = Pick<Work, 'inputs' | 'outputs'>;

/** What each function of a driver gives. */
export interface DriverRows {
  readonly rows: bigint;
  readonly skipped: bigint;
  readonly failedAt: BigInt64Array;
  readonly failedType: readonly string[];
  readonly failedText: readonly string[];
  readonly [column: string]: unknown;
}

export class BatchCall {
  readonly #instance: ScriptInstance;
  readonly #work: Looped;
  readonly #slots: readonly Slot[];
  /** What the records come from, for faults. */
  readonly #source: string;
  readonly #dictionaries = new Map<number, readonly (string | null)[]>();
  #kept = 0;

  constructor(instance: ScriptInstance, work: Looped, source: string) {
    this.#instance = instance;
    this.#work = work;
    this.#slots = slotsOf(work);
    this.#source = source;
  }

  /** Comes first: `values` are the arguments that are no columns. Globals of the script may wait for the host here. */
  async begin(values: readonly unknown[]): Promise<void> {
    await this.#instance.call('begin', ...(values as never[]));
  }

  /**
   * Without the rows in `left`, which are those of the file; `more` stands in front of the columns. Throws MapError
   * where a limit is no record's fault, LostPlace where it may be.
   */
  async call(batch: Batch, left: Iterable<number>, more: readonly unknown[] = []): Promise<BatchResult | LimitHit> {
    const values = this.#begin(batch, left, more);
    try {
      return this.#resultOf(batch, await this.#instance.call('batch', ...values));
    } catch (error) {
      return this.#limitOf(batch, error);
    }
  }

  /** The same at once, where the script never waits. */
  callSync(batch: Batch, left: Iterable<number>): BatchResult | LimitHit {
    const values = this.#begin(batch, left, []);
    try {
      return this.#resultOf(batch, this.#instance.callSync('batch', ...values));
    } catch (error) {
      return this.#limitOf(batch, error);
    }
  }

  /** Hands over dictionaries, and gives the arguments of `batch`. */
  #begin(batch: Batch, left: Iterable<number>, more: readonly unknown[]): never[] {
    for (const [at, values] of batch.dictionaries) {
      this.#instance.callSync(`dictionary${at}`, values);
      this.#dictionaries.set(at, values);
    }
    const skip = [...left].filter((row) => row >= batch.from && row < batch.from + batch.rows).sort((a, b) => a - b);
    return [
      batch.rows,
      BigInt64Array.from(skip, (row) => BigInt(row - batch.from)),
      ...more,
      ...this.#slots.map((slot) => argumentOf(slot, batch)),
    ] as never[];
  }

  #limitOf(batch: Batch, error: unknown): LimitHit {
    if (!(error instanceof ScriptError)) throw error;
    return { kind: 'limit', failure: this.#failureOf(batch, error) };
  }

  #resultOf(batch: Batch, { value }: CallResult): BatchResult {
    const given = value as unknown as DriverRows;
    const failed = [...given.failedAt].map(Number);
    return {
      kind: 'rows',
      rows: Number(given.rows),
      skipped: Number(given.skipped),
      columns: columnsOf(this.#work.outputs, given),
      rejoin: (column, separator) =>
        this.#instance.callSync('text', ...([column, separator] as never[])).value as unknown as string,
      failures: this.#withValues(
        batch,
        failed.map((at, index) => this.#failure(batch.from + at, given.failedType[index]!, given.failedText[index]!)),
      ),
      isSpoilt: given['isSpoilt'] === true,
    };
  }

  #failure(row: number, type: string, text: string): Failure {
    // It got out of the script well, and failed where it is written.
    if (type === unwritableError) return { row, ...unwritable(this.#work.outputs, text), values: null };
    if (type !== misfitError) return { row, type, message: text };
    const { column, carrier } = this.#work.inputs[Number(text)]!;
    return { row, type: 'CastError', message: `${column}: expected ${carrier}`, misfit: Number(text) };
  }

  /** The first that got to the script keep what it got. */
  #withValues(batch: Batch, failures: readonly Failure[]): readonly Failure[] {
    if (failures.length === 0 || this.#kept >= mostStacks) return failures;
    const read = recordReader(this.#work.inputs, batch, this.#dictionaries);
    return failures.map((failure) => {
      if (this.#kept >= mostStacks || failure.values === null) return failure;
      const values = read(failure.row - batch.from);
      if (values !== null) this.#kept++;
      return { ...failure, values };
    });
  }

  /** The driver has yielded which record it was in. */
  #failureOf({ from, rows }: Batch, error: ScriptError): Failure {
    const at = placeOf(error);
    if (at === null) {
      const isLost = error.yields.length === 0 && limitErrors.some((name) => name === error.name);
      const Fault = isLost ? LostPlace : MapError;
      throw new Fault(`${this.#source}, records ${from + 1} to ${from + rows}: ${error.name}: ${error.message}`, {
        cause: error,
      });
    }
    return { row: from + at, type: error.name, message: error.message, limitStack: framesOf(error) };
  }
}

/** An int that is none of the type of its column, as an error: `text` is what a driver says of it. */
export function unwritable(
  outputs: readonly OutputColumn[],
  text: string,
): { readonly type: string; readonly message: string } {
  const [at, value] = text.split(' ') as [string, string];
  return { type: 'CastError', message: unwritableMessage(outputs[Number(at)]!, value) };
}

/** The row that a driver was in when it hit a limit; null where that is unknown. */
export function placeOf(error: ScriptError): number | null {
  const at = error.yields.findLast((value: ScriptValue) => typeof value === 'bigint');
  return limitErrors.some((name) => name === error.name) && typeof at === 'bigint' && at >= 0n ? Number(at) : null;
}

/** The columns that a driver gives. */
export function columnsOf(outputs: readonly OutputColumn[], given: DriverRows): readonly WrittenColumn[] {
  return outputs.map((_, at) => {
    const values = given[`o${at}`];
    const nulls = given[`z${at}`] as BigInt64Array;
    return typeof values === 'string'
      ? { numbers: noNumbers, text: values, nulls }
      : { numbers: values as Float64Array | BigInt64Array, text: '', nulls };
  });
}

function argumentOf({ kind, input }: Slot, { columns }: Batch): unknown {
  const column = columns[input]!;
  switch (kind) {
    case 'doubles':
    case 'ints':
    case 'codes':
      return column.numbers;
    case 'valid':
      return column.valid;
    case 'misfits':
      return column.misfits;
    case 'text':
      return column.text;
    case 'marked':
      return column.marked;
  }
}

const noNumbers = new BigInt64Array(0);
