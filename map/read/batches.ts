// Batches of a partition: numbers are copied from DuckDB's vectors; texts come as positions in a dictionary where there
// are few different ones, and otherwise as one text for all rows of a batch, since a text by itself costs most.

import { fileToRead, literal } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import type { Chunk } from '../duckdb/vectors.ts';
import { isText, nullMark, separator } from '../driver/slots.ts';
import { batchRows } from '../plan/plan.ts';
import type { InputColumn, Partition, Taken } from '../plan/plan.ts';
import { noMisfit } from '../plan/staged.ts';
import type { Batch } from './batch.ts';
import { NumberReader } from './numbers.ts';

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

/** How the columns of a partition are read. */
export interface Reading {
  readonly numbers: NumberReader;
  /** Inputs whose texts come as one text for each batch. */
  readonly joined: readonly number[];
  /** Rows of a batch. */
  readonly most: number;
  /** Values by their positions, by input. */
  readonly dictionaries: ReadonlyMap<number, readonly (string | null)[]>;
}

/** Looks at the columns of a partition. */
export async function readingOf(
  database: Database,
  { inputs }: Pick<Taken, 'inputs'>,
  partition: Partition,
): Promise<Reading> {
  const texts = await readTextKinds(database, inputs, rowsOf(partition), partition.at);
  const coded = new Map(texts.flatMap(({ at, code }) => (code === null ? [] : [[at, code] as const])));
  const joined = texts.filter(({ code }) => code === null);
  const longest = Math.max(1, ...joined.map(({ meanBytes }) => meanBytes));
  const most = Math.max(64, Math.min(batchRows, 2 ** Math.floor(Math.log2(mostTextBytes / longest))));
  const fitting = await fittingInputs(database, inputs, partition);
  return {
    numbers: new NumberReader(inputs, coded, fitting, most),
    joined: joined.map(({ at }) => at),
    most,
    dictionaries: new Map(
      texts.flatMap(({ at, dictionary }) => (dictionary === null ? [] : [[at, dictionary] as const])),
    ),
  };
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
  { numbers, joined, most, dictionaries: found }: Reading,
): AsyncGenerator<Batch> {
  const rows = rowsOf(partition);
  const group = `(file_row_number - ${partition.from}) // ${most}`;
  const textRows =
    joined.length === 0
      ? null
      : other.stream(
          `SELECT ${joined.map((at) => textSql(inputs[at]!)).join(', ')} FROM ${rows} ` +
            `GROUP BY ${group} ORDER BY ${group}`,
        );
  let dictionaries = new Map(found);
  let chunk: Chunk | null = null;
  let row = 0;
  let from = partition.from;
  for await (const batch of numbers.read(database.stream(`SELECT ${numbers.sql} FROM ${rows}`))) {
    const columns = [...batch.columns];
    for (const [index, at] of joined.entries()) {
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
  if (from !== partition.to) throw new Error(`${partition.to - from} records were not read`);
}

/** Inputs of which all values fit: their flags need not be read. Where they are staged, that costs next to nothing. */
async function fittingInputs(
  database: Database,
  inputs: readonly InputColumn[],
  partition: Partition,
): Promise<ReadonlySet<number>> {
  const known = inputs.flatMap(({ misfitSql }, at) => (misfitSql === noMisfit ? [at] : []));
  const flagged = inputs.flatMap(({ misfitSql }, at) =>
    misfitSql === null || misfitSql === noMisfit ? [] : [{ at, misfitSql }],
  );
  if (flagged.length === 0 || partition.file === partition.source) return new Set(known);
  const flags = flagged.map(({ misfitSql }) => `CAST(coalesce(bool_or(${misfitSql}), false) AS VARCHAR)`);
  const [found] = await database.texts(`SELECT ${flags.join(', ')} FROM ${rowsOf(partition)}`);
  return new Set([...known, ...flagged.filter((_, index) => found![index] === 'false').map(({ at }) => at)]);
}

interface TextKind {
  readonly at: number;
  readonly meanBytes: number;
  /** Null where there are too many different texts. */
  readonly dictionary: readonly (string | null)[] | null;
  /** SQL of the position in it. */
  readonly code: string | null;
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
    if (values === null) {
      kinds.push({ at, meanBytes: Number(bytes ?? 0), dictionary: null, code: null });
      continue;
    }
    await database.run(`DROP TYPE IF EXISTS ${type}`);
    await database.run(`CREATE TYPE ${type} AS ENUM (${values.map(literal).join(', ')})`);
    kinds.push({
      at,
      meanBytes: Number(bytes ?? 0),
      dictionary: [...values, null],
      code: `CAST(coalesce(enum_code(CAST(${input.sql} AS ${type})), ${values.length}) AS BIGINT)`,
    });
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

/**
 * The text of a batch, whether a null is marked in it, and whether a value cannot be among the others: it has the
 * separator in it, or is what stands for a null.
 */
function textSql({ sql }: InputColumn): string {
  const [between, none] = [separator, nullMark].map((mark) => `chr(${mark.codePointAt(0)})`) as [string, string];
  return [
    `string_agg(coalesce(${sql}, ${none}), ${between})`,
    `CAST(bool_or((${sql}) IS NULL) AS VARCHAR)`,
    `CAST(coalesce(bool_or(contains(${sql}, ${between}) OR (${sql}) = ${none}), false) AS VARCHAR)`,
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
