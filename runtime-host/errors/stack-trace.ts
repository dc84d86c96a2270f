// From the engine's stack to places in the script: reads the wasm frames of a JS stack text, maps their
// byte offsets through the manifest's location table, and leaves out what is the runtime's own.

import { callExport } from '../../src/abi/imports.ts';
import { locationOf } from '../../src/abi/manifest.ts';
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

/** One frame as the engine tells it. */
export interface WasmFrame {
  readonly name: string;
  /** Byte offset in the module; null where the engine does not tell it, as JavaScriptCore (Safari, Bun). */
  readonly offset: number | null;
  /** The frame is only about to begin: its offset lies before every place in the function. */
  readonly atEntry?: boolean;
}

const maxFrames = 200;

/** The stack of this moment, taken inside an import that the module called. */
export function captureStack(): string {
  return withLongStacks(() => stackTextOf(new Error()));
}

/**
 * The stack of an error, a line for each frame, whatever the embedder has set up for stacks. Bun names the functions of
 * a module only if it is asked frame by frame; Firefox and Safari do not ask.
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

/** Runs `work` with stacks that are long enough for a script. */
export function withLongStacks<Result>(work: () => Result): Result {
  const before = beginLongStacks();
  try {
    return work();
  } finally {
    endLongStacks(before);
  }
}

/** Makes stacks long enough for a script; what this answers with, `endLongStacks` takes. */
export function beginLongStacks(): unknown {
  const before = settings.stackTraceLimit;
  set('stackTraceLimit', maxFrames);
  return before;
}

export function endLongStacks(before: unknown): void {
  set('stackTraceLimit', before);
}

/** Where the host program has frozen Error, stacks are as they are. */
function set(name: keyof typeof settings, value: unknown): void {
  try {
    if (value === undefined) delete settings[name];
    else settings[name] = value;
  } catch {
    // It is frozen.
  }
}

/** Settings of V8 on Error, which Bun has too. They are the whole process's, and not in the standard types. */
const settings = Error as { stackTraceLimit?: unknown; prepareStackTrace?: unknown };

// V8: `name (wasm://wasm/module-1a2b3c4d:wasm-function[12]:0x1f)`, in a whole stack after `at `; Firefox:
// `name@…wasm-function[12]:0x1f`.
const framePattern =
  /^\s*(?:at )?(?:(?<name>.*?) ?[(@])?[^()@]*?(?:wasm:\/\/wasm\/(?:(?<module>.+)-)?[0-9a-f]+:)?wasm-function\[(?<index>\d+)\]:0x(?<offset>[0-9a-f]+)\)?$/;
// Safari: `<?>.wasm-function[name]@[wasm code]`; Bun: `.wasm-function[name] (native)`. A function without a name has a
// number.
const nameOnlyPattern = /^\s*(?:at )?[^\s@]*\.wasm-function\[(?:\d+|(?<name>.+))\](?:@\[wasm code\]| \(native\))$/;

/** The wasm frames of the innermost module, innermost first: those above belong to whoever called it. */
export function readFrames(stack: string): readonly WasmFrame[] {
  const frames: WasmFrame[] = [];
  for (const line of stack.split('\n')) {
    const frame = readFrame(line);
    if (frame !== null) frames.push(frame);
    else if (frames.length > 0) break;
  }
  return frames;
}

/** The names of functions are the module's: to look for a pattern in a very long one would take long. */
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
 * Places in the script, innermost first. `place` is the one that the error carries, -1 if none; it is more
 * exact than the frame of the throw. `mainFile` is the program's own file, as the table calls it.
 */
export function scriptFrames(
  frames: readonly WasmFrame[],
  table: LocationTable,
  place: number,
  mainFile: string,
): readonly ScriptLocation[] {
  const code = decodeCode(table, mainFile);
  const found = withoutLead(asOneCall(frames)).flatMap((frame) => locateFrame(frame, code, table));
  const top = locationOf(table, place);
  if (top === null || isRuntime(top)) return found;
  return found[0]?.function === top.function && found[0].file === top.file ? [top, ...found.slice(1)] : [top, ...found];
}

interface CodePlaces {
  readonly offsets: readonly number[];
  readonly places: readonly number[];
  readonly present: ReadonlySet<number>;
  /** Indexes into the table's functions by their name, and into its files by how frames call them. */
  readonly functions: ReadonlyMap<string, readonly number[]>;
  readonly files: ReadonlyMap<string, readonly number[]>;
}

/** Whether a place belongs to what a frame is of. Tables may be large, and stacks long: this looks at numbers alone. */
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
    present: new Set(places),
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
 * No frame for the runtime's own functions, nor for one of which the engine tells no place; two where a function was
 * written into its caller.
 */
