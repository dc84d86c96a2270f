// Arguments of a run as JSON text that keeps them: ints, doubles that are written as such in json, arrays of numbers.

import { JsonDouble } from '../../runtime-host/api/node.ts';

type Tagged =
  | { readonly int: string }
  | { readonly double: string }
  | { readonly jsonDouble: string }
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly numbers: string; readonly values: readonly string[] };

/** Throws TypeError for what no parameter takes. */
export function encodeValues(values: readonly unknown[]): string {
  return JSON.stringify(values.map(encode));
}

/** What `encodeValues` was given. */
export function decodeValues(text: string): readonly unknown[] {
  return (JSON.parse(text) as unknown[]).map(decode);
}

function encode(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return { int: String(value) } satisfies Tagged;
  if (typeof value === 'number') return { double: textOf(value) } satisfies Tagged;
  if (isJsonDouble(value)) return { jsonDouble: textOf(value.value) } satisfies Tagged;
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Float64Array)
    return { numbers: 'Float64Array', values: Array.from(value, textOf) } satisfies Tagged;
  if (value instanceof BigInt64Array)
    return { numbers: 'BigInt64Array', values: Array.from(value, String) } satisfies Tagged;
  if (typeof value === 'object')
    return {
      object: Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encode(item)])),
    } satisfies Tagged;
  throw new TypeError(`an argument that cannot be passed on: ${typeof value}`);
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const tagged = value as Tagged;
  if ('int' in tagged) return BigInt(tagged.int);
  if ('double' in tagged) return Number(tagged.double);
  if ('jsonDouble' in tagged) return new JsonDouble(Number(tagged.jsonDouble));
  if ('object' in tagged)
    return Object.fromEntries(Object.entries(tagged.object).map(([name, item]) => [name, decode(item)]));
  return tagged.numbers === 'Float64Array'
    ? Float64Array.from(tagged.values, Number)
    : BigInt64Array.from(tagged.values, BigInt);
}

/** The command line's class is that of its own package. */
function isJsonDouble(value: unknown): value is JsonDouble {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype !== null && prototype.constructor.name === JsonDouble.name;
}

/** Number's own text loses the sign of zero. */
function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
