// The arguments of main from `-a name=value`: text for a string parameter, otherwise JSON, read so that an int keeps
// all of its 64 bits. The host itself checks whether a value fits its parameter.

import { ArgumentError, describeType, JsonDouble } from '../../runtime-host/api/node.ts';
import type { Manifest } from '../../runtime-host/api/node.ts';
import { deepestValue } from '../abi/nesting.ts';
import type { TypeDescriptor } from '../abi/values.ts';
import { quote } from '../language/quoted-text.ts';
import { UsageError } from './exit.ts';
import { decodeText, readBytes } from './files.ts';

/** What is read of a manifest. */
export type Taking = Pick<Manifest, 'parameters' | 'structs'>;

/** Throws UsageError for a text without `name=value`, ArgumentError for a value that the parameter cannot take. */
export function readArguments(manifest: Taking, given: readonly string[], command: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const word of given) {
    const equals = word.indexOf('=');
    if (equals <= 0) throw new UsageError(`-a takes NAME=VALUE, not ${quote(word)}`, command);
    const name = word.slice(0, equals);
    if (name in values) throw new UsageError(`argument ${quote(name)} is given twice`, command);
    const type = manifest.parameters?.find((parameter) => parameter.name === name)?.type;
    const text = readValue(word.slice(equals + 1));
    values[name] = type === undefined || type === 'string' ? text : parseValue(manifest, name, type, text);
  }
  return values;
}

/** `@path` means the content of the file, `@@` a text that begins with `@`. */
function readValue(text: string): string {
  if (!text.startsWith('@')) return text;
  if (text.startsWith('@@')) return text.slice(1);
  const path = text.slice(1);
  return decodeText(path, readBytes(path));
}

/** A number as its text. */
class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type SourceReviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

/** A value from JSON, as the host takes it for a parameter of the type. Throws ArgumentError for what does not fit. */
export function parseValue(manifest: Taking, name: string, type: TypeDescriptor, text: string): unknown {
  const keepNumbers: SourceReviver = (_, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source) : value;
  let value: unknown;
  try {
    value = JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown);
  } catch (error) {
    // JSON.parse is recursive and overflows the stack.
    if (error instanceof RangeError) throw new ArgumentError(name, `${name}: nested deeper than ${deepestValue}`);
    throw new ArgumentError(
      name,
      `${name}: expected ${type === 'json' ? 'JSON' : `${describeType(type, manifest.structs)} as JSON`}, ` +
        `got ${text === '' ? 'nothing' : quote(text)}`,
    );
  }
  return new JsonReading(manifest, name).convert(value, type, name);
}

/** Tests the length first, since parsing many digits as a bigint takes long. */
function fitsInt(digits: string): boolean {
  if (digits.length > 20) return false;
  const value = BigInt(digits);
  return value === BigInt.asIntN(64, value);
}

class JsonReading {
  readonly #manifest: Taking;
  readonly #parameter: string;

  constructor(manifest: Taking, parameter: string) {
    this.#manifest = manifest;
    this.#parameter = parameter;
  }

  /** Converts numbers as their types require; other values stay as JSON has them. */
  convert(value: unknown, type: TypeDescriptor | null, path: string): unknown {
    if (value instanceof JsonNumber) return this.#number(value, type, path);
    if (Array.isArray(value)) {
      const element =
        type === 'json' ? type : type !== null && typeof type === 'object' && 'array' in type ? type.array : null;
      return value.map((item, index) => this.convert(item, element, `${path}[${index}]`));
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields =
      type !== null && typeof type === 'object' && 'struct' in type ? this.#manifest.structs[type.struct]!.fields : [];
    const object = Object.create(null) as Record<string, unknown>;
    for (const [name, item] of Object.entries(value)) {
      const inner = type === 'json' ? type : (fields.find((field) => field.name === name)?.type ?? null);
      object[name] = this.convert(item, inner, `${path}.${name}`);
    }
    return object;
  }

  /** As in the language, a number with a fraction or an exponent is a double and never an int. */
  #number({ source }: JsonNumber, type: TypeDescriptor | null, path: string): bigint | number | JsonDouble {
    const isWhole = /^-?\d+$/.test(source);
    if (type === 'int' && !isWhole) throw this.#error(path, 'expected int, got double');
    if (isWhole && (type === 'int' || type === 'json')) {
      if (fitsInt(source)) return BigInt(source);
      if (type === 'int') throw this.#error(path, `expected int, got ${quote(source)}, which is beyond 64 bits`);
    }
    const double = Number(source);
    if (!Number.isFinite(double)) throw this.#error(path, `the number ${quote(source)} is too large for a double`);
    return type === 'json' ? new JsonDouble(double) : double;
  }

  #error(path: string, what: string): ArgumentError {
    return new ArgumentError(this.#parameter, `${path}: ${what}`);
  }
}
