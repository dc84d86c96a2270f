// Functions that find a number in a loop, as statements without a return: one in the loop leaves it. Inlined in a loop,
// theirs can run beside that of the next iteration (interleaving.ts).

import { booleanType, isScalar } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { getLocal, not, zeroOf } from '../../mir/builders.ts';
import { flatten, hasLoop } from '../../mir/children.ts';
import { isConstant } from '../../mir/kinds.ts';
import type { LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { reachesEnd } from '../../mir/reachability.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { describe, hasReturn, usualSize, withoutReturns } from './inlinable.ts';
import type { Inlinable } from './inlinable.ts';
import { hasRoom, runsAhead } from './interleaving.ts';
import { everythingChanges } from './mod-ref.ts';

/** How a function with one loop is inlined that `calls` places call; null if it is not. */
export function readLoopFunction(fn: MirFunction, calls: number, registry: LibraryRegistry): Inlinable | null {
  if (fn.generic || !isScalar(fn.returns) || !fn.locals.every(({ type }) => isScalar(type))) return null;
  const body = flatten(fn.body);
  const at = body.findIndex((node) => hasLoop([node]));
  const loop = body[at];
  const before = body.slice(0, at);
  if (loop?.kind !== 'loop' || before.some(hasReturn) || !hasRoom(loop)) return null;
  const result: Local = { name: 'result', type: fn.returns, origin: 'temporary' };
  const returned: Local = { name: 'returned', type: booleanType, origin: 'temporary' };
  const [resultAt, returnedAt] = [fn.locals.length, fn.locals.length + 1];
  const parts = withoutReturnsInLoop(loop, body.slice(at + 1), [resultAt, fn.returns], returnedAt);
  if (parts === null) return null;
  const statements = [...before, ...parts];
  const left = parts.find((node) => node.kind === 'loop')!;
  if (!runsAhead(statements, left, everythingChanges, registry)) return null;
  const value = getLocal(resultAt, fn.returns, fn.span);
  const found = describe(fn, [...fn.locals, result, returned], statements, value);
  const { largest, mostCopied } = usualSize;
  return found.size <= largest && found.size * calls <= mostCopied ? found : null;
}

/** The loop and what follows it, with settings of the result in place of returns; null where not all ways return. */
function withoutReturnsInLoop(
  loop: Loop,
  rest: readonly Statement[],
  [result, type]: readonly [LocalId, Type],
  returned: LocalId,
): readonly Statement[] | null {
  const { span } = loop;
  // The result has a value where it is not the result yet, so that it is seen to be one of this call.
  const none: Statement = { kind: 'set-local', local: result, value: zeroOf(type, span), span };
  if (rest.length === 0) return reachesEnd(loop) ? null : [none, leftInstead(loop, result, [])];
  const behind = withoutReturns(rest, result);
  if (behind?.ends !== 'always' || hasLoop(rest)) return null;
  if (!hasReturn(loop)) return [loop, ...behind.statements];
  const [only] = rest;
  if (only?.kind === 'return' && only.value !== null && isConstant(only.value))
    return [...behind.statements, leftInstead(loop, result, [])];
  const flag = (value: boolean): Statement => ({
    kind: 'set-local',
    local: returned,
    value: { kind: 'boolean', value, type: booleanType, span },
    span,
  });
  const condition = not(getLocal(returned, booleanType, span));
  return [
    none,
    flag(false),
    leftInstead(loop, result, [flag(true)]),
    { kind: 'if', arms: [{ condition, then: behind.statements }], otherwise: [], span },
  ];
}

/** The loop, which is left where it returned, with the value in the result, and with something else noted. */
function leftInstead(loop: Loop, result: LocalId, noted: readonly Statement[]): Loop {
  const body = rewriteExpressions(
    loop.body,
    (node) => node,
    (node) => {
      if (node.kind !== 'return' || node.value === null) return node;
      const { value, span } = node;
      const set: Statement = { kind: 'set-local', local: result, value, span };
      return { kind: 'block', statements: [set, ...noted, { kind: 'break', loop: loop.id, span }], span };
    },
  );
  return { ...loop, body };
}
