// Batches of a partition: numbers are copied from DuckDB's vectors; texts come as positions in a dictionary where there
// are few different ones, and otherwise as one text for all rows of a batch, since a text by itself costs most.

import { fileToRead, literal } from '../duckdb/database.ts';
import type { Chunk, Database } from '../duckdb/database.ts';
import { isText, nullMark, separator } from '../driver/slots.ts';
import { batchRows } from '../plan/plan.ts';
import type { InputColumn, Partition, Taken } from '../plan/plan.ts';

/** What one column of a batch is. */
export interface BatchColumn {
  readonly numbers: Float64Array | BigInt64Array;
  readonly valid: BigInt64Array;
  readonly misfits: BigInt64Array;
  readonly text: string;
  readonly marked: boolean;
}

export interface Batch {
  /** Its first row in the file. */
  readonly from: number;
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
  /** Dictionaries that come to hold with this batch, by column. */
  readonly dictionaries: ReadonlyMap<number, readonly (string | null)[]>;
}

/** A text of a batch should stay below this; so batches of long texts have fewer rows. */
export const mostTextBytes = 32 * 2 ** 20;
const mostDistinct = 4096;
const sampleRows = 8192;

/** Rows of a partition. */
export function rowsOf({ file, source, from, to }: Pick<Partition, 'file' | 'source' | 'from' | 'to'>): string {
  // The folders of what was staged are none of the input's.
  const hive = file === source ? '' : ', hive_partitioning = false';
  return (
    `(SELECT * FROM read_parquet(${fileToRead(file)}, file_row_number = true${hive}) ` +
    `WHERE file_row_number >= ${from} AND file_row_number < ${to})`
  );
}

/**
 * The batches in order, each valid until the next one is asked for. `other` is a second connection, since two queries
 * run side by side.
 */
export async function* readBatches(
  database: Database,
  other: Database,
  { inputs }: Pick<Taken, 'inputs'>,
  partition: Partition,
): AsyncGenerator<Batch> {
  const rows = rowsOf(partition);
  const texts = await readTextKinds(database, inputs, rows, partition.at);
  const coded = new Map(texts.filter(({ dictionary }) => dictionary !== null).map((kind) => [kind.at, kind]));
  const joined = texts.filter(({ dictionary }) => dictionary === null);
  const longest = Math.max(1, ...joined.map(({ meanBytes }) => meanBytes));
  const most = Math.max(64, Math.min(batchRows, 2 ** Math.floor(Math.log2(mostTextBytes / longest))));
  const fitting = await fittingInputs(database, inputs, partition);
  const numbers = new NumberReader(inputs, coded, fitting, most);
  const group = `(file_row_number - ${partition.from}) // ${most}`;
  const textRows =
    joined.length === 0
      ? null
      : other.stream(
          `SELECT ${joined.map(({ at }) => textSql(inputs[at]!)).join(', ')} FROM ${rows} ` +
            `GROUP BY ${group} ORDER BY ${group}`,
        );
  let dictionaries = new Map([...coded].map(([at, { dictionary }]) => [at, dictionary!]));
  let chunk: Chunk | null = null;
  let row = 0;
  let from = partition.from;
  for await (const batch of numbers.read(database.stream(`SELECT ${numbers.sql} FROM ${rows}`))) {
    const columns = [...batch.columns];
    for (const [index, { at }] of joined.entries()) {
      if (index === 0 && (chunk === null || ++row >= chunk.rows)) {
        const next = await textRows!.next();
        if (next.done === true) throw new Error('texts ended before their numbers');
        chunk = next.value;
        row = 0;
      }
      const [text, marked, unfit] = [0, 1, 2].map((part) => chunk!.text(index * 3 + part, row));
      if (unfit === 'true') {
        const values = await readSingly(inputs[at]!, { ...partition, from, to: from + batch.rows }, database);
        dictionaries.set(at, values);
        columns[at] = { ...columns[at]!, numbers: BigInt64Array.from(values, (_, position) => BigInt(position)) };
      } else columns[at] = { ...columns[at]!, text: text!, marked: marked === 'true' };
    }
    yield { from, rows: batch.rows, columns, dictionaries };
    dictionaries = new Map();
    from += batch.rows;
  }
}

