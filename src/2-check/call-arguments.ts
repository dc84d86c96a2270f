// What all calls do with their arguments: those of a wrong call, what is noted, how many there are, and the type that a
// generic function takes from them.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { Type } from '../language/types.ts';
import type { FunctionChecker } from './checker.ts';
import { checkValue } from './conversions.ts';
import type { CallMeaning } from './notes.ts';
import type { Expression } from './typed-tree.ts';

export type CallNode = Syntax & { readonly kind: 'call' };

/** Checks the arguments of a call that is wrong anyway, so that mistakes inside them are reported too. */
export function checkLoosely(fc: FunctionChecker, node: CallNode): void {
  for (const argument of node.arguments)
    if (argument.kind !== 'object-literal' && argument.kind !== 'array-literal') checkValue(fc, argument);
}

/** Notes what a call calls; its name is the last one before the parenthesis. */
export function noteCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: CallMeaning['callee'],
  receiver: Expression | null,
): void {
  if (fc.checker.notes === null) return;
  const name = node.callee.kind === 'member' ? node.callee.member : node.callee;
  fc.checker.notes.call(node, name, { callee, hasReceiver: receiver !== null });
}

/** How many arguments a call takes, in words. */
export function countText(least: number, most: number): string {
  const count = least === most ? String(least) : `${least} to ${most}`;
  return `${count} argument${least === most && least === 1 ? '' : 's'}`;
}

/** What the type variable stands for: the first argument with a known type says it. */
export function inferType(parameters: readonly Type[], values: readonly Expression[]): Type | null {
  for (const [index, value] of values.entries()) {
    const found = unify(parameters[index]!, value.type);
    if (found !== undefined) return found;
  }
  return null;
}

export function unify(parameter: Type, argument: Type): Type | undefined {
  if (parameter.kind === 'variable') return argument;
  return parameter.kind === 'array' && argument.kind === 'array'
    ? unify(parameter.element, argument.element)
    : undefined;
}
