// What the library answered, as JSON: for logs, and for the way into a worker. Ints are texts, doubles numbers as far as
// JSON has them; what reads it back gets the same parts.

import { Failure } from './failures.ts';
import type { FailureType } from './failures.ts';
import type { Answer } from './host-calls.ts';
import { Parts } from './parts.ts';
import type { Part } from './parts.ts';

/** A null, boolean or text is itself, a row of parts an array. */
export type PartJson =
  | null
  | boolean
  | string
  | readonly PartJson[]
  | { readonly int: string }
  | { readonly double: number | string }
  | { readonly ints: readonly string[] }
  | { readonly doubles: readonly (number | string)[] }
  | { readonly struct: readonly PartJson[] }
  | { readonly object: readonly PartJson[] };

/** Nothing at all is the answer of a function that returns nothing. */
export type AnswerJson = { readonly answer?: PartJson } | { readonly error: string; readonly message: string };

export function partToJson(part: Part): PartJson {
  switch (typeof part) {
    case 'bigint':
      return { int: String(part) };
    case 'number':
      return { double: doubleToJson(part) };
    case 'string':
    case 'boolean':
      return part;
    case 'object':
      return part === null ? null : partsToJson(part);
  }
}

function partsToJson({ kind, items }: Parts): PartJson {
  if (items instanceof Float64Array) return { doubles: Array.from(items, doubleToJson) };
  if (items instanceof BigInt64Array) return { ints: Array.from(items, String) };
  const parts = Array.from(items, partToJson);
  return kind === 'array' ? parts : kind === 'struct' ? { struct: parts } : { object: parts };
}

/** JSON has neither these nor a negative zero. */
function doubleToJson(value: number): number | string {
  return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);
}

/** Throws where it is nothing that `partToJson` gives. */
export function partFromJson(json: PartJson): Part {
  if (typeof json !== 'object' || json === null) {
    if (typeof json === 'number' || json === undefined) throw new SyntaxError('no part of a value');
    return json;
  }
  if (Array.isArray(json)) return new Parts('array', json.map(partFromJson));
  if ('int' in json) return BigInt(json.int);
  if ('double' in json) return Number(json.double);
  if ('ints' in json) return new Parts('array', BigInt64Array.from(json.ints, BigInt));
  if ('doubles' in json) return new Parts('array', Float64Array.from(json.doubles, Number));
  if ('struct' in json) return new Parts('struct', json.struct.map(partFromJson));
  return new Parts('object', (json as { readonly object: readonly PartJson[] }).object.map(partFromJson));
}

export function answerToJson(answer: Answer): AnswerJson {
  if (answer === undefined) return {};
  return { answer: Array.isArray(answer) ? [...(answer as readonly string[])] : partToJson(answer as Part) };
}

export function failureToJson({ type, message }: Failure): AnswerJson {
  return { error: type, message };
}

/** Throws the Failure if it is one. */
export function answerFromJson(json: AnswerJson): Answer {
  if ('error' in json) throw new Failure(json.error as FailureType, json.message);
  return json.answer === undefined ? undefined : partFromJson(json.answer);
}
