// Turns the engine's stack into places in the script: reads the wasm frames of a JS stack text, maps their byte offsets
// through the manifest's location table, and leaves out the frames of the runtime.

import { callExport } from '../../src/abi/imports.ts';
import { locationOf, locationsOf } from '../../src/abi/manifest.ts';
import type { LocationTable, ScriptLocation } from '../../src/abi/manifest.ts';
import {
  entryName,
  escapeFile,
  initialiserName,
  isResumption,
  splitFunctionName,
  functionOfOutlined,
} from '../../src/abi/names.ts';
import { textOf } from './failures.ts';

/** One frame of the engine's stack. */
export interface WasmFrame {
  readonly name: string;
  /** Byte offset in the module; null if the engine does not print it, as JavaScriptCore (Safari, Bun). */
  readonly offset: number | null;
  /** The function has not begun yet: its offset is before every place in it. */
  readonly atEntry?: boolean;
}

const maxFrames = 200;

/** The current stack, taken inside an import that the module called. */
export function captureStack(): string {
  return withLongStacks(() => stackTextOf(new Error()));
}

/**
 * The stack of an error, a line for each frame, whatever the embedder's settings for stacks are. Bun names the
 * functions of a module only in call sites, which prepareStackTrace gets; Firefox and Safari do not call that function.
 */
export function stackTextOf(error: Error): string {
  const before = settings.prepareStackTrace;
  set('prepareStackTrace', (_error: unknown, sites: readonly unknown[]): string => sites.map(String).join('\n'));
  try {
    return textOf(error, 'stack');
  } finally {
    set('prepareStackTrace', before);
  }
}

/** Runs `work` with a stack trace limit that is large enough for a script. */
export function withLongStacks<Result>(work: () => Result): Result {
  const before = beginLongStacks();
  try {
    return work();
  } finally {
    endLongStacks(before);
  }
}

/** Makes the stack trace limit large enough for a script; endLongStacks takes the result, the former settings. */
export function beginLongStacks(): unknown {
  const before = settings.stackTraceLimit;
  set('stackTraceLimit', maxFrames);
  return before;
}

export function endLongStacks(before: unknown): void {
  set('stackTraceLimit', before);
}

/** If the host program has frozen Error, the settings stay as they are. */
function set(name: keyof typeof settings, value: unknown): void {
  try {
    if (value === undefined) delete settings[name];
    else settings[name] = value;
  } catch {
    // Error is frozen.
  }
}

/** Settings of V8 on Error, which Bun has too. They hold for the whole process, and the standard types lack them. */
const settings = Error as { stackTraceLimit?: unknown; prepareStackTrace?: unknown };

// V8: `name (wasm://wasm/module-1a2b3c4d:wasm-function[12]:0x1f)`, in a whole stack after `at `; Firefox:
// `name@…wasm-function[12]:0x1f`.
const framePattern =
  /^\s*(?:at )?(?:(?<name>.*?) ?[(@])?[^()@]*?(?:wasm:\/\/wasm\/(?:(?<module>.+)-)?[0-9a-f]+:)?wasm-function\[(?<index>\d+)\]:0x(?<offset>[0-9a-f]+)\)?$/;
// Safari: `<?>.wasm-function[name]@[wasm code]`; Bun: `.wasm-function[name] (native)`. A function without a name has a
// number.
const nameOnlyPattern = /^\s*(?:at )?[^\s@]*\.wasm-function\[(?:\d+|(?<name>.+))\](?:@\[wasm code\]| \(native\))$/;

/** The wasm frames of the innermost module, innermost first: the frames after them belong to its callers. */
export function readFrames(stack: string): readonly WasmFrame[] {
  const frames: WasmFrame[] = [];
  for (const line of stack.split('\n')) {
    const frame = readFrame(line);
    if (frame !== null) frames.push(frame);
    else if (frames.length > 0) break;
  }
  return frames;
}

/** The module chooses the names of its functions: to match a pattern in a very long name would take long. */
const longestLine = 2_000;

function readFrame(line: string): WasmFrame | null {
  if (line.length > longestLine) return { name: '', offset: null };
  const match = framePattern.exec(line)?.groups;
  if (match === undefined) {
    const nameOnly = nameOnlyPattern.exec(line)?.groups;
    return nameOnly === undefined ? null : { name: nameOnly['name'] ?? '', offset: null };
  }
  const prefix = match['module'] === undefined ? '' : `${match['module']}.`;
  const name = match['name'] ?? '';
  return {
    name: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    offset: Number.parseInt(match['offset']!, 16),
  };
}

/**
 * Places in the script, innermost first. `place` is the place that the error carries, -1 if none; it is more exact than
 * the frame of the throw. `mainFile` is the name of the program's own file in the table.
 */
export function scriptFrames(
  frames: readonly WasmFrame[],
  table: LocationTable,
  place: number,
  mainFile: string,
): readonly ScriptLocation[] {
  const code = decodeCode(table, mainFile);
  const found = withoutLead(asOneCall(frames))
    .map((frame) => locateFrame(frame, code, table))
    .filter((locations) => locations.length > 0);
  const top = locationsOf(table, place);
  if (top[0] === undefined || isRuntime(top[0])) return found.flat();
  const [own, frame] = [top.at(-1)!, found[0]?.at(-1)];
  const isInFrames = frame?.function === own.function && frame.file === own.file;
  return [...top, ...found.slice(isInFrames ? 1 : 0).flat()];
}

