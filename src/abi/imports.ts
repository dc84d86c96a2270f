// What a module imports from its host besides the library, and what it exports: compiler and host read this one table.
// Values cross the boundary as a stream of calls. From the module to the host: `beginArray`, the elements, `end`;
// `beginStruct`, the fields in order, `end`; then `yieldValue` or `finish` takes the value that was written. From the
// host to the module: `hasArgument` selects a parameter, then the reads take its parts in the same order (a struct is
// its fields in a row). At most `stagedNumbers` elements of an int[] or double[] cross at once, through the staging
// memory, for `writeStaged` and from `readStaged`. A library function with a permission answers `callDone`, then the
// reads take its result; json crosses as JSON text. So does a plugin's function that takes or gives more than numbers,
// but its json crosses in the stream, and its arguments other than numbers and texts are written before the call.

/** The wasm type of one value; string is an externref, null included. */
export type WireType = 'i32' | 'i64' | 'f64' | 'string';

export interface RuntimeImport {
  readonly parameters: readonly WireType[];
  readonly result: WireType | null;
}

function row(parameters: readonly WireType[], result: WireType | null = null): RuntimeImport {
  return { parameters, result };
}

/** The second operand of `beginArray`. */
export const elementKinds = { other: 0, int: 1, double: 2, json: 3 } as const;

/** The answers of `readKind` are indexes into this list. */
export const jsonKinds = ['null', 'boolean', 'int', 'double', 'string', 'array', 'object'] as const;

/** The wasm module name of the imports below. */
export const runtimeModule = 'sluice';

export const runtimeImports = {
  /** Yields a value of a simple type in one call. */
  yieldInt: row(['i64']),
  yieldDouble: row(['f64']),
  yieldBoolean: row(['i32']),
  yieldString: row(['string']),
  /** Discards what was written of a value that cannot be finished. */
  discard: row([]),
  /** Yields the value that was written. */
  yieldValue: row([]),
  /** Makes the value that was written the result of the run. */
  finish: row([]),

  writeNull: row([]),
  writeInt: row(['i64']),
  writeDouble: row(['f64']),
  writeBoolean: row(['i32']),
  writeString: row(['string']),
  /** Takes the number of elements and their kind: int[] and double[] are typed arrays outside, empty ones too. */
  beginArray: row(['i32', 'i32']),
  /** Takes an index into the manifest's structs. */
  beginStruct: row(['i32']),
  /** Begins a json object with this many keys, each written before its value. */
  beginObject: row(['i32']),
  writeKey: row(['string']),
  /** Numbers inside json become JavaScript numbers outside if those are exact. */
  writeJsonInt: row(['i64']),
  writeJsonDouble: row(['f64']),
  end: row([]),

  /** Takes the index of a parameter of the entry. Answers 1 if there is an argument; the reads then begin at it. */
  hasArgument: row(['i32'], 'i32'),
  /** Asked before every struct and array. Answers 1 if the next value is null, and then takes that value. */
  readNull: row([], 'i32'),
  readInt: row([], 'i64'),
  readDouble: row([], 'f64'),
  readBoolean: row([], 'i32'),
  readString: row([], 'string'),
  /** The number of elements, or of the keys of a json object; each key comes before its value. */
  readArray: row([], 'i32'),
  /** The kind of json that comes next: an index into `jsonKinds`. */
  readKind: row([], 'i32'),

  /** Makes the value that was written the next argument of the next call of a plugin's function. */
  passArgument: row([]),

  /** The staging memory holds this many further elements of the int[] or double[] that is being written. */
  writeStaged: row(['i32']),
  /** Puts this many further elements of the int[] or double[] that is being read into the staging memory. */
  readStaged: row(['i32']),

  /**
   * Called after an import that may wait has not answered `callDone`: the error type to raise. `readString` gives its
   * message.
   */
  failure: row([], 'i32'),

  /**
   * Called from time to time by modules with limits: takes the units used since the last call. Answers how many more
   * may be used before the next call, or minus the error type to raise; `readString` gives the message of that error.
   */
  look: row(['i32'], 'i32'),

  /**
   * Called before a module allocates more bytes than it was granted: takes this number of bytes. Answers like `look`:
   * how many bytes may be allocated before the next call, or minus an error type.
   */
  reserve: row(['f64'], 'i32'),
  /** The text of an error that the module raises itself: takes a row of `messageTexts` and the numbers in its text. */
  message: row(['i32', 'i64', 'i64', 'i64'], 'string'),

  /** Called before the module throws an error that no clause will catch: the host notes the stack. */
  uncaught: row([]),
} satisfies Record<string, RuntimeImport>;

export type RuntimeImportName = keyof typeof runtimeImports;

/** The staging memory, imported under this name by modules that exchange int[] or double[]: one page. */
export const stagingImport = 'staging';
export const stagingBytes = 65_536;
/** The name of the same memory in a module that may have it grow, to at most so many pages. */
export const scratchImport = 'scratch';
export const mostScratchPages = 16_384;
/** In a module that has arrays of its own there, whose addresses have 32 bits. */
export const stackImport = 'stack';
export const mostStackPages = 65_535;
/** An int or a double is 8 bytes. */
export const stagedNumbers = stagingBytes / 8;

/**
 * Answer of a library function with a permission once its result can be read. Such an import may wait for a promise; if
 * the engine cannot suspend the module there, wasm turns the promise into 0.
 */
export const callDone = 1;

/** Builtins of the engine for JS strings, and the module whose global names are string constants. */
export const stringBuiltinsModule = 'wasm:js-string';
export const stringConstantsModule = "'";

/** Export of every program that can be run. */
export const runExport = 'run';
/**
 * Export that sets the globals before the first call of an exported function; absent if there are no globals to set.
 */
export const initialiseExport = 'initialise';

/** Export of an exported function without a stream, for parameters and results that are numbers and booleans. */
export function directExport(name: string): string {
  return `direct.${name}`;
}

/** Export of an exported function with streams: it reads its arguments as `run` does, and finishes with its result. */
export function callExport(name: string): string {
  return `call.${name}`;
}

/** How many units were used since the last call of `look`: () -> i32. Only in modules with limits. */
export const usedExport = 'used';

/** How often a counter was passed: (i32) -> i64. Only in modules that were instrumented. */
export const countExport = 'count';

/**
 * A global (i32): how many bytes the frames of nested calls may take together. Only in modules that count the depth of
 * calls.
 */
export const depthExport = 'depth';

/** The tag of every script error: (i32 error type, externref message, i32 location of the throw, -1 if unknown). */
export const errorTagExport = 'error';
