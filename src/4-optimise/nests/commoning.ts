// Predictive commoning in a loop nest: an element of scratch memory that one iteration of an innermost loop sets, and the
// next one reads at the place before, is handed on in a local. Of arrays that stay where they are the pass of that name
// takes care.
//
//   loop j                                          if (first < n) $carried = scratch[row + first - 1]
//     scratch[row + j] = scratch[row + j - 1] + x   loop j
//                                                     scratch[row + j] = $carried = $carried + x
// Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990).

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { booleanType } from '../../language/types.ts';
import { getLocal, zeroOf } from '../../mir/builders.ts';
import type { Node } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { add, localForm, plus, substitute, toExpression } from './affine-forms.ts';
import { areApart, groupsIn, isInRange, keepAccess, load } from './element-groups.ts';
import type { Group, PromotionContext } from './element-groups.ts';
import { setIn } from './scalars.ts';
import { keyOfAccess } from './tree.ts';
import type { Access, NestLoop, Part, Straight } from './tree.ts';

/** More in one loop would not stay in registers. */
const mostCarried = 8;

/** What an iteration reads, and where the one before has set it or got it from the one before that. */
interface Carried {
  readonly local: LocalId;
  readonly group: Group;
  readonly source: Group;
}

/** The innermost loop, whose elements each have one load and one store at most, with what is to be in front of it. */
export function commonLoop(
  loop: NestLoop,
  around: readonly NestLoop[],
  context: PromotionContext,
): readonly [...(readonly Straight[]), NestLoop] {
  const isKnown = loop.continues !== true && loop.ranges === undefined && !beginsInside(loop, around);
  const carried = isKnown ? findCarried(loop, around, context) : [];
  if (carried.length === 0) return [loop];
  context.carrying.push(loop);
  const { span } = loop.source;
  const { accesses } = context;
  const replaced = new Map<Node, LocalId>();
  const stored = new Map<Node, LocalId>();
  for (const { group, local } of carried)
    for (const node of group.nodes) if (!accesses.get(node)!.isWrite) replaced.set(node, local);
  const handOn = carried.map(({ local, source }): Statement => {
    const { type } = source.first;
    const write = source.nodes.find((found) => accesses.get(found)!.isWrite);
    const next = write === undefined ? replaced.get(source.nodes[0]!)! : context.newScalar(source.first);
    if (write !== undefined) stored.set(write, next);
    return { kind: 'set-local', local, value: getLocal(next, type, span), span };
  });
  const rewrite = (statements: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(
      statements,
      (node, original) => {
        const local = replaced.get(original);
        return local === undefined ? keepAccess(node, original, accesses) : getLocal(local, node.type, node.span);
      },
      (node, original) => {
        const next = stored.get(original);
        if (next === undefined || node.kind !== 'set-element') return keepAccess(node, original, accesses);
        const { value } = node;
        const set: Statement = { kind: 'set-local', local: next, value, span: node.span };
        const store = { ...node, value: getLocal(next, value.type, node.span) };
        accesses.set(store, accesses.get(original)!);
        return { kind: 'block', statements: [set, store], span: node.span };
      },
    );
  const parts = loop.parts.map((part): Part =>
    part.kind === 'straight' ? { ...part, statements: rewrite(part.statements) } : part,
  );
  const first = carried.map(({ local, group }): Statement => {
    const access = movedTo(group.first, loop, 'first');
    return { kind: 'set-local', local, value: load(access, span, accesses), span };
  });
  // Without an iteration there may be nothing to load, and each local is set on every way.
  const unset = carried.map(({ local, group }): Statement => ({
    kind: 'set-local',
    local,
    value: zeroOf(group.first.type, span),
    span,
  }));
  return [
    { kind: 'straight', statements: [...unset, ifAny(loop, first)] },
    { ...loop, parts: [...parts, { kind: 'straight', statements: handOn }] },
  ];
}

function findCarried(loop: NestLoop, around: readonly NestLoop[], context: PromotionContext): readonly Carried[] {
  const groups = groupsIn(loop.parts, context.accesses);
  const statements = new Set<Node>(loop.parts.flatMap((part) => (part.kind === 'straight' ? part.statements : [])));
  const sources = new Map(groups.map((group) => [keyOfAccess(group.first), group]));
  const found = new Map<Group, Group>();
  // What is handed on may be handed on again.
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const group of groups) {
      const source = sources.get(keyOfAccess(movedTo(group.first, loop, 'next')));
      if (found.size === mostCarried || found.has(group) || source === undefined || source === group) continue;
      const isKnown = source.isWritten ? isSetOnce(source, statements, context) : found.has(source);
      if (isKnown && isCarried(group, source)) found.set(group, source);
    }
  }
  return inOrder([...found].map(([group, source]) => ({ local: context.newScalar(group.first), group, source })));

  function isCarried(group: Group, source: Group): boolean {
    const { first, beginsWithRead } = group;
    if (!beginsWithRead || !isInRange(group) || first.type.kind === 'vector') return false;
    if (!isReadFirst(group, statements, context)) return false;
    const others = groups.filter((other) => other !== group && other !== source && other.isWritten);
    return others.every((other) => moveApart(first, other.first) || areApart(group, other, loop, around, context));
  }
}

