// Unboxing of characters: texts of one character that are compared and appended are ints, their code points. So who goes
// through a text character by character makes no texts and calls no comparison of texts.
//
//   c = text.charAt(i)                     c = text.codeAt(i)
//   if (c == "(")                          if (c == 40)
//     depth = (depth + 1)                    depth = (depth + 1)
//   word = concat(word, c)                 word = concat(word, character(c))
//
// The empty text, which stands for a character that is not there, has the code point -1. Applies to comparisons and
// concatenations of `charAt`, and to variables that hold nothing but characters and are compared or appended at least as
// often as they are read in another way, where the text is made of the code point.
//
// Source: unboxing, Leroy, "Unboxed objects and polymorphic typing" (1992); scalar replacement of what an object holds.

import { booleanType, intType } from '../../language/types.ts';
import { getLocal, int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, LibraryCall, LocalId } from '../../mir/mir.ts';
import { isNeverNull } from '../../mir/never-null.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const characterUnboxing: Pass = {
  name: 'character-unboxing',
  summary: 'texts of one character that are compared and appended are code points',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) => mapFunctions(program, context, (fn) => (readsCharacters(fn) ? unboxed(fn) : fn)),
};

function readsCharacters({ body }: MirFunction): boolean {
  let reads = false;
  visitAll(body, (node) => void (reads ||= isCharAt(node)));
  return reads;
}

function isCharAt(node: Node): node is LibraryCall {
  return node.kind === 'library-call' && node.function === 'string.charAt';
}

function unboxed(fn: MirFunction): MirFunction {
  const locals = findCharacters(fn);
  const codeOf = (node: Expression): Expression | null => codePointOf(node, locals);
  const body = rewriteExpressions(
    fn.body,
    (node) => {
      if (node.kind === 'get-local' && locals.has(node.local)) return asText(getLocal(node.local, intType, node.span));
      if ((node.kind === 'check-null' || node.kind === 'to-text') && node.operand.kind === 'character')
        return node.operand;
      if (node.kind === 'operate') return comparison(node, codeOf) ?? node;
      return node.kind === 'concat' ? { ...node, parts: node.parts.map((part) => appended(part, codeOf)) } : node;
    },
    (node) => (node.kind === 'set-local' && locals.has(node.local) ? { ...node, value: codeOf(node.value)! } : node),
  );
  return { ...fn, locals: fn.locals.map((local, id) => (locals.has(id) ? { ...local, type: intType } : local)), body };
}

function asText(code: Expression): Expression {
  return { kind: 'character', operand: code, type: { kind: 'string' }, span: code.span };
}

/** Comparisons of texts: of single characters they are those of their code points, by whose order texts are ordered. */
const comparisons = /^([=!]=|[<>]=?)\(string,string\)$/;

type Operation = Expression & { readonly kind: 'operate' };

/** A comparison of code points; null where it is none of characters. */
function comparison(node: Operation, codeOf: (node: Expression) => Expression | null): Expression | null {
  const symbol = comparisons.exec(node.operator)?.[1];
  if (symbol === undefined) return null;
  const [left, right] = node.operands as readonly [Expression, Expression];
  const [one, other] = [codeOf(left), codeOf(right)];
  if (one !== null && other !== null && !(left.kind === 'string' && right.kind === 'string'))
    return { ...node, operator: `${symbol}(int,int)`, operands: [one, other] };
  // A longer text is no character.
  const isDecided = (one: Expression, other: Expression): boolean =>
    one.kind === 'character' && other.kind === 'string' && (symbol === '==' || symbol === '!=');
  return isDecided(left, right) || isDecided(right, left)
    ? { kind: 'boolean', value: symbol === '!=', type: booleanType, span: node.span }
    : null;
}

/** A part of a concatenation, which is appended by its code point. */
function appended(part: Expression, codeOf: (node: Expression) => Expression | null): Expression {
  const inner = textOf(part);
  const code = isCharAt(inner) || inner.kind === 'character' ? codeOf(inner) : null;
  return code === null ? part : asText(code);
}

