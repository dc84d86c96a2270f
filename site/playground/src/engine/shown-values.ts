// Values of a run as the page gets them: the text, cut where it is long, and what can be drawn. Which type a value has
// is seen at the value, among the few types that the script can give.

import { viewOf } from 'sluice';
import type { ScriptValue } from 'sluice/host';
import type { ShownValue } from './messages.ts';
import type { Manifest, Struct, TypeDescriptor, View } from './vocabulary.ts';

/** Longer texts are cut: nobody reads them in a page. Pictures are not. */
const longestText = 20_000;
const longestPicture = 2_000_000;
/** More elements are not drawn. */
const mostPoints = 200_000;

type Sent = TypeDescriptor | null;

export class Shower {
  readonly #types: readonly Sent[];
  readonly #structs: readonly Struct[];
  readonly views: readonly View[];

  constructor({ yields = [], results = [], structs }: Manifest) {
    const types = new Map([...yields, ...results].map((type) => [JSON.stringify(type), type] as const));
    this.#types = [...types.values()];
    this.#structs = structs;
    // Whatever has none of the types is text.
    this.views = [...this.#types.map((type) => viewOf(type, structs)), { kind: 'text' }];
  }

  show(value: ScriptValue, text: string): ShownValue {
    const found =
      this.#types.length === 1 && value !== null ? 0 : this.#types.findIndex((type) => this.#is(value, type));
    const view = found < 0 || value === null ? this.views.length - 1 : found;
    return { view, text: cut(text), value: this.#drawn(value, this.views[view]!) };
  }

  /** Whether a value looks as those of a type do. A json may look like another one, so it comes last. */
  #is(value: ScriptValue, type: Sent): boolean {
    if (type === null) return value === null;
    if (typeof type === 'string') {
      switch (type) {
        case 'int':
          return typeof value === 'bigint';
        case 'double':
          return typeof value === 'number';
        case 'boolean':
        case 'string':
          return typeof value === type;
        case 'json':
          return false;
      }
    }
    if ('array' in type) {
      if (type.array === 'int') return value instanceof BigInt64Array;
      if (type.array === 'double') return value instanceof Float64Array;
      return Array.isArray(value) && (value.length === 0 || this.#is(value[0] as ScriptValue, type.array));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = this.#structs[type.struct]!.fields.map(({ name }) => name);
    const keys = Object.keys(value);
    return keys.length === fields.length && keys.every((key, at) => key === fields[at]);
  }

  /** What the page needs besides the text: numbers, rows of cells. */
  #drawn(value: ScriptValue, view: View): unknown {
    switch (view.kind) {
      case 'series':
        return view.extent === 'one' ? Number(value) : numbersOf(value);
      case 'lines':
      case 'table': {
        const rows = view.extent === 'one' ? [value] : (value as readonly ScriptValue[]);
        return Array.from(rows.slice(0, mostPoints), (row) => cellsOf(row, view));
      }
      case 'svg':
      case 'text':
        return null;
    }
  }
}

function numbersOf(value: ScriptValue): Float64Array {
  const all = value as Float64Array | BigInt64Array;
  return Float64Array.from(all.subarray(0, mostPoints), Number);
}

type Cell = number | string | null;

function cellsOf(row: ScriptValue, view: View & { readonly kind: 'lines' | 'table' }): readonly Cell[] {
  if (row === null) return view.columns.map(() => null);
  if (row instanceof Float64Array || row instanceof BigInt64Array) return Array.from(row, Number);
  if (Array.isArray(row)) return (row as readonly ScriptValue[]).map(cellOf);
  if (typeof row !== 'object') return [cellOf(row)];
  return view.columns.map(({ name }) => cellOf((row as Readonly<Record<string, ScriptValue>>)[name]!));
}

function cellOf(value: ScriptValue): Cell {
  if (typeof value === 'number' || value === null) return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' || typeof value === 'boolean') return cut(String(value), 200);
  return cut(JSON.stringify(value, plain), 200);
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Float64Array || value instanceof BigInt64Array ? Array.from(value, Number) : value;
}

function cut(text: string, most = text.trimStart().startsWith('<svg') ? longestPicture : longestText): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more)`;
}
