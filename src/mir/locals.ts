// Locals: which of them a node itself reads and sets, and which function it calls, without its children (one answer for
// every kind of node); their names for people; and their copies in callers.

import { operandsOf } from './children.ts';
import { namesLocals, runsFunction } from './kinds.ts';
import type { Node } from './kinds.ts';
import { localsOfHoisted } from './mir.ts';
import type { Expression, FunctionId, LocalId } from './mir.ts';
import type { Local } from './program.ts';

/** Most nodes name no locals: all share this list. */
const nothing: readonly [] = [];

/** The locals that it reads. The limit of a counted loop is an expression, whose locals are not included. */
export function localsRead(node: Node): readonly LocalId[] {
  if (!namesLocals(node)) return nothing;
  switch (node.kind) {
    case 'get-local':
      return [node.local];
    case 'built-text':
    case 'built-length':
    case 'append-text':
      return [node.local, node.builder];
    case 'get-hoisted':
    case 'set-hoisted':
      if (node.checked) return localsOfHoisted(node.hoisted);
      return node.asserted === true ? [node.hoisted.elements, node.hoisted.length] : [node.hoisted.elements];
    case 'set-range':
      return node.asserted === true ? [node.hoisted.elements, node.hoisted.length] : [node.hoisted.elements];
    case 'loop':
      return node.outlined?.inputs ?? [];
    case 'call-outlined':
      return node.outlined.inputs;
    case 'return-live-outs':
      return node.locals;
    case 'osr-exit':
      return node.entry.live;
    case 'set-local':
    case 'hoist-array':
    case 'try':
      return nothing;
  }
}

/** Whether a value is what a local holds. */
export function isGet(value: Expression, local: LocalId): boolean {
  return value.kind === 'get-local' && value.local === local;
}

/** Whether a value reads a local, in any of its parts. */
export function isReadIn(value: Expression, local: LocalId): boolean {
  return localsRead(value).includes(local) || operandsOf(value).some((operand) => isReadIn(operand, local));
}

/**
 * The locals to which it gives another value: neither the window over a text, which a checked access may move, nor a
 * growing text that becomes a string.
 */
export function localsSet(node: Node): readonly LocalId[] {
  if (!namesLocals(node)) return nothing;
  switch (node.kind) {
    case 'set-local':
      return [node.local];
    case 'append-text':
      return [node.local, node.builder];
    case 'hoist-array':
      return localsOfHoisted(node);
    case 'loop':
      return node.outlined?.outputs ?? [];
    case 'call-outlined':
      return node.outlined.outputs;
    case 'try':
      return node.clauses.map(({ local }) => local);
    case 'get-local':
    case 'get-hoisted':
    case 'set-hoisted':
    case 'set-range':
    case 'built-text':
    case 'built-length':
    case 'return-live-outs':
    case 'osr-exit':
      return nothing;
  }
}

/** The function of the program that it runs, null where there is none. */
export function calleeOf(node: Node): FunctionId | null {
  if (!runsFunction(node)) return null;
  switch (node.kind) {
    case 'call':
      return node.function;
    case 'call-outlined':
      return node.outlined.function;
    case 'loop':
      return node.outlined?.function ?? null;
  }
}

/** Its name for people; that of a temporary begins with `$`. */
export function shownName({ name, origin }: Local): string {
  return origin === 'source' ? name : `$${name}`;
}

/** The local that replaces it in a caller, when its function is inlined there. */
export function asTemporary(local: Local): Local {
  return local.origin === 'source' ? { ...local, origin: 'temporary' } : local;
}
