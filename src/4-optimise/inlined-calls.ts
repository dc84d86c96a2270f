// The body of a function in the place of a call of it.

import { isConstant } from '../mir/kinds.ts';
import { asTemporary, localsSet } from '../mir/locals.ts';
import type { Call, Expression, LocalId, LoopId, Statement } from '../mir/mir.ts';
import type { Local } from '../mir/program.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import { int } from '../mir/builders.ts';
import { visitAll } from '../mir/children.ts';
import { copyStatements, placeInCaller } from '../mir/clone.ts';
import { arePure } from '../mir/effects.ts';
import { rewriteExpressions } from '../mir/rewrite.ts';
import type { Inlinable } from './analysis/inlinable.ts';

export interface InliningContext {
  readonly registry: LibraryRegistry;
  /** If fuel is counted, an inlined call still uses a unit. */
  readonly counts: boolean;
  /** Of the caller. */
  readonly addLocal: (local: Local) => LocalId;
  /** The loop of the caller that one of the function becomes. */
  readonly loop?: (loop: LoopId) => LoopId;
}

/** What a call becomes. */
export interface Inlined {
  readonly statements: readonly Statement[];
  readonly value: Expression | null;
}

/**
 * `parameter = argument …; charge 1; statements`. The charge comes after the arguments: if an argument fails, there is no
 * call. An argument whose value does not depend on where it is evaluated replaces the parameter.
 */
export function inlineCall(
  { fn, locals: callees, statements, value, reads, sets }: Inlinable,
  call: Call,
  { registry, counts, addLocal, loop }: InliningContext,
): Inlined {
  const { span } = call;
  // If all are pure, an argument may be evaluated at the use of its parameter, or not at all.
  const mayMove = statements.length === 0 && arePure([...(value === null ? [] : [value]), ...call.arguments], registry);
  const replaces = (argument: Expression, parameter: LocalId, index: number): boolean => {
    if (isConstant(argument)) return !sets.has(parameter);
    if (mayMove) return argument.kind === 'get-local' || (reads.get(parameter) ?? 0) <= 1;
    return (
      argument.kind === 'get-local' && !sets.has(parameter) && !areSet(argument.local, call.arguments.slice(index + 1))
    );
  };
  const given = fn.parameters.map(({ local }, index): [LocalId, Expression] => [local, call.arguments[index]!]);
  const replaced = new Map(given.filter(([local, argument], index) => replaces(argument, local, index)));
  const own = new Map<LocalId, LocalId>();
  /** Locals of the callee become new locals; replaced parameters get a negative number until they are substituted. */
  const rename = (local: LocalId): LocalId => {
    if (replaced.has(local)) return -1 - local;
    if (!own.has(local)) own.set(local, addLocal(asTemporary(callees[local]!)));
    return own.get(local)!;
  };
  const settings = given
    .filter(([local]) => !replaced.has(local))
    .map(([local, argument]): Statement => ({
      kind: 'set-local',
      local: rename(local),
      value: argument,
      span: argument.span,
    }));
  const end: readonly Statement[] = value === null ? [] : [{ kind: 'evaluate', expression: value, span: value.span }];
  const copy = copyStatements([...statements, ...end], rename, placeInCaller(fn.name, span), loop);
  const written = rewriteExpressions(copy, (node) =>
    node.kind === 'get-local' && node.local < 0 ? replaced.get(-1 - node.local)! : node,
  );
  const charge: readonly Statement[] = counts ? [{ kind: 'charge', units: int(1n, span), span }] : [];
  const last = value === null ? undefined : written.at(-1);
  return {
    statements: [...settings, ...charge, ...written.slice(0, statements.length)],
    value: last === undefined ? null : (last as Statement & { readonly kind: 'evaluate' }).expression,
  };
}

function areSet(local: LocalId, nodes: readonly Expression[]): boolean {
  let found = false;
  visitAll(nodes, (node) => (found ||= localsSet(node).includes(local)));
  return found;
}
