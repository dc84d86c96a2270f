// How a library is declared: signatures in the script language, one row for each function. The rows are data: the
// checker types calls by them, the emitter and the host read from them where a function runs, and the documentation
// prints them.

import type { Implementation } from '../language/implementation.ts';
import { isNullable } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { resolveEffects } from './effects.ts';
import type { Effects, EffectsRow } from './effects.ts';
import { parseSignature } from './signature.ts';
import type { LibraryParameter } from './signature.ts';

export interface LibraryFunction {
  /** Unique: `Math.sqrt`, or for a method the receiver's type and the name, `T[].push`. */
  readonly id: string;
  /** The name of its library: the namespace, or the receiver's type. */
  readonly library: string;
  readonly name: string;
  /** The text of the declaration, for people. */
  readonly signature: string;
  /** A method's receiver, which is not one of the parameters; null for a function of a namespace. */
  readonly receiver: Type | null;
  readonly parameters: readonly LibraryParameter[];
  readonly returns: Type;
  readonly documentation: string;
  readonly implementation: Implementation;
  readonly effects: Effects;
  readonly example: Example | null;
  /**
   * Only the prelude calls it. Its effects are those that scripts can observe: cached facts about a text, the list of
   * visited values, and limits are left out.
   */
  readonly preludeOnly: boolean;
}

/** The parameter of an argument; null for a method's receiver, which is the first argument and no parameter. */
export function parameterAt({ receiver, parameters }: LibraryFunction, argument: number): LibraryParameter | null {
  if (receiver !== null && argument === 0) return null;
  return parameters.filter(({ isType }) => !isType)[receiver === null ? argument : argument - 1]!;
}

/** Whether null is an error for this argument; the caller tests it before the function runs. */
export function refusesNull(row: LibraryFunction, argument: number): boolean {
  const parameter = parameterAt(row, argument);
  if (parameter === null) return isNullable(row.receiver!);
  const { kind } = parameter.type;
  return !parameter.nullable && (kind === 'string' || kind === 'array' || kind === 'struct');
}

/** A script that shows the function, and the printed value of its last expression. */
export interface Example {
  /** Declarations and statements before the expression; may be empty. */
  readonly statements: string;
  readonly expression: string;
  readonly result: string;
}

/** The functions of one namespace, or the methods of one receiver type. */
export interface Library {
  /** `Math`, or the receiver type: `string`, `T[]`. */
  readonly name: string;
  readonly documentation: string;
  readonly receiver: Type | null;
  readonly functions: readonly LibraryFunction[];
  /** Visible to prelude files only. */
  readonly preludeOnly: boolean;
}

/** A row before it is added to its library. */
export interface FunctionRow {
  readonly signature: string;
  readonly documentation: string;
  readonly implementation: Implementation;
  /** If left out, the worst case for the way in which the function runs. */
  readonly effects?: EffectsRow | undefined;
  readonly example: string | null;
}

/** A row of a library that scripts can call: it has an example. */
export interface ShownRow extends FunctionRow {
  readonly example: string;
}

/**
 * One function or constant: `fn('double sqrt(double x)', 'Square root.', instruction('f64.sqrt'), 'Math.sqrt(4.0) →
 * 2.0')`. The example is an expression and its printed value; statements may stand before the expression.
 */
export function fn(
  signature: string,
  documentation: string,
  implementation: Implementation,
  example: string,
  effects?: EffectsRow,
): ShownRow {
  return { signature, documentation, implementation, effects, example };
}

/** A function that only the prelude can call, so it has no example. */
export function internal(
  signature: string,
  documentation: string,
  implementation: Implementation,
  effects?: EffectsRow,
): FunctionRow {
  return { signature, documentation, implementation, effects, example: null };
}

/** A namespace that scripts call: `Math.sqrt(x)`. Rows without parentheses are constants. */
export function library(name: string, documentation: string, rows: readonly ShownRow[]): Library {
  return declare(name, documentation, null, rows, false);
}

/** The methods of a receiver type, which may contain the type variable `T`. */
export function methods(receiver: Type, name: string, documentation: string, rows: readonly ShownRow[]): Library {
  return declare(name, documentation, receiver, rows, false);
}

/** A namespace that only the prelude may use. */
export function preludeLibrary(name: string, documentation: string, rows: readonly FunctionRow[]): Library {
  return declare(name, documentation, null, rows, true);
}

function declare(
  name: string,
  documentation: string,
  receiver: Type | null,
  rows: readonly FunctionRow[],
  preludeOnly: boolean,
): Library {
  const functions = rows.map((row): LibraryFunction => {
    const signature = parseSignature(row.signature);
    return {
      id: `${name}.${signature.name}`,
      library: name,
      name: signature.name,
      signature: row.signature,
      receiver,
      parameters: signature.parameters,
      returns: signature.returns,
      documentation: row.documentation,
      implementation: row.implementation,
      effects: resolveEffects(
        { receiver, parameters: signature.parameters, returns: signature.returns, implementation: row.implementation },
        row.effects,
      ),
      example: row.example === null ? null : parseExample(row.example),
      preludeOnly,
    };
  });
  return { name, documentation, receiver, functions, preludeOnly };
}

/** `xs.sort(); xs → [1,2]` */
function parseExample(text: string): Example {
  const match = /^(?<statements>.*[;}] )?(?<expression>[^;]+) → (?<result>.*)$/s.exec(text)?.groups;
  if (match === undefined) throw new Error(`not an example: ${text}`);
  return {
    statements: (match['statements'] ?? '').trimEnd(),
    expression: match['expression']!,
    result: match['result']!,
  };
}