function locateFrame(frame: WasmFrame, code: CodePlaces, table: LocationTable): readonly ScriptLocation[] {
  const { file, name } = splitFunctionName(frame.name);
  const names = file === 'prelude' ? [] : namesOf(name);
  if (names.length === 0) return [];
  const isOwn = placesOf(names, file, code, table);
  if (frame.offset === null) return frame.atEntry === true ? firstPlace(isOwn, table) : [];
  const row = lastAtOrBelow(code.offsets, frame.offset);
  const location = row < 0 || frame.atEntry === true ? null : locationOf(table, code.places[row]!);
  const isCallers = placesOf(
    names.filter((name) => !isRuntimeName(name)),
    file,
    code,
    table,
  );
  const container = location !== null && isOwn(code.places[row]!) ? null : callSite(isCallers, row, code, table);
  return [location, container].filter((found) => found !== null && !isRuntime(found)) as ScriptLocation[];
}

/** Where a function begins, as far as the table knows it. */
function firstPlace(isOwn: IsOwn, table: LocationTable): readonly ScriptLocation[] {
  return locationsOf(isOwn, table)
    .filter((place) => !isRuntime(place))
    .toSorted(compare)
    .slice(0, 1);
}

function locationsOf(isWanted: IsOwn, table: LocationTable): ScriptLocation[] {
  const found: ScriptLocation[] = [];
  for (let place = 0; place < table.places.length / 4; place++)
    if (isWanted(place)) found.push(locationOf(table, place)!);
  return found;
}

const entryNames = ['main', '<top level>', '<globals>'];
/** Begins the names of the functions that read the arguments of a call and hand its result over. */
const callWrappers = `$${callExport('')}`;
/** Functions that the emitter makes around the statements of the entry; the first one found holds them. */
const entryFunctions: readonly string[] = [entryName, initialiserName, '$run'];

/**
 * What the function of a frame is called in the script; nothing for the runtime's own. What stands in front of
 * an exported function may hold that function's code.
 */
function namesOf(wasmName: string): readonly string[] {
  if (entryFunctions.includes(wasmName)) return entryNames;
  if (wasmName.startsWith(callWrappers)) return [wasmName, wasmName.slice(callWrappers.length)];
  return isRuntimeName(wasmName) ? [] : [functionName(wasmName)];
}

/** Without the functions that only lead to the entry. */
function withoutLead(frames: readonly WasmFrame[]): readonly WasmFrame[] {
  const entry = frames.findIndex((frame) => entryFunctions.includes(frame.name));
  return entry < 0 ? frames : frames.slice(0, entry + 1);
}

/**
 * A call as one frame, the innermost: a function that stopped and was gone on with stands in the stack twice, and
 * between them what called it again; behind a loop that became a function there is the one that it was taken out of.
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

/** Without what stands for its type argument. */
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

/**
 * Where a function calls one that was inlined into it. The call is gone, so its place is one of the function's places
 * that no code has any more, on a line between the function's own code before and after. (A statement begins left of
 * the calls in it, and its own code comes after theirs.)
 */
function callSite(isOwn: IsOwn, row: number, code: CodePlaces, table: LocationTable): ScriptLocation | null {
  const before = code.places.findLastIndex((place, at) => at <= row && isOwn(place));
  const after = code.places.findIndex((place, at) => at > row && isOwn(place));
  const first = before < 0 ? null : locationOf(table, code.places[before]!);
  const last = after < 0 ? null : locationOf(table, code.places[after]!);
  const candidates = locationsOf((place) => isOwn(place) && !code.present.has(place), table)
    .filter((place) => (first === null || first.line <= place.line) && (last === null || place.line <= last.line))
    .toSorted(compare);
  const inlined = inlinedBetween(before + 1, row, code, table);
  return candidates[Math.min(inlined, candidates.length - 1)] ?? first ?? last;
}

/** How many functions were inlined one after the other before the one that holds `row`. */
function inlinedBetween(from: number, row: number, { places: rows }: CodePlaces, { places }: LocationTable): number {
  let inlined = 0;
  for (let at = from + 1; at <= row; at++) {
    const [earlier, later] = [rows[at - 1]! * 4, rows[at]! * 4];
    // Where there is no such place, its numbers are missing, and nothing is less than they are.
    const isEarlier = places[later + 1]! - places[earlier + 1]! || places[later + 2]! - places[earlier + 2]!;
    if (
      isEarlier <= 0 ||
      (isEarlier > 0 && (places[earlier] !== places[later] || places[earlier + 3] !== places[later + 3]))
    )
      inlined++;
  }
  return inlined;
}

function compare(a: ScriptLocation, b: ScriptLocation): number {
  return a.line - b.line || a.column - b.column;
}