/** Inputs of which all values fit: their flags need not be read. Where they are staged, that costs next to nothing. */
async function fittingInputs(
  database: Database,
  inputs: readonly InputColumn[],
  partition: Partition,
): Promise<ReadonlySet<number>> {
  const flagged = inputs.flatMap(({ misfitSql }, at) => (misfitSql === null ? [] : [{ at, misfitSql }]));
  if (flagged.length === 0 || partition.file === partition.source) return new Set();
  const flags = flagged.map(({ misfitSql }) => `CAST(coalesce(bool_or(${misfitSql}), false) AS VARCHAR)`);
  const [found] = await database.texts(`SELECT ${flags.join(', ')} FROM ${rowsOf(partition)}`);
  return new Set(flagged.filter((_, index) => found![index] === 'false').map(({ at }) => at));
}

interface TextKind {
  readonly at: number;
  readonly meanBytes: number;
  /** Null where there are too many different texts. */
  readonly dictionary: readonly (string | null)[] | null;
  /** The name of its type. */
  readonly type: string;
}

/** Looks at the first rows, and where few texts are different there, at all of them. */
async function readTextKinds(
  database: Database,
  inputs: readonly InputColumn[],
  rows: string,
  partition: number,
): Promise<readonly TextKind[]> {
  const kinds: TextKind[] = [];
  for (const [at, input] of inputs.entries()) {
    if (!isText(input)) continue;
    const [[distinct, bytes]] = (await database.texts(
      `SELECT CAST(count(DISTINCT x) AS VARCHAR), CAST(avg(strlen(x)) AS VARCHAR) ` +
        `FROM (SELECT ${input.sql} AS x FROM ${rows} LIMIT ${sampleRows})`,
    )) as [[string | null, string | null]];
    const type = `texts_${partition}_${at}`;
    const isFew = input.carrier === 'string' && Number(distinct) <= sampleRows / 8;
    const values = isFew ? await readDictionary(database, input, rows) : null;
    if (values !== null) {
      await database.run(`DROP TYPE IF EXISTS ${type}`);
      await database.run(`CREATE TYPE ${type} AS ENUM (${values.map(literal).join(', ')})`);
    }
    kinds.push({ at, meanBytes: Number(bytes ?? 0), dictionary: values === null ? null : [...values, null], type });
  }
  return kinds;
}

async function readDictionary(database: Database, { sql }: InputColumn, rows: string): Promise<string[] | null> {
  const found = await database.texts(
    `SELECT DISTINCT ${sql} AS x FROM ${rows} WHERE ${sql} IS NOT NULL ORDER BY x LIMIT ${mostDistinct + 1}`,
  );
  const values = found.map(([value]) => value!);
  return values.length > mostDistinct || values.some((value) => value.includes('\0')) ? null : values;
}

