// Induction variables of a counted loop, beside the counted one: each iteration changes them by the same amount, as in
// `for (i …) out[at++] = in[i]`. At the beginning of an iteration such a variable is `factor * i + origin`, where the
// origin does not change. It is computed in front of the loop and gives the range of the variable. Wrapping arithmetic
// keeps this true.
//
// Source: derived induction variables; Aho, Lam, Sethi, Ullman, "Compilers", section 9.8.

import type {
  CountedLoop,
  Expression,
  GetElement,
  GetHoisted,
  LocalId,
  Loop,
  SetHoisted,
  Statement,
} from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { countSureParts, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import { PathWalk } from './local-paths.ts';
import type { Changes } from './mod-ref.ts';

export interface Induction {
  readonly local: LocalId;
  /** How much it moves when the counted variable moves by one. */
  readonly factor: bigint;
  /** What moves it, and by how much. */
  readonly steps: ReadonlyMap<Statement, bigint>;
}

type SetLocal = Statement & { readonly kind: 'set-local' };

/** Larger steps soon leave every array. */
const largestStep = 1n << 20n;

export type Access = GetHoisted | SetHoisted | RowElement;

/** An element of a row of a matrix whose rows are in a local, as in `b[k][j]` where the loop counts k. */
export type RowElement = GetElement & { readonly array: GetHoisted };

export function isRowElement(node: Node): node is RowElement {
  return node.kind === 'get-element' && node.array.kind === 'get-hoisted';
}

/** An induction variable, and the local with its origin. */
export interface OriginOf extends Induction {
  readonly origin: LocalId;
}

/** What the indices of the checked accesses of an innermost loop are, by names that the loop does not set. */
export function findIndices(
  loop: Loop,
  { variable }: CountedLoop,
  inductions: readonly OriginOf[],
  changes: Changes,
  sets: ReadonlyMap<LocalId, number>,
): ReadonlyMap<Access, Expression> {
  const indices = new Map<Access, Expression>();
  const enter = (node: Node, walk: PathWalk): void => {
    if (isRowElement(node)) {
      walk.inside(node);
      if (node.checked) indices.set(node, walk.paths.resolve(node.index, changes));
      return;
    }
    if (node.kind !== 'get-hoisted' && node.kind !== 'set-hoisted') return walk.inside(node);
    walk.nodes([node.index]);
    if (node.checked) indices.set(node, walk.paths.resolve(node.index, changes));
    if (node.kind === 'set-hoisted') walk.nodes([node.value]);
  };
  // Behind what moves an induction variable.
  const leave = (node: Statement, { paths }: PathWalk): void => {
    for (const { local, steps } of inductions.filter((induction) => induction.steps.has(node)))
      paths.move(local, (before) => arithmetic('+', before!, int(steps.get(node)!, node.span)));
  };
  const walk = new PathWalk(sets, { enter, leave });
  for (const { local, factor, origin } of inductions) {
    const moved = arithmetic('*', getLocal(variable, intType, loop.span), int(factor, loop.span));
    walk.paths.move(local, () => arithmetic('+', moved, getLocal(origin, intType, loop.span)));
  }
  walk.inside(loop);
  return indices;
}

/**
 * The variables of a loop, without another in it, that go along with the counted one and that indices are worked out
 * from.
 */
export function findInductions(loop: Loop, { variable, step, limitStep }: CountedLoop): readonly Induction[] {
  if (step.kind !== 'int' || limitStep !== 0n) return [];
  const sets = new Map<LocalId, number>();
  const inIndices = new Set<LocalId>();
  let isSimple = true;
  visitAll([loop], (node) => {
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + 1);
    const isArray = (node.kind === 'get-hoisted' || node.kind === 'set-hoisted') && node.hoisted.window === null;
    if (isArray || isRowElement(node))
      visitAll([node.index], (part) => void (part.kind === 'get-local' && inIndices.add(part.local)));
    isSimple &&=
      node.kind !== 'try' &&
      (node.kind !== 'loop' || node === loop) &&
      (node.kind !== 'continue' || node.loop !== loop.id);
  });
  if (!isSimple) return [];
  return [...findMoves(loop)].flatMap(([local, steps]): readonly Induction[] => {
    const perIteration = [...steps.values()].reduce((sum, by) => sum + by, 0n);
    const goesAlong =
      perIteration !== 0n &&
      local !== variable &&
      inIndices.has(local) &&
      sets.get(local) === steps.size &&
      perIteration % step.value === 0n;
    return goesAlong ? [{ local, factor: perIteration / step.value, steps }] : [];
  });
}

/** What moves locals in every iteration, by constants. */
export function findMoves(loop: Loop): ReadonlyMap<LocalId, ReadonlyMap<Statement, bigint>> {
  const moves = new Map<LocalId, Map<Statement, bigint>>();
  for (const { set, before } of alwaysDone(loop)) {
    const by = stepOf(set, before);
    if (by !== null && by <= largestStep && by >= -largestStep)
      moves.set(set.local, (moves.get(set.local) ?? new Map<Statement, bigint>()).set(set, by));
  }
  return moves;
}

/** What every iteration sets if it comes to its end, each with the statement before it. */
function alwaysDone(loop: Loop): readonly { readonly set: SetLocal; readonly before: Statement | undefined }[] {
  const found: { readonly set: SetLocal; readonly before: Statement | undefined }[] = [];
  const walkAll = (nodes: readonly Statement[]): void => nodes.forEach((node, index) => walk(node, nodes[index - 1]));
  const walk = (node: Node, before?: Statement): void => {
    if (node.kind === 'set-local') found.push({ set: node, before });
    if (node.kind === 'block') walkAll(node.statements);
    else if (node.kind === 'sequence') {
      walkAll(node.statements);
      walk(node.value);
    } else for (const part of partsOf(node).slice(0, countSureParts(node))) walk(part);
  };
  walkAll(loop.body);
  walkAll(loop.step);
  return found;
}

/** By how much `x = x + 1` moves x, or `x = old + 1` right behind `old = x`; null for other settings. */
function stepOf({ local, value }: SetLocal, before: Statement | undefined): bigint | null {
  if (value.kind !== 'operate' || (value.operator !== '+(int,int)' && value.operator !== '-(int,int)')) return null;
  const [left, right] = value.operands as readonly [Expression, Expression];
  if (left.kind !== 'get-local' || right.kind !== 'int') return null;
  const isItself = left.local === local;
  const isOld =
    before?.kind === 'set-local' &&
    before.local === left.local &&
    before.value.kind === 'get-local' &&
    before.value.local === local;
  return isItself || isOld ? (value.operator === '+(int,int)' ? right.value : -right.value) : null;
}