/**
 * Whether a statement of the nest says where the loop begins, as of what is left over of a triangle: nothing is loaded in
 * front of it, since addresses are worked out with the variables of loops alone.
 */
export function beginsInside({ first }: NestLoop, around: readonly NestLoop[]): boolean {
  const variables = new Set(around.map(({ variable }) => variable));
  const others = [...first.terms.keys()].filter((local) => !variables.has(local));
  if (others.length === 0) return false;
  const set = setIn(around.slice(0, 1).flatMap(({ parts }) => parts));
  return others.some((local) => set.has(local));
}

/** The access as it is in the first iteration, or in the one behind. */
export function movedTo(access: Access, { variable, goesUp, step, first }: NestLoop, to: 'first' | 'next'): Access {
  const place = to === 'first' ? first : plus(localForm(variable), goesUp ? step : -step);
  return { ...access, subscripts: access.subscripts.map((form) => substitute(form, variable, place)) };
}

/** Whether every iteration sets it, in one place. */
function isSetOnce(group: Group, statements: ReadonlySet<Node>, { accesses }: PromotionContext): boolean {
  const [write, ...others] = group.nodes.filter((node) => accesses.get(node)!.isWrite);
  return write !== undefined && others.length === 0 && statements.has(write);
}

/** Whether an iteration has read it for the last time when it sets it. */
function isReadFirst(group: Group, statements: ReadonlySet<Node>, { accesses }: PromotionContext): boolean {
  const isWrite = group.nodes.map((node) => accesses.get(node)!.isWrite);
  const write = isWrite.indexOf(true);
  return write < 0 || (statements.has(group.nodes[write]!) && isWrite.lastIndexOf(false) < write);
}

/** Whether the two are never of one element in the same iteration, nor in the one behind, since they move side by side. */
function moveApart(one: Access, other: Access): boolean {
  return (
    one.array === other.array &&
    one.type.kind !== 'vector' &&
    other.type.kind !== 'vector' &&
    one.subscripts.every((form, dimension) => add(form, other.subscripts[dimension]!, -1n).terms.size === 0)
  );
}

/** Those first that get what others have, before these get their next value. */
function inOrder(found: readonly Carried[]): readonly Carried[] {
  const behind = new Map(found.map((carried) => [carried.group, carried]));
  const sources = new Set(found.map(({ source }) => source));
  const ordered: Carried[] = [];
  for (const head of found.filter(({ group }) => !sources.has(group)))
    for (let carried: Carried | undefined = head; carried !== undefined; carried = behind.get(carried.source))
      ordered.push(carried);
  return ordered;
}

/** What is done only if the loop makes an iteration. */
export function ifAny({ goesUp, first, end, source: { span } }: NestLoop, then: readonly Statement[]): Statement {
  const condition: Expression = {
    kind: 'operate',
    operator: `${goesUp ? '<' : '>'}(int,int)`,
    operands: [toExpression(first, span), toExpression(end, span)],
    type: booleanType,
    span,
  };
  return { kind: 'if', arms: [{ condition, then }], otherwise: [], span };
}
