// The manifest: what a host must know of a module, inside the module as a custom section.

import { travelsAlone } from './values.ts';
import type { TypeDescriptor } from './values.ts';

/** Raised whenever a host of the old version could misread a module. */
export const abiVersion = 1;
export const manifestSection = 'sluice:manifest';

/** What a guard counts. `use`: fuel and time; `depth`: nested calls; `memory`: allocated bytes. */
export type Guard = 'use' | 'depth' | 'memory';

/** What a module says about itself, in a custom section. */
export interface Manifest {
  readonly abi: number;
  /** The file that was compiled, as it was named to the compiler. */
  readonly name: string;
  readonly headers: readonly { readonly tool: string; readonly key: string; readonly value: string }[];
  /** Parameters of the entry; null for a library. */
  readonly parameters: readonly ManifestParameter[] | null;
  /** Functions that the host may call by name; absent from modules of compilers that had no exports yet. */
  readonly exports?: readonly ManifestExport[];
  /**
   * Types of what the module can yield, in any function, and of what its entry can return; absent from older modules
   * too.
   */
  readonly yields?: readonly SentType[];
  readonly results?: readonly SentType[];
  /** What main gives; absent from a library, and from older modules. */
  readonly outputs?: ManifestOutputs;
  readonly structs: readonly ManifestStruct[];
  /** Exports of the module that can reach a call that may wait for the host; absent if there are none. */
  readonly waits?: readonly string[];
  /** Limits that the module counts by itself; absent if there are none. */
  readonly guards?: readonly Guard[];
  /** Functions of plugins that the program calls, as they were when it was compiled; absent if there are none. */
  readonly plugins?: readonly ManifestPluginCall[];
  /**
   * The permissions of the library that the program can ask for, such as `File.Read`; absent if there are none, and
   * from older modules. Whose functions of plugins ask is in `plugins`.
   */
  readonly asks?: readonly string[];
  /** Namespaces that the program calls. */
  readonly namespaces: readonly string[];
  readonly locations: LocationTable;
}

export interface ManifestParameter {
  readonly name: string;
  readonly type: TypeDescriptor;
  readonly required: boolean;
}

/** An import that a plugin supplies: `name` is the function's, or a method's with its receiver, `string.shout`. */
export interface ManifestPluginCall {
  readonly plugin: string;
  readonly name: string;
  /** The signature, and everything else that the module relies on. */
  readonly contract: string;
}

/** A function that the host may call by name. */
export interface ManifestExport {
  readonly name: string;
  readonly parameters: readonly ExportParameter[];
  /** Null for void. */
  readonly returns: TypeDescriptor | null;
  /** Absent from older modules. */
  readonly outputs?: ManifestOutputs;
}

/**
 * What one export of a module can give, more precisely than its types: the list has null only if a text, an array or a
 * struct may be null.
 */
export interface ManifestOutputs {
  readonly yields: readonly SentType[];
  readonly returns: readonly SentType[];
  /** It may end without a value. */
  readonly returnsNothing: boolean;
}

/** A parameter of an exported function. */
export interface ExportParameter extends ManifestParameter {
  /** Set for an array as the last parameter that takes all remaining arguments. */
  readonly variadic: boolean;
}

/** Null stands for the literal `null` whose type is unknown. */
export type SentType = TypeDescriptor | null;

/** Whether a function takes and gives nothing but numbers and booleans, so that no stream is needed. */
export function isDirect({ parameters, returns }: ManifestExport): boolean {
  return parameters.every(({ type }) => travelsAlone(type)) && (returns === null || travelsAlone(returns));
}

/** Whether an argument may be left out; only the module knows its default. */
export function hasDefaults({ parameters }: ManifestExport): boolean {
  return parameters.some(({ required }) => !required);
}

export interface ManifestStruct {
  readonly name: string;
  /**
   * The imported file that declares it, since files may have structs of the same name; absent for the program's own
   * file.
   */
  readonly file?: string;
  readonly fields: readonly { readonly name: string; readonly type: TypeDescriptor }[];
}

/**
 * Where code comes from. `places` holds rows of four numbers: file, line, column, function (indexes into `files` and
 * `functions`). `code` holds pairs: a byte offset in the module and a place, both as differences to the pair before. A
 * byte of the code belongs to the last pair whose offset is not above it.
 */
export interface LocationTable {
  readonly files: readonly string[];
  readonly functions: readonly string[];
  readonly places: readonly number[];
  readonly code: readonly number[];
  /** What the script uses where a value may be null, for the message of that error. */
  readonly uses?: readonly string[];
  /** Pairs: a place as a difference to the one before, and an index into `uses`. */
  readonly used?: readonly number[];
  /** Pairs: a place in a function that was inlined, and the place of the call, which is a smaller number. */
  readonly inlined?: readonly number[];
}

/** What a thrown error or a frame of the stack points to; line and column count from 1. */
export interface ScriptLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
}

/** The location of a place, or null for one that the table does not have. */
export function locationOf(table: LocationTable, place: number): ScriptLocation | null {
  const at = place * 4;
  if (place < 0 || at + 3 >= table.places.length) return null;
  const [file, line, column, fn] = table.places.slice(at, at + 4) as [number, number, number, number];
  return { file: table.files[file]!, line, column, function: table.functions[fn]! };
}

/** As many calls at most are shown that were inlined around one place. */
const mostInlined = 100;

/** The locations of a place and of the calls that were inlined around it, innermost first. */
export function locationsOf(table: LocationTable, place: number): readonly ScriptLocation[] {
  const { inlined = [] } = table;
  const places = [place];
  // A call has a smaller number than what is inlined there, so one walk backwards finds all.
  for (let at = inlined.length - 2; at >= 0 && places.length < mostInlined; at -= 2)
    if (inlined[at] === places.at(-1)) places.push(inlined[at + 1]!);
  return places.flatMap((found) => locationOf(table, found) ?? []);
}

/** What is used at a place, in the words of an error; null if the table does not say. */
export function useAt({ uses = [], used = [] }: LocationTable, place: number): string | null {
  let at = 0;
  for (let index = 0; index + 1 < used.length; index += 2) {
    at += used[index]!;
    if (at === place) return uses[used[index + 1]!] ?? null;
  }
  return null;
}
