// The text of a value as the language prints it: what `yield` and `return` show, and the JSON inside.
// A value tells its own type here: bigint is int, number is double.

import type { ScriptValue } from './values.ts';

/** A double in the shortest form that reads back the same, never looking like an int: 4.0, -0.0, 1e-7. */
export function formatDouble(x: number): string {
  const text = String(x);
  if (!Number.isInteger(x) || text.includes('e')) return text;
  return Object.is(x, -0) ? '-0.0' : `${text}.0`;
}

/** A string stands as it is, null is `null`, structs and arrays are compact JSON. */
export function formatValue(value: ScriptValue): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatDouble(value);
    default:
      return formatJson(value);
  }
}

/** Compact JSON: ints with all their digits, doubles as the language prints them, NaN and infinities as null. */
export function formatJson(value: ScriptValue): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? formatDouble(value) : 'null';
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : formatCompound(value);
  }
}

function formatCompound(value: ScriptValue & object): string {
  if (Array.isArray(value)) return `[${value.map(formatJson).join(',')}]`;
  if (value instanceof BigInt64Array) return `[${value.join(',')}]`;
  if (value instanceof Float64Array) return `[${Array.from(value, formatJson).join(',')}]`;
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${formatJson(field)}`);
  return `{${fields.join(',')}}`;
}
