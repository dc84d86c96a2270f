// Debug locations: places in the script are numbered, instructions carry the number of their place as a debug location,
// and Binaryen's source map for the final bytes becomes the manifest's location table. Only calls and throws carry a
// place: no other instruction can be in a stack.

import type { LocationTable } from '../abi/manifest.ts';
import { positionAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { ExpressionRef, FunctionRef, WasmModule } from './binaryen.ts';

export class LocationRecorder {
  readonly #files = new Map<SourceFile, number>();
  readonly #functions = new Map<string, number>();
  readonly #places: number[] = [];
  /** The places with the same start: several if different things are used there. */
  readonly #numbers = new Map<string, number[]>();
  readonly #uses = new Map<number, string>();
  /** The places of code that was inlined, with the place of the call. */
  readonly #inlined = new Map<number, number>();

  /**
   * The number of the place where `span` begins, in the function of that name; `use` describes the use there of a value
   * that may be null, such as `codeAt()`.
   */
  placeOf(span: Span, functionName: string, use?: string): number {
    const { inlined } = span;
    const call = inlined === undefined ? -1 : this.placeOf(inlined.at, functionName);
    const file = numberOf(this.#files, span.file);
    const fn = numberOf(this.#functions, inlined?.callee ?? functionName);
    const key = `${file} ${span.start} ${fn} ${call}`;
    const known = this.#numbers.get(key) ?? [];
    const found = known.find((place) => use === undefined || (this.#uses.get(place) ?? use) === use);
    if (found !== undefined) return this.#noteUse(found, use);
    const { line, column } = positionAt(span.file, span.start);
    const place = this.#places.length / 4;
    this.#places.push(file, line, column, fn);
    this.#numbers.set(key, [...known, place]);
    if (call >= 0) this.#inlined.set(place, call);
    return this.#noteUse(place, use);
  }

  #noteUse(place: number, use: string | undefined): number {
    if (use !== undefined) this.#uses.set(place, use);
    return place;
  }

  /** The table, made from the final bytes and Binaryen's map of them. */
  table(binaryenMap: string): LocationTable {
    return {
      files: [...this.#files.keys()].map((file) => file.name),
      functions: [...this.#functions.keys()],
      places: this.#places,
      code: decodeMap(binaryenMap),
      ...(this.#inlined.size === 0 ? {} : { inlined: [...this.#inlined].flat() }),
      ...this.#tableOfUses(),
    };
  }

  #tableOfUses(): Pick<LocationTable, 'uses' | 'used'> {
    if (this.#uses.size === 0) return {};
    const uses = new Map<string, number>();
    let last = 0;
    const used = [...this.#uses]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([place, use]) => {
        const difference = place - last;
        last = place;
        return [difference, numberOf(uses, use)];
      });
    return { uses: [...uses.keys()], used };
  }

  /** A source map (version 3) of the same table, including the sources. */
  sourceMap(table: LocationTable): string {
    const files = [...this.#files.keys()];
    let mappings = '';
    let last = { file: 0, line: 0, column: 0 };
    let place = 0;
    for (let at = 0; at < table.code.length; at += 2) {
      place += table.code[at + 1]!;
      const [file, line, column] = this.#places.slice(place * 4, place * 4 + 3) as [number, number, number];
      const parts = [table.code[at]!, file - last.file, line - 1 - last.line, column - 1 - last.column];
      mappings += (mappings === '' ? '' : ',') + parts.map(encodeVlq).join('');
      last = { file, line: line - 1, column: column - 1 };
    }
    return JSON.stringify({
      version: 3,
      sources: files.map((file) => file.name),
      sourcesContent: files.map((file) => file.text),
      names: [],
      mappings,
    });
  }
}

function numberOf<Key>(table: Map<Key, number>, key: Key): number {
  const known = table.get(key);
  if (known !== undefined) return known;
  table.set(key, table.size);
  return table.size - 1;
}

/** Notes the place of an instruction. Binaryen counts lines from 1, and drops a first location on line 1. */
export function attachPlace(module: WasmModule, fn: FunctionRef, expression: ExpressionRef, place: number): void {
  module.setDebugLocation(fn, expression, 0, place + 2, 0);
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The mappings of a source map whose lines are places, as pairs of differences. */
function decodeMap(map: string): number[] {
  const { mappings } = JSON.parse(map) as { mappings: string };
  const code: number[] = [];
  let offset = 0;
  let lastOffset = 0;
  let place = -1;
  let lastPlace = 0;
  for (const segment of mappings.split(',')) {
    const parts = decodeVlq(segment);
    offset += parts[0] ?? 0;
    // A segment without a source says only that the place of the following code is unknown.
    if (parts.length < 4) continue;
    place += parts[2]!;
    code.push(offset - lastOffset, place - lastPlace);
    lastOffset = offset;
    lastPlace = place;
  }
  return code;
}

/**
 * Base-64 variable-length quantities of the source map format: least significant digit first, sign in the lowest bit.
 */
function decodeVlq(text: string): number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const digit = digits.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    values.push((value & 1) === 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return values;
}

function encodeVlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
