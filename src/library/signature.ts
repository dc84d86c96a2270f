// Reads a signature written in the script language: `string padStart(int n, string fill = " ")`.
// A name without parentheses is a constant: `double PI`. `type T` takes the name of a type.

import { arrayOf, hiddenTypes, typeKeywords, typeVariable } from '../language/types.ts';
import type { Type } from '../language/types.ts';

export interface LibraryParameter {
  readonly name: string;
  readonly type: Type;
  /** Text of the default literal (`true`, `0`, `" "`); null if the argument is required. */
  readonly initialiser: string | null;
  /** Null is allowed; other texts and arrays are tested before the call. */
  readonly nullable: boolean;
  /** The argument is the name of a type, which replaces the type variable; nothing is passed. */
  readonly isType: boolean;
}

export interface Signature {
  readonly name: string;
  readonly returns: Type;
  readonly parameters: readonly LibraryParameter[];
}

const shape = /^(?<returns>[A-Za-z]+(?:\[\])*)\?? (?<name>[A-Za-z_]\w*)(?:\((?<parameters>.*)\))?$/;
const parameterShape = /^(?<type>[A-Za-z]+(?:\[\])*)(?<nullable>\??) (?<name>[A-Za-z_]\w*)(?: = (?<initialiser>.+))?$/;

/** Throws an Error that names the text, since an invalid signature is a mistake of the library's author. */
export function parseSignature(text: string): Signature {
  const match = shape.exec(text)?.groups;
  if (match === undefined) throw new Error(`not a signature: ${text}`);
  const parameters =
    match['parameters'] === undefined || match['parameters'] === '' ? [] : match['parameters'].split(', ');
  return {
    name: match['name']!,
    returns: parseType(match['returns']!, text),
    parameters: parameters.map((parameter) => parseParameter(parameter, text)),
  };
}

function parseParameter(parameter: string, text: string): LibraryParameter {
  const match = parameterShape.exec(parameter)?.groups;
  if (match === undefined) throw new Error(`not a parameter: ${parameter} in ${text}`);
  const isType = match['type'] === 'type';
  return {
    name: match['name']!,
    type: isType ? typeVariable : parseType(match['type']!, text),
    initialiser: match['initialiser'] ?? null,
    nullable: match['nullable'] === '?',
    isType,
  };
}

function parseType(name: string, text: string): Type {
  if (name.endsWith('[]')) return arrayOf(parseType(name.slice(0, -2), text));
  const type = typeKeywords.get(name) ?? hiddenTypes.get(name);
  if (type === undefined) throw new Error(`no type ${name} in ${text}`);
  return type;
}
