// The text of a value as the language prints it: the output of `yield` and `return`, and the JSON inside. A value shows
// its own type: bigint is int, number is double. Inside json both are numbers, so notes beside the values of a script
// keep the difference.

import { JsonDouble } from './json-double.ts';

export interface JsonNote {
  /** Whether whole numbers among the parts are ints. */
  readonly isJson: boolean;
  /** The parts for which the opposite holds. */
  readonly exceptions: ReadonlySet<string | number> | null;
  /** The keys in the script's order, if JavaScript has another: it puts keys such as "7" first. */
  readonly keys: readonly string[] | null;
}

const notes = new WeakMap<object, JsonNote>();

/** Notes for an array or object what JavaScript loses: which numbers are ints, and the order of keys. */
export function noteJson(value: object, note: JsonNote): void {
  notes.set(value, note);
}

/** The note of an array or object. */
export function noteOf(value: object): JsonNote | undefined {
  return notes.get(value);
}

/** Whether a number at a place in an array or object is an int. */
function isIntAt(note: JsonNote | undefined, place: string | number, value: unknown): boolean {
  return (
    note !== undefined &&
    typeof value === 'number' &&
    Number.isInteger(value) &&
    note.isJson !== (note.exceptions?.has(place) ?? false)
  );
}

/** A double in the shortest form that reads back the same, never looking like an int: 4.0, -0.0, 1e-7. */
export function formatDouble(x: number): string {
  const text = String(x);
  if (!Number.isInteger(x) || text.includes('e')) return text;
  return Object.is(x, -0) ? '-0.0' : `${text}.0`;
}

/** A string is itself, null is `null`, structs, arrays and json are compact JSON. */
export function formatValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatDouble(value);
    case 'bigint':
    case 'boolean':
    case 'object':
    case 'undefined':
    case 'symbol':
    case 'function':
      return formatJson(value);
  }
}

/** As formatValue; `printsAsJson` comes from ValueWriter. */
export function formatOutput(value: unknown, printsAsJson: boolean): string {
  return printsAsJson ? JSON.stringify(value) : formatValue(value);
}

/** Compact JSON: ints with all their digits, doubles as the language prints them, NaN and infinities as null. */
export function formatJson(value: unknown): string {
  return formatPart(value, false);
}

function formatPart(value: unknown, isInt: boolean): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return isInt ? String(value) : Number.isFinite(value) ? formatDouble(value) : 'null';
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : formatCompound(value);
    case 'undefined':
    case 'symbol':
    case 'function':
      return 'null';
  }
}

function formatCompound(value: object): string {
  if (value instanceof BigInt64Array) return `[${value.join(',')}]`;
  if (value instanceof JsonDouble) return formatPart(value.value, false);
  if (value instanceof Float64Array) return `[${Array.from(value, formatJson).join(',')}]`;
  const note = notes.get(value);
  if (Array.isArray(value)) return `[${value.map((item, at) => formatPart(item, isIntAt(note, at, item))).join(',')}]`;
  const fields = keysOf(value, note).map((name) => {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    return `${JSON.stringify(name)}:${formatPart(field, isIntAt(note, name, field))}`;
  });
  return `{${fields.join(',')}}`;
}

/** The receiver of the object may have changed it since its keys were noted. */
function keysOf(value: object, note: JsonNote | undefined): readonly string[] {
  const keys = Object.keys(value);
  if (note === undefined || note.keys === null) return keys;
  return [...new Set([...note.keys, ...keys])].filter((key) => Object.hasOwn(value, key));
}