interface CodePlaces {
  readonly offsets: readonly number[];
  readonly places: readonly number[];
  /** Indexes into the table's functions by name, and into its files by their names in frames. */
  readonly functions: ReadonlyMap<string, readonly number[]>;
  readonly files: ReadonlyMap<string, readonly number[]>;
}

/**
 * Whether a place belongs to the function of a frame. Tables may be large and stacks long, so it compares numbers only.
 */
type IsOwn = (place: number) => boolean;

function decodeCode(table: LocationTable, mainFile: string): CodePlaces {
  const offsets: number[] = [];
  const places: number[] = [];
  let offset = 0;
  let place = 0;
  for (let at = 0; at + 1 < table.code.length; at += 2) {
    offset += table.code[at]!;
    place += table.code[at + 1]!;
    offsets.push(offset);
    places.push(place);
  }
  const indexed = (names: readonly string[]): ReadonlyMap<string, readonly number[]> => {
    const byName = new Map<string, number[]>();
    names.forEach((name, at) => {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [at]);
      else known.push(at);
    });
    return byName;
  };
  return {
    offsets,
    places,
    functions: indexed(table.functions),
    files: indexed(table.files.map((file) => (file === mainFile ? '' : escapeFile(file)))),
  };
}

function placesOf(names: readonly string[], file: string, code: CodePlaces, { places }: LocationTable): IsOwn {
  const functions = new Set(names.flatMap((name) => code.functions.get(name) ?? []));
  const files = new Set(code.files.get(file));
  return (place) => functions.has(places[place * 4 + 3]!) && files.has(places[place * 4]!);
}

/**
 * The locations of a frame: none for a function of the runtime or for a frame without a known place, several if a
 * function was inlined into its caller.
 */
function locateFrame(frame: WasmFrame, code: CodePlaces, table: LocationTable): readonly ScriptLocation[] {
  const { file, name } = splitFunctionName(frame.name);
  const names = file === 'prelude' ? [] : namesOf(name);
  if (names.length === 0) return [];
  if (frame.atEntry === true) return firstPlace(placesOf(names, file, code, table), table);
  const row = frame.offset === null ? -1 : lastAtOrBelow(code.offsets, frame.offset);
  return row < 0 ? [] : locationsOf(table, code.places[row]!).filter((found) => !isRuntime(found));
}

/** The first place of a function that the table knows. */
function firstPlace(isOwn: IsOwn, table: LocationTable): readonly ScriptLocation[] {
  return Array.from({ length: table.places.length / 4 }, (_, place) => place)
    .flatMap((place) => (isOwn(place) ? (locationOf(table, place) ?? []) : []))
    .filter((place) => !isRuntime(place))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, 1);
}

const entryNames = ['main', '<top level>', '<globals>'];
/** The prefix of the functions that read the arguments of a call and hand over its result. */
const callWrappers = `$${callExport('')}`;
/**
 * Functions that the emitter makes around the statements of the entry; the statements are in the first one that the
 * stack has.
 */
const entryFunctions: readonly string[] = [entryName, initialiserName, '$run'];

/**
 * The names in the script for the function of a frame; none for a function of the runtime. The wrapper of an exported
 * function also has the name of that function.
 */
function namesOf(wasmName: string): readonly string[] {
  if (entryFunctions.includes(wasmName)) return entryNames;
  if (wasmName.startsWith(callWrappers)) return [wasmName, wasmName.slice(callWrappers.length)];
  return isRuntimeName(wasmName) ? [] : [functionName(wasmName)];
}

/** Leaves out the functions that only call the entry. */
function withoutLead(frames: readonly WasmFrame[]): readonly WasmFrame[] {
  const entry = frames.findIndex((frame) => entryFunctions.includes(frame.name));
  return entry < 0 ? frames : frames.slice(0, entry + 1);
}

/**
 * Keeps one frame of a call, the innermost. A function that returned to be resumed is in the stack twice, with the
 * function that resumes it between both frames; behind the frame of an outlined loop is the frame of its function.
 */
function asOneCall(frames: readonly WasmFrame[]): readonly WasmFrame[] {
  let isSameCall = false;
  return frames.flatMap((frame) => {
    const whole = functionOfOutlined(frame.name);
    const isFirst = !isSameCall && !isResumption(frame.name);
    isSameCall = isResumption(frame.name) || whole !== null;
    return isFirst ? [{ ...frame, name: whole ?? frame.name }] : [];
  });
}

function isRuntimeName(name: string): boolean {
  return name.startsWith('$');
}

function isRuntime(location: ScriptLocation): boolean {
  return location.file === '<runtime>' || isRuntimeName(location.function);
}

/** The name without its type argument. */
function functionName(wasmName: string): string {
  const generic = wasmName.indexOf('<', 1);
  return generic < 0 ? wasmName : wasmName.slice(0, generic);
}

function lastAtOrBelow(offsets: readonly number[], offset: number): number {
  let low = -1;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