/** The text that a part is, whether it is tested for null or stands in a template. */
function textOf(part: Expression): Expression {
  const isText = part.kind === 'check-null' || (part.kind === 'to-text' && part.operand.type.kind === 'string');
  return isText ? part.operand : part;
}

/** The code point of a text of one character, -1 of the empty text; null for other texts. */
function codePointOf(node: Expression, locals: ReadonlySet<LocalId>): Expression | null {
  if (node.kind === 'string')
    return isCharacter(node.value) ? int(BigInt(node.value.codePointAt(0) ?? -1), node.span) : null;
  if (node.kind === 'character') return node.operand;
  if (node.kind === 'check-null') return codePointOf(node.operand, locals);
  if (node.kind === 'get-local') return locals.has(node.local) ? getLocal(node.local, intType, node.span) : null;
  if (node.kind !== 'conditional') return isCharAt(node) ? codeAt(node) : null;
  const [then, otherwise] = [codePointOf(node.then, locals), codePointOf(node.otherwise, locals)];
  return then === null || otherwise === null ? null : { ...node, then, otherwise, type: intType };
}

/** At most one character. */
function isCharacter(text: string): boolean {
  return text.length <= 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff);
}

/** The call that gives the code point; a text that may be null is still missed by `charAt`. */
function codeAt(node: LibraryCall): Expression {
  const [text, index] = node.arguments as readonly [Expression, Expression];
  const { type, span } = text;
  const receiver: Expression = isNeverNull(text)
    ? text
    : { kind: 'check-null', operand: text, use: 'charAt()', type, span };
  return { ...node, function: 'string.codeAt', arguments: [receiver, index], type: intType };
}

/** The variables of a function that hold nothing but characters. */
function findCharacters(fn: MirFunction): ReadonlySet<LocalId> {
  const parameters = new Set(fn.parameters.map(({ local }) => local));
  const found = new Set<LocalId>();
  for (const [local, { type }] of fn.locals.entries())
    if (type.kind === 'string' && !parameters.has(local)) found.add(local);
  const uses = usesOf(fn);
  const holdsOther = (local: LocalId): boolean => {
    const { values, reads, asCharacters, isMessage } = uses.get(local) ?? noUses();
    const isOne = !isMessage && values.some(givesCharAt) && asCharacters > 0 && asCharacters * 2 >= reads;
    return !isOne || values.some((value) => codePointOf(value, found) === null);
  };
  // Who is set to another that is none is none.
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const local of found) if (holdsOther(local)) found.delete(local);
  }
  return found;
}

function givesCharAt(value: Expression): boolean {
  return isCharAt(value) || (value.kind === 'conditional' && [value.then, value.otherwise].some(givesCharAt));
}

interface Uses {
  readonly values: Expression[];
  reads: number;
  /** Of them, comparisons and concatenations. */
  asCharacters: number;
  isMessage: boolean;
}

const noUses = (): Uses => ({ values: [], reads: 0, asCharacters: 0, isMessage: false });

function usesOf(fn: MirFunction): ReadonlyMap<LocalId, Uses> {
  const uses = new Map<LocalId, Uses>();
  const of = (local: LocalId): Uses => {
    const known = uses.get(local) ?? noUses();
    uses.set(local, known);
    return known;
  };
  visitAll(fn.body, (node) => {
    if (node.kind === 'set-local') of(node.local).values.push(node.value);
    if (node.kind === 'get-local') of(node.local).reads += 1;
    // What an error says.
    if (node.kind === 'try') for (const { local } of node.clauses) of(local).isMessage = true;
    const parts =
      node.kind === 'concat'
        ? node.parts
        : node.kind === 'operate' && comparisons.test(node.operator)
          ? node.operands
          : [];
    for (const part of parts) {
      const inner = textOf(part);
      if (inner.kind === 'get-local') of(inner.local).asCharacters += 1;
    }
  });
  return uses;
}