/** The text of a batch, whether a null is marked in it, and whether a value has one of the marks in it. */
function textSql({ sql }: InputColumn): string {
  const marks = [separator, nullMark].map((mark) => `contains(x, chr(${mark.codePointAt(0)}))`).join(' OR ');
  return [
    `string_agg(coalesce(${sql}, chr(${nullMark.codePointAt(0)})), chr(${separator.codePointAt(0)}))`,
    `CAST(bool_or((${sql}) IS NULL) AS VARCHAR)`,
    `CAST(coalesce(bool_or(${marks.replaceAll('(x,', () => `(${sql},`)}), false) AS VARCHAR)`,
  ].join(', ');
}

async function readSingly(
  { sql }: InputColumn,
  part: Partition,
  database: Database,
): Promise<readonly (string | null)[]> {
  // The numbers are being read on this connection.
  const own = await database.another();
  try {
    return (await own.texts(`SELECT ${sql} FROM ${rowsOf(part)}`)).map(([value]) => value ?? null);
  } finally {
    own.disconnect();
  }
}

interface Source {
  readonly input: number;
  readonly part: 'numbers' | 'misfits';
  readonly isDouble: boolean;
}

const none = new BigInt64Array(0);

/** Collects chunks, which may have any number of rows, into batches. */
class NumberReader {
  readonly sql: string;
  readonly #sources: readonly Source[];
  readonly #inputs: readonly InputColumn[];
  readonly #most: number;

  constructor(
    inputs: readonly InputColumn[],
    coded: ReadonlyMap<number, TextKind>,
    fitting: ReadonlySet<number>,
    most: number,
  ) {
    const parts: string[] = [];
    const sources: Source[] = [];
    for (const [input, { sql, misfitSql, carrier }] of inputs.entries()) {
      const kind = coded.get(input);
      const value =
        kind !== undefined
          ? `CAST(coalesce(enum_code(CAST(${sql} AS ${kind.type})), ${kind.dictionary!.length - 1}) AS BIGINT)`
          : isText(inputs[input]!)
            ? null
            : carrier === 'double'
              ? sql
              : `CAST(${sql} AS BIGINT)`;
      if (value !== null) {
        parts.push(value);
        sources.push({ input, part: 'numbers', isDouble: carrier === 'double' });
      }
      if (misfitSql === null || fitting.has(input)) continue;
      parts.push(`CAST(${misfitSql} AS BIGINT)`);
      sources.push({ input, part: 'misfits', isDouble: false });
    }
    this.sql = parts.length === 0 ? 'true' : parts.join(', ');
    this.#sources = sources;
    this.#inputs = inputs;
    this.#most = most;
  }

  async *read(
    chunks: AsyncIterable<Chunk>,
  ): AsyncGenerator<{ readonly rows: number; readonly columns: readonly BatchColumn[] }> {
    // Arrays are used again: new ones for each batch would keep the garbage collector busy.
    const targets = this.#sources.map(({ isDouble }) => new Target(isDouble, this.#most));
    let rows = 0;
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.rows;) {
        const count = Math.min(chunk.rows - from, this.#most - rows);
        for (const [at, target] of targets.entries()) target.copy(chunk, at, from, rows, count);
        rows += count;
        from += count;
        if (rows < this.#most) continue;
        yield this.#end(rows, targets);
        for (const target of targets) target.clear();
        rows = 0;
      }
    }
    if (rows > 0) yield this.#end(rows, targets);
  }

  #end(rows: number, targets: readonly Target[]): { readonly rows: number; readonly columns: readonly BatchColumn[] } {
    const columns: BatchColumn[] = this.#inputs.map(() => ({
      numbers: none,
      valid: none,
      misfits: none,
      text: '',
      marked: false,
    }));
    for (const [at, { input, part }] of this.#sources.entries()) {
      const target = targets[at]!;
      const values = target.first(rows);
      columns[input] =
        part === 'numbers'
          ? { ...columns[input]!, numbers: values, valid: target.valid(rows) }
          : {
              ...columns[input]!,
              misfits: target.hasBits(rows) ? (values as BigInt64Array) : none,
            };
    }
    return { rows, columns };
  }
}

/** A column of a batch that is being filled. */
class Target {
  readonly #values: Float64Array | BigInt64Array;
  readonly #bytes: Uint8Array;
  /** Null as long as all rows have a value. */
  #valid: Uint8Array | null = null;

  constructor(isDouble: boolean, rows: number) {
    this.#values = isDouble ? new Float64Array(rows) : new BigInt64Array(rows);
    this.#bytes = new Uint8Array(this.#values.buffer);
  }

  clear(): void {
    this.#valid = null;
  }

  /** The first rows. */
  first(rows: number): Float64Array | BigInt64Array {
    return rows === this.#values.length ? this.#values : this.#values.subarray(0, rows);
  }

  /** Whether one of the first rows is another than 0. */
  hasBits(rows: number): boolean {
    return new Int32Array(this.#values.buffer, 0, rows * 2).some((half) => half !== 0);
  }

  copy(chunk: Chunk, column: number, from: number, to: number, count: number): void {
    const bytes = chunk.bytes(column, 8);
    this.#bytes.set(count === chunk.rows ? bytes : bytes.subarray(from * 8, (from + count) * 8), to * 8);
    const valid = chunk.valid(column);
    if (valid === null) return;
    this.#valid ??= new Uint8Array(this.#values.length / 8).fill(255);
    for (let row = 0; row < count; row++) {
      const source = from + row;
      const target = to + row;
      if (((valid[source >> 3]! >> (source & 7)) & 1) === 0) this.#valid[target >> 3]! &= ~(1 << (target & 7));
    }
  }

  valid(rows: number): BigInt64Array {
    return this.#valid === null ? none : new BigInt64Array(this.#valid.buffer).subarray(0, Math.ceil(rows / 64));
  }
}
