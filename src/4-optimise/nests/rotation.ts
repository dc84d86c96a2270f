// Loops that hand arrays on in a circle: two buffers that change places behind each step, three levels of a wave. With as
// many iterations in one as it takes until each variable has its own array again, none of them is set any more, and the
// loop may be a nest. What is left over is done by the loop as it was: behind whole rounds all is as it would be there.
//
// Source: unrolling against copies between iterations, Allen, Kennedy, "Optimizing Compilers for Modern Architectures",
// section 8.3; modulo variable expansion, Lam, "Software pipelining" (1988).

import { intType } from '../../language/types.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { copyStatements } from '../../mir/clone.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { flipped, readStep } from '../analysis/counted-loops.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import { readIntComparison } from './comparisons.ts';
import { count, flatten } from './reading.ts';

/** More iterations would make more code than they are worth. */
const mostIterations = 3;

export interface Rotation {
  /** Several iterations in one. */
  readonly loop: Loop;
  readonly iterations: number;
  /** The variables that hand arrays on. */
  readonly arrays: readonly LocalId[];
}

interface RotationContext {
  readonly live: () => LoopLiveness;
  readonly copyLocal: (local: LocalId) => LocalId;
  /** An iteration more uses a unit of fuel more. */
  readonly countsFuel: boolean;
}

/** Where the arrays of variables come from, by the variables that held them when the iteration began. */
type Holders = Map<LocalId, LocalId>;

/** The loop with several iterations in one; null where it hands on no arrays, or does so in another way. */
export function unrollRotation(written: Loop, context: RotationContext): Rotation | null {
  const body = flatten(written.body);
  const moved = movedArrays(body);
  const head = headOf(written);
  if (head === null || moved.size === 0) return null;
  const live = context.live();
  const carried = [...moved].filter((local) => live.atIteration.includes(local) || live.behind.includes(local));
  const iterations = orderOf(carried, handOn(body, moved));
  if (iterations === null || iterations > mostIterations) return null;
  const { variable, by } = head;
  const own = [...count(body, localsSet).keys()].filter(
    (local) => !moved.has(local) && !live.atIteration.includes(local) && !live.behind.includes(local),
  );
  const holders: Holders = new Map();
  const copies = Array.from({ length: iterations }, (_, copy) => {
    const names = new Map(copy === 0 ? [] : own.map((local) => [local, context.copyLocal(local)] as const));
    const apart = copy === 0 || !context.countsFuel ? [] : [chargeOf(written)];
    return [...apart, ...withNames(body, moved, holders, names, (node) => moveOn(node, variable, by * BigInt(copy)))];
  });
  const { span } = written;
  const loop: Loop = {
    ...written,
    condition: head.conditionFor(by * BigInt(iterations - 1)),
    body: copies.flat(),
    step: [
      {
        kind: 'set-local',
        local: variable,
        value: arithmetic('+', getLocal(variable, intType, span), int(by * BigInt(iterations), span)),
        span,
      },
    ],
  };
  return { loop, iterations, arrays: carried };
}

/** The locals that are set to arrays of others, right in the body, and in no other way. */
function movedArrays(body: readonly Statement[]): ReadonlySet<LocalId> {
  const moves = new Map<LocalId, number>();
  for (const node of body) {
    const from = movedBy(node);
    if (from !== null) moves.set((node as SetLocal).local, (moves.get((node as SetLocal).local) ?? 0) + 1);
  }
  const sets = count(body, localsSet);
  return new Set([...moves].filter(([local, times]) => sets.get(local) === times).map(([local]) => local));
}

type SetLocal = Statement & { readonly kind: 'set-local' };

/** The local whose array a statement gives to another; null for other statements. */
function movedBy(node: Statement): LocalId | null {
  return node.kind === 'set-local' && node.value.kind === 'get-local' && node.value.type.kind === 'array'
    ? node.value.local
    : null;
}

/** Where the arrays come from behind an iteration. */
function handOn(body: readonly Statement[], moved: ReadonlySet<LocalId>): Holders {
  const holders: Holders = new Map();
  for (const node of body) move(node, moved, holders);
  return holders;
}

/** Whether the statement does nothing but to hand on an array. */
function move(node: Statement, moved: ReadonlySet<LocalId>, holders: Holders): boolean {
  const from = movedBy(node);
  if (from === null || node.kind !== 'set-local' || !moved.has(node.local)) return false;
  holders.set(node.local, holders.get(from) ?? from);
  return true;
}

/** After how many iterations each variable has its own array again; null for never. */
function orderOf(carried: readonly LocalId[], holders: Holders): number | null {
  const from = carried.map((local) => carried.indexOf(holders.get(local) ?? local));
  if (from.length < 2 || new Set(from).size < from.length || from.includes(-1)) return null;
  let now = from;
  for (let order = 1; order <= mostIterations; order++) {
    if (now.every((at, index) => at === index)) return order > 1 ? order : null;
    now = now.map((at) => from[at]!);
  }
  return null;
}

interface Head {
  readonly variable: LocalId;
  readonly by: bigint;
  /** Whether there is an iteration with the variable moved on so far. */
  readonly conditionFor: (ahead: bigint) => Expression;
}

/** How the loop counts, by a constant. */
function headOf({ condition, testFirst, step }: Loop): Head | null {
  const [only, ...others] = flatten(step);
  const [move] = only === undefined || others.length > 0 ? [] : (readStep(only) ?? []);
  const read = condition === null ? null : readIntComparison(condition);
  if (move === undefined || !testFirst || read === null || condition === null) return null;
  const [variable, by] = move;
  if (by.kind !== 'int') return null;
  const isVariable = (node: Expression): boolean => node.kind === 'get-local' && node.local === variable;
  const { comparison, left, right } = isVariable(read.left)
    ? read
    : { comparison: flipped[read.comparison], left: read.right, right: read.left };
  if (!isVariable(left)) return null;
  return {
    variable,
    by: by.value,
    // The nest makes sure that nothing goes around.
    conditionFor: (ahead) => ({
      kind: 'operate',
      operator: `${comparison}(int,int)`,
      operands: [left, arithmetic('-', right, int(ahead, right.span))],
      type: condition.type,
      span: condition.span,
    }),
  };
}

function chargeOf({ span }: Loop): Statement {
  return { kind: 'charge', units: int(1n, span), span };
}

/** The statements of an iteration by the variables that hold its arrays, and other names; `holders` is moved on. */
function withNames(
  body: readonly Statement[],
  moved: ReadonlySet<LocalId>,
  holders: Holders,
  names: ReadonlyMap<LocalId, LocalId>,
  change: (node: Expression) => Expression,
): readonly Statement[] {
  return body.flatMap((node) => {
    if (move(node, moved, holders)) return [];
    const copied = copyStatements([node], (local) => names.get(local) ?? holders.get(local) ?? local);
    return rewriteExpressions(copied, change);
  });
}

/** The variable of the loop as it is so much later. */
function moveOn(node: Expression, variable: LocalId, by: bigint): Expression {
  return node.kind === 'get-local' && node.local === variable ? arithmetic('+', node, int(by, node.span)) : node;
}

/** How often a function reads each local with `made` in the place of `loop`. */
export function readsWith(reads: ReadonlyMap<LocalId, number>, loop: Loop, made: Loop): ReadonlyMap<LocalId, number> {
  const found = new Map(reads);
  const add = (of: Loop, sign: number): void => {
    for (const [local, times] of count([of], localsRead)) found.set(local, (found.get(local) ?? 0) + sign * times);
  };
  add(loop, -1);
  add(made, 1);
  return found;
}
