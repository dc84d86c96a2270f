// The answer of the library or a plugin as JSON: for logs, and for messages to a worker. Ints are texts, doubles are
// numbers if JSON can express them; reading the JSON gives the same parts. Arrays of numbers may be sent beside the
// text.

import { Failure } from '../errors/failures.ts';
import type { FailureType } from '../errors/failures.ts';
import type { Answer, Part } from './parts.ts';
import { Parts } from './parts.ts';
import type { Numbers } from './staging.ts';

/** Null, booleans and texts stay as they are; a row of parts is an array. */
export type PartJson =
  | null
  | boolean
  | string
  | readonly PartJson[]
  | { readonly int: string }
  | { readonly double: number | string }
  | { readonly ints: readonly string[] }
  | { readonly doubles: readonly (number | string)[] }
  /** An index into the arrays beside the text. */
  | { readonly beside: number }
  | { readonly struct: readonly PartJson[] }
  | { readonly object: readonly PartJson[] };

/** Undefined is the answer of a function that returns nothing. */
export type AnswerJson =
  | { readonly answer?: PartJson }
  | { readonly error: string; readonly message: string; readonly endsRun?: boolean };

/** If `beside` is given, arrays of numbers are put there. */
export function partToJson(part: Part, beside: Numbers[] | null = null): PartJson {
  if (typeof part === 'bigint') return { int: String(part) };
  if (typeof part === 'number') return { double: doubleToJson(part) };
  return typeof part === 'object' && part !== null ? partsToJson(part, beside) : part;
}

function partsToJson({ kind, items }: Parts, beside: Numbers[] | null): PartJson {
  if (beside !== null && (items instanceof Float64Array || items instanceof BigInt64Array))
    return { beside: beside.push(items) - 1 };
  if (items instanceof Float64Array) return { doubles: Array.from(items, doubleToJson) };
  if (items instanceof BigInt64Array) return { ints: Array.from(items, String) };
  const parts = Array.from(items, (item) => partToJson(item, beside));
  return kind === 'array' ? parts : kind === 'struct' ? { struct: parts } : { object: parts };
}

/** JSON has no infinities, no NaN and no negative zero. */
function doubleToJson(value: number): number | string {
  return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);
}

/** Throws for JSON that `partToJson` never makes. */
export function partFromJson(json: PartJson, beside: readonly Numbers[] = []): Part {
  const inner = (item: PartJson): Part => partFromJson(item, beside);
  if (typeof json !== 'object' || json === null) {
    if (typeof json === 'number' || json === undefined) throw new SyntaxError('no part of a value');
    return json;
  }
  if (Array.isArray(json)) return new Parts('array', json.map(inner));
  if ('int' in json) return BigInt(json.int);
  if ('double' in json) return Number(json.double);
  if ('ints' in json) return new Parts('array', BigInt64Array.from(json.ints, BigInt));
  if ('doubles' in json) return new Parts('array', Float64Array.from(json.doubles, Number));
  if ('beside' in json) {
    const numbers = beside[json.beside];
    if (numbers === undefined) throw new SyntaxError('no array of this index');
    return new Parts('array', numbers);
  }
  if ('struct' in json) return new Parts('struct', json.struct.map(inner));
  return new Parts('object', (json as { readonly object: readonly PartJson[] }).object.map(inner));
}

export function answerToJson(answer: Answer, beside: Numbers[] | null = null): AnswerJson {
  if (answer === undefined) return {};
  return { answer: Array.isArray(answer) ? [...(answer as readonly string[])] : partToJson(answer as Part, beside) };
}

export function failureToJson({ type, message, endsRun }: Failure): AnswerJson {
  return { error: type, message, ...(endsRun ? { endsRun } : {}) };
}

/** Throws the Failure if the JSON is one. */
export function answerFromJson(json: AnswerJson, beside: readonly Numbers[] = []): Answer {
  if ('error' in json) throw new Failure(json.error as FailureType, json.message, json.endsRun === true);
  return json.answer === undefined ? undefined : partFromJson(json.answer, beside);
}
