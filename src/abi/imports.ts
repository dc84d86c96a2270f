// What a module imports from its host besides the library, and what it exports: compiler and host read this one table.
// Values cross as a stream. Out: `beginArray`, elements, `end`; `beginStruct`, fields in order, `end`; then
// `yieldValue` or `finish` takes the value that was written. In: `hasArgument` turns to a parameter, then the reads
// take its parts in the same order (a struct is its fields in a row). The elements of int[] and double[] cross in
// chunks of at most `stagedNumbers` at the start of the staging memory: `writeStaged` after the module has stored them
// there, `readStaged` before it loads them. A library function with a permission answers `callDone`, then the reads
// take its result; that of type json crosses as JSON text. So does a plugin's function of more than numbers, its json
// in the stream; arguments that are no numbers and texts are written before the call.

/** How a value travels: string is an externref, null included. */
export type WireType = 'i32' | 'i64' | 'f64' | 'string';

export interface RuntimeImport {
  readonly parameters: readonly WireType[];
  readonly result: WireType | null;
}

function row(parameters: readonly WireType[], result: WireType | null = null): RuntimeImport {
  return { parameters, result };
}

/** What the second operand of `beginArray` says. */
export const elementKinds = { other: 0, int: 1, double: 2, json: 3 } as const;

/** What `readKind` says. */
export const jsonKinds = ['null', 'boolean', 'int', 'double', 'string', 'array', 'object'] as const;

/** The wasm module name of the imports below. */
export const runtimeModule = 'sluice';

export const runtimeImports = {
  /** A yielded value of a simple type, in one call. */
  yieldInt: row(['i64']),
  yieldDouble: row(['f64']),
  yieldBoolean: row(['i32']),
  yieldString: row(['string']),
  /** Forgets what was written of a value that cannot be finished. */
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
  /** Number of elements, and their kind: int[] and double[] are typed arrays outside, empty ones too. */
  beginArray: row(['i32', 'i32']),
  /** Index into the manifest's structs. */
  beginStruct: row(['i32']),
  /** A json object with so many keys, each written before its value. */
  beginObject: row(['i32']),
  writeKey: row(['string']),
  /** Numbers inside json are JavaScript numbers outside, as far as those are exact. */
  writeJsonInt: row(['i64']),
  writeJsonDouble: row(['f64']),
  end: row([]),

  /** Index of a parameter of the entry; 1 if there is an argument, and the reads begin at it. */
  hasArgument: row(['i32'], 'i32'),
  /** 1 if the next value is null, which it then takes; asked before every struct and array. */
  readNull: row([], 'i32'),
  readInt: row([], 'i64'),
  readDouble: row([], 'f64'),
  readBoolean: row([], 'i32'),
  readString: row([], 'string'),
  /** Number of elements, or of the keys of a json object, where each key stands before its value. */
  readArray: row([], 'i32'),
  /** What kind of json comes next: an index into `jsonKinds`. */
  readKind: row([], 'i32'),

  /** Makes the value that was written an argument of the next call of a plugin's function, behind those before it. */
  passArgument: row([]),

  /** The next so many elements of the int[] or double[] that is being written lie in the staging memory. */
  writeStaged: row(['i32']),
  /** Puts the next so many elements of the int[] or double[] that is being read into the staging memory. */
  readStaged: row(['i32']),

  /** After a waiting import that did not answer `callDone`: the error type to raise; `readString` gives its message. */
  failure: row([], 'i32'),

  /**
   * Asked every now and then by modules with limits: so many units were used; how many more until the next time, or
   * minus the error type to raise, of which `readString` gives the message.
   */
  look: row(['i32'], 'i32'),

  /**
   * Before so many bytes are allocated, every now and then: how many more until the next time, or minus an error type,
   * as `look` does.
   */
  reserve: row(['f64'], 'i32'),
  /** The text of an error that the module raises itself: a row of `errorMessages` and the numbers that stand in it. */
  message: row(['i32', 'i64', 'i64', 'i64'], 'string'),

  /** Called before an error that no clause will catch is thrown: the host notes the stack. */
  uncaught: row([]),
} satisfies Record<string, RuntimeImport>;

export type RuntimeImportName = keyof typeof runtimeImports;

/** The staging memory, imported under this name by modules that exchange int[] or double[]: one page. */
export const stagingImport = 'staging';
export const stagingBytes = 65_536;
/** An int or a double is 8 bytes. */
export const stagedNumbers = stagingBytes / 8;

/**
 * What an import of a library function with a permission answers once its result can be read: such an import may wait,
 * and one that waits where nothing can makes 0 in wasm.
 */
export const callDone = 1;

/** Builtins of the engine for JS strings, and the module whose global names are string constants. */
export const stringBuiltinsModule = 'wasm:js-string';
export const stringConstantsModule = "'";

/** Export of every program that can be run. */
export const runExport = 'run';
/** Sets the globals before the first call of an exported function; only where there are globals to set. */
export const initialiseExport = 'initialise';

/** An exported function as it is, for those whose parameters and result are numbers and booleans. */
export function directExport(name: string): string {
  return `direct.${name}`;
}

/** An exported function behind the streams: it reads its arguments as `run` does, and finishes with its result. */
export function callExport(name: string): string {
  return `call.${name}`;
}

/** How many units were used since the host was asked last: () -> i32. Only in modules with limits. */
export const usedExport = 'used';

/**
 * A global: how many bytes of frames calls may take together (i32). Only in modules that count how deep calls are
 * nested.
 */
export const depthExport = 'depth';

/** The tag of every script error: (i32 error type, externref message, i32 location of the throw, -1 if unknown). */
export const errorTagExport = 'error';
