// The answer of the library or a plugin as JSON: for logs, and for messages to a worker. Ints are texts, doubles are
// numbers if JSON can express them; reading the JSON gives the same values. Arrays of numbers may be sent beside the
// text.

import { Failure } from '../errors/failures.ts';
import type { FailureType } from '../errors/failures.ts';
import type { Answer, MarshalledValue } from './marshalled-values.ts';
import { Composite } from './marshalled-values.ts';
import type { Numbers } from './staging.ts';

/** Null, booleans and texts stay as they are; the items of an array are in a JSON array. */
export type ValueJson =
  | null
  | boolean
  | string
  | readonly ValueJson[]
  | { readonly int: string }
  | { readonly double: number | string }
  | { readonly ints: readonly string[] }
  | { readonly doubles: readonly (number | string)[] }
  /** An index into the arrays beside the text. */
  | { readonly beside: number }
  | { readonly struct: readonly ValueJson[] }
  | { readonly object: readonly ValueJson[] };

/** Undefined is the answer of a function that returns nothing. */
export type AnswerJson =
  | { readonly answer?: ValueJson }
  | { readonly error: string; readonly message: string; readonly endsRun?: boolean };

/** If `beside` is given, arrays of numbers are put there. */
export function valueToJson(value: MarshalledValue, beside: Numbers[] | null = null): ValueJson {
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number') return { double: doubleToJson(value) };
  return typeof value === 'object' && value !== null ? compositeToJson(value, beside) : value;
}

function compositeToJson({ kind, items }: Composite, beside: Numbers[] | null): ValueJson {
  if (beside !== null && (items instanceof Float64Array || items instanceof BigInt64Array))
    return { beside: beside.push(items) - 1 };
  if (items instanceof Float64Array) return { doubles: Array.from(items, doubleToJson) };
  if (items instanceof BigInt64Array) return { ints: Array.from(items, String) };
  const values = Array.from(items, (item) => valueToJson(item, beside));
  return kind === 'array' ? values : kind === 'struct' ? { struct: values } : { object: values };
}

/** JSON has no infinities, no NaN and no negative zero. */
function doubleToJson(value: number): number | string {
  return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);
}

/** Throws for JSON that `valueToJson` never makes. */
export function valueFromJson(json: ValueJson, beside: readonly Numbers[] = []): MarshalledValue {
  const inner = (item: ValueJson): MarshalledValue => valueFromJson(item, beside);
  if (typeof json !== 'object' || json === null) {
    if (typeof json === 'number' || json === undefined) throw new SyntaxError('no part of a value');
    return json;
  }
  if (Array.isArray(json)) return new Composite('array', json.map(inner));
  if ('int' in json) return BigInt(json.int);
  if ('double' in json) return Number(json.double);
  if ('ints' in json) return new Composite('array', BigInt64Array.from(json.ints, BigInt));
  if ('doubles' in json) return new Composite('array', Float64Array.from(json.doubles, Number));
  if ('beside' in json) {
    const numbers = beside[json.beside];
    if (numbers === undefined) throw new SyntaxError('no array of this index');
    return new Composite('array', numbers);
  }
  if ('struct' in json) return new Composite('struct', json.struct.map(inner));
  return new Composite('object', (json as { readonly object: readonly ValueJson[] }).object.map(inner));
}

export function answerToJson(answer: Answer, beside: Numbers[] | null = null): AnswerJson {
  if (answer === undefined) return {};
  return {
    answer: Array.isArray(answer) ? [...(answer as readonly string[])] : valueToJson(answer as MarshalledValue, beside),
  };
}

export function failureToJson({ type, message, endsRun }: Failure): AnswerJson {
  return { error: type, message, ...(endsRun ? { endsRun } : {}) };
}

/** Throws the Failure if the JSON is one. */
export function answerFromJson(json: AnswerJson, beside: readonly Numbers[] = []): Answer {
  if ('error' in json) throw new Failure(json.error as FailureType, json.message, json.endsRun === true);
  return json.answer === undefined ? undefined : valueFromJson(json.answer, beside);
}
