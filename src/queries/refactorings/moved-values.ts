// Values that move to another place: there they must be of the type that they had, although the new place may ask for
// another one, or for none.

import type { Expression } from '../../1-parse/syntax-tree.ts';
import type { Notes } from '../../2-check/notes.ts';
import { sameType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { ofCast, precedenceOf, tightest } from './precedence.ts';

/** An expression as text. */
export interface Written {
  readonly text: string;
  readonly precedence: number;
}

export function writtenAsItIs(node: Expression): Written {
  const { file, start, end } = node.span;
  return { text: file.text.slice(start, end), precedence: precedenceOf(node) };
}

/** Whether a value takes its type from where it stands. */
export function dependsOnPlace(notes: Notes, node: Expression): boolean {
  if (node.kind !== 'conditional')
    return node.kind === 'array-literal' || node.kind === 'object-literal' || node.kind === 'null-literal';
  const [one, other] = [notes.typeOf(node.then), notes.typeOf(node.otherwise)];
  const isSame = one !== undefined && other !== undefined && sameType(one, other);
  return !isSame || dependsOnPlace(notes, node.then) || dependsOnPlace(notes, node.otherwise);
}

/** Whether a place asks for exactly a type. */
export function asksFor(notes: Notes, place: Expression, type: Type): boolean {
  const expected = notes.expectedAt(place);
  return expected !== undefined && sameType(expected, type);
}

/**
 * A value converted to the type that it had by its old place: what happened there by itself is said. Null where it
 * cannot be said at the new place.
 */
export function convertedTo(
  notes: Notes,
  node: Expression,
  written: Written,
  wanted: Type,
  place: Expression,
): Written | null {
  const type = notes.typeOf(node);
  if (type === undefined) return null;
  if (dependsOnPlace(notes, node)) return asksFor(notes, place, wanted) ? written : null;
  if (sameType(type, wanted)) return written;
  const { text, precedence } = written;
  if (type.kind === 'int' && wanted.kind === 'double') {
    if (/^\d[\d_]*$/.test(text)) return { text: `${text}.0`, precedence };
    return { text: `${precedence < tightest ? `(${text})` : text}.toDouble()`, precedence: tightest };
  }
  if (type.kind === 'struct' && wanted.kind === 'json')
    return { text: `${precedence < ofCast ? `(${text})` : text} as json`, precedence: ofCast };
  return null;
}

/** Whether it makes no difference how often a value is evaluated that has no effects: it is no new object each time. */
export function canBeRepeated(notes: Notes, node: Expression): boolean {
  const kind = notes.typeOf(node)?.kind;
  return (
    node.kind === 'name' ||
    node.kind === 'null-literal' ||
    kind === 'int' ||
    kind === 'double' ||
    kind === 'boolean' ||
    kind === 'string'
  );
}
