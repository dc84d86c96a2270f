// Reads plugins' declarations in the script language: `double mean(double[] xs, int skip = 0)` and `type Point { double
// x; double y; }`. Authors make mistakes, so each one is reported with its column.

import { nearestName } from '../language/nearest-name.ts';
import { arrayOf, formatType, isNullable, typeKeywords } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import type { LibraryParameter } from './signature.ts';

export interface PluginSignature {
  readonly name: string;
  readonly returns: Type;
  /** The function may return null. */
  readonly returnsNull: boolean;
  readonly parameters: readonly LibraryParameter[];
}

/** A type that a plugin declares. */
export interface PluginStruct {
  readonly type: StructType;
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
}

/** A mistake in a signature, and its column, counted from 1. */
export class SignatureFault {
  readonly what: string;
  readonly column: number;

  constructor(what: string, column: number) {
    this.what = what;
    this.column = column;
  }
}

/** The struct types of a plugin by name. */
export type StructTypes = ReadonlyMap<string, StructType>;

/** Throws SignatureFault. */
export function readSignature(text: string, structs: StructTypes): PluginSignature {
  const reader = new Reader(text, structs);
  const result = reader.type(true);
  const name = reader.name('the name of the function');
  if (!reader.takes('(')) throw reader.fault('a parameter list in parentheses is missing here');
  const parameters: LibraryParameter[] = [];
  if (!reader.takes(')')) {
    do {
      const start = reader.at;
      const parameter = reader.parameter();
      if (parameters.some((other) => other.name === parameter.name))
        throw reader.fault(`there are two parameters ${parameter.name}`, start);
      if (parameter.initialiser === null && (parameters.at(-1)?.initialiser ?? null) !== null)
        throw reader.fault(`${parameter.name} needs a default, since the parameter before it has one`, start);
      parameters.push(parameter);
    } while (reader.takes(','));
    if (!reader.takes(')')) throw reader.fault('a comma or the closing parenthesis is missing here');
  }
  reader.end();
  return { name, returns: result.type, returnsNull: result.nullable, parameters };
}

/** The name in the declaration of a type. Throws SignatureFault. */
export function readTypeName(text: string): string {
  return new Reader(text, new Map()).typeName();
}

/** Throws SignatureFault. */
export function readStruct(text: string, structs: StructTypes): PluginStruct {
  const reader = new Reader(text, structs);
  const type = structs.get(reader.typeName())!;
  if (!reader.takes('{')) throw reader.fault('the fields in braces are missing here');
  const fields: { name: string; type: Type }[] = [];
  while (!reader.takes('}')) {
    const start = reader.at;
    const field = { type: reader.type(false).type, name: reader.name('the name of the field') };
    if (fields.some(({ name }) => name === field.name)) throw reader.fault(`there are two fields ${field.name}`, start);
    fields.push(field);
    if (!reader.takes(';')) throw reader.fault('a semicolon is missing here');
  }
  if (fields.length === 0) throw reader.fault('a type needs a field');
  reader.end();
  return { type, fields };
}

/** A type that is a whole text, such as `double[]`. Throws SignatureFault. */
export function readLoneType(text: string, structs: StructTypes): Type {
  const reader = new Reader(text, structs);
  const { type } = reader.type(false);
  reader.end();
  return type;
}

/** Reads a text from left to right; `at` is the start of the next word. */
class Reader {
  readonly #text: string;
  readonly #structs: StructTypes;
  #at = 0;

  constructor(text: string, structs: StructTypes) {
    this.#text = text;
    this.#structs = structs;
    this.#skip();
  }

  get at(): number {
    return this.#at;
  }

  fault(what: string, at = this.#at): SignatureFault {
    return new SignatureFault(what, at + 1);
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.fault('nothing more is expected here');
  }

  takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    this.#skip();
    return true;
  }

  name(what: string): string {
    return this.#match(/[A-Za-z_]\w*/y) ?? this.#fail(`${what} is missing here`);
  }

  typeName(): string {
    const start = this.#at;
    if (this.#match(/[A-Za-z_]\w*/y) !== 'type')
      throw this.fault('a declaration of a type begins with the word type', start);
    return this.name('the name of the type');
  }

  type(allowsVoid: boolean): { readonly type: Type; readonly nullable: boolean } {
    const start = this.#at;
    const name = this.name('a type');
    const found = typeKeywords.get(name) ?? this.#structs.get(name);
    if (found === undefined) {
      const near = nearestName(name, [...typeKeywords.keys(), ...this.#structs.keys()]);
      throw this.fault(`there is no type ${name}${near === null ? '' : `: did you mean ${near}?`}`, start);
    }
    let type: Type = found;
    while (this.takes('[')) {
      if (!this.takes(']')) throw this.fault('a closing bracket is missing here');
      type = arrayOf(type);
    }
    if (type.kind === 'void' ? !allowsVoid : found.kind === 'void')
      throw this.fault('void stands in front of a function alone: there is no value of it', start);
    const mark = this.#at;
    const nullable = this.takes('?');
    if (nullable && !isNullable(type))
      throw this.fault(`a value of type ${formatType(type)} is never null: leave the ? away`, mark);
    return { type, nullable };
  }

  parameter(): LibraryParameter {
    const { type, nullable } = this.type(false);
    const name = this.name('the name of the parameter');
    return { name, type, nullable, isType: false, initialiser: this.takes('=') ? this.#literal(type, nullable) : null };
  }

  /** A default value, which must be of the type. */
  #literal(type: Type, nullable: boolean): string {
    const start = this.#at;
    const text = this.#match(/"(?:[^"\\\n]|\\.)*"|-?\d[\w.+-]*|\w+/y) ?? this.#fail('the default is missing here');
    if (!isLiteral(text, type, nullable))
      throw this.fault(`the default ${text} is no literal of type ${formatType(type)}`, start);
    return text;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) {
      this.#at += found.length;
      this.#skip();
    }
    return found;
  }

  #fail(what: string): never {
    throw this.fault(what);
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }
}

function isLiteral(text: string, type: Type, nullable: boolean): boolean {
  if (text === 'null') return nullable;
  switch (type.kind) {
    case 'int':
      return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
    case 'double':
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'string':
      return isJsonText(text);
    case 'json':
    case 'void':
    case 'null':
    case 'invalid':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
    case 'vector':
    case 'struct':
    case 'array':
    case 'variable':
      return false;
  }
}

function isJsonText(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
}
