// What a map will do, worked out from the script, the files and the options, before a record is read. All of it is
// plain data: it can be printed, compared and sent to a thread.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { Diagnostic } from '../../src/index.ts';
import type { MaxErrors } from './max-errors.ts';
import type { Allowed } from './permissions.ts';

/** Formats of files. */
export type Format = 'parquet' | 'csv' | 'ndjson';

/** Formats that records come in: of files, or a stream of Arrow. */
export type InputFormat = Format | 'arrow';

/** What a null in a column does where the parameter cannot be null. */
export type NullRule = { readonly kind: 'error' | 'skip' } | { readonly kind: 'value'; readonly text: string };

/** How the values of a column travel to the script. */
export type Carrier = 'double' | 'int' | 'boolean' | 'string' | 'json';

/** A parameter of the script that a column fills. */
export interface InputColumn {
  readonly parameter: string;
  readonly column: string;
  /** As the file has it, such as `DECIMAL(18,2)`. */
  readonly columnType: string;
  readonly type: TypeDescriptor;
  readonly carrier: Carrier;
  /** SQL that gives a DOUBLE, BIGINT, BOOLEAN or VARCHAR. */
  readonly sql: string;
  /** SQL that is true where a value that is not null has none in the script; null where that cannot be. */
  readonly misfitSql: string | null;
  /** SQL of the text of such a value, for messages. */
  readonly textSql: string;
  /** SQL of which of `units` a field is in, where each says that by itself; null where all values have one. */
  readonly unitSql: string | null;
  /** What most fields of the column are, once that is known and there is a choice. */
  readonly mostly: string | null;
  /** What happens to a value on the way, for people; empty if it stays as it is. */
  readonly conversion: string;
  /** The parameter says by itself what null is: text, arrays, structs and json, and numbers with `x_valid`. */
  readonly takesNull: boolean;
  readonly nulls: NullRule;
}

/** What an argument of the script's function is. */
export type Argument =
  | { readonly kind: 'column'; readonly at: number }
  /** `x_valid`: whether the column has a value. */
  | { readonly kind: 'valid'; readonly at: number }
  | { readonly kind: 'given'; readonly name: string; readonly type: TypeDescriptor };

/** A column that is written. */
export interface OutputColumn {
  readonly name: string;
  readonly carrier: Carrier;
  readonly type: TypeDescriptor;
  /** The type of the file, where it is not the usual one of the carrier. */
  readonly written?: string;
  /** The field of `Out` that says whether there is a value. */
  readonly valid: string | null;
}

/** `map` that returns a record, `map` that yields any number, `mapBatch`. */
export type Shape = 'record' | 'yields' | 'batch';

/** How records become the arguments of a function. */
export interface Taken {
  readonly inputs: readonly InputColumn[];
  readonly call: readonly Argument[];
}

/** What the script does with the records. */
export interface Work extends Taken {
  readonly shape: Shape;
  readonly outputs: readonly OutputColumn[];
  /** The struct that the function gives. */
  readonly result: number;
}

/** A column whose values make groups. */
export interface GroupColumn {
  readonly column: string;
  /** SQL of what groups have in common: zeros of either sign are one. */
  readonly sql: string;
  /** The type that its text is written as. */
  readonly written: string;
}

/** What the script sums up: `init`, `step`, `merge` and `finish`. `call` has what `step` takes behind the state. */
export interface Fold extends Taken {
  readonly by: readonly GroupColumn[];
  readonly init: readonly Argument[];
  readonly finish: readonly Argument[];
  /** The struct of the state. */
  readonly state: number;
  /** The fields of what `finish` gives; the columns of groups stand in front of them. */
  readonly outputs: readonly OutputColumn[];
  readonly result: number;
}

/** One of the two things that a script may do: what it is, its driver, and the driver's module. */
export interface Stage<Kind> {
  readonly work: Kind;
  readonly driver: string;
  readonly module: Uint8Array<ArrayBuffer>;
  /** Values of the arguments that are the same for all records, as the driver's `begin` takes them. */
  readonly values: readonly unknown[];
}

/** A file of the input, as it was when the plan was made. */
export interface InputFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Null where only reading the file would tell. */
  readonly rows: number | null;
}

/** Rows of one file, from one row up to, not including, another. */
export interface Partition {
  readonly at: number;
  readonly file: string;
  /** The file that people know: the same, unless it was staged. */
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

/** What will be done with records, wherever they come from. */
export interface WorkPlan {
  readonly script: string;
  /** The module of the script alone: records that failed are run again by it, for their stacks. */
  readonly scriptModule: Uint8Array<ArrayBuffer>;
  /** Null for a script that only sums up. */
  readonly map: Stage<Work> | null;
  /** Null for a script that only maps. Where it does both, what was mapped is summed up. */
  readonly fold: Stage<Fold> | null;
  readonly settings: MapSettings;
  /** The permissions that the script asks for. */
  readonly asks: readonly string[];
  readonly allowed: Allowed;
  /** Those of the script, for the names of types. */
  readonly structs: readonly ManifestStruct[];
  /** Warnings of the compiler. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a run will do: `describePlan` prints it, `runMap` does it. */
export interface MapPlan extends WorkPlan {
  readonly format: InputFormat;
  readonly files: readonly InputFile[];
  /** Names, as they stand in the files. */
  readonly columns: readonly string[];
  /** Null for formats of which only reading tells how many rows there are. */
  readonly partitions: readonly Partition[] | null;
  readonly output: string;
  readonly outputFormat: Format;
}

/** Bounds of a run, with their defaults filled in. */
export interface MapSettings {
  readonly partitionRows: number;
  readonly partitionBytes: number;
  readonly maxErrors: MaxErrors;
  readonly seed: number;
  /** Each batch of records. */
  readonly limits: { readonly timeMs: number; readonly memoryBytes: number };
  /** What DuckDB may use in each thread. */
  readonly readerBytes: number;
}

export const usualSettings: MapSettings = {
  partitionRows: 1_000_000,
  partitionBytes: 64 * 2 ** 20,
  maxErrors: 0,
  seed: 0,
  limits: { timeMs: 60_000, memoryBytes: 2 ** 30 },
  readerBytes: 512 * 2 ** 20,
};

/** Records that go into the script at once. */
export const batchRows = 8192;

/** Records of a stream that are summed up together, at least. */
export const pieceRows = 65_536;

/** Groups of a summary, at most. */
export const mostGroups = 1_000_000;
