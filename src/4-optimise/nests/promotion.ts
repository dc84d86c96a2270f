// Scalar promotion in a loop nest: an element that an innermost loop leaves in place is in a local while the loop runs;
// so is one that straight code has to do with several times. It is loaded before and stored behind that. Nothing in a
// nest can fail, so nobody sees the difference.
//
// Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (1990).

import type { Statement, LocalId } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import type { Node } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { coefficientOf } from './affine-forms.ts';
import { commonLoop } from './commoning.ts';
import type { Distinct } from './dependences.ts';
import { areApart, groupsIn, isInRange, keepAccess, load, store } from './element-groups.ts';
import type { Group, PromotionContext } from './element-groups.ts';
import { joinStraight } from './jam.ts';
import type { Accesses, NestLoop, Part, Straight } from './tree.ts';
import { commonVectors } from './vector-commoning.ts';

/** More in one loop would not stay in registers. */
const mostScalars = 16;

/** Whether in linear memory iterations would hand elements on to each other. */
export function handsOn(root: NestLoop, known: Accesses): boolean {
  const carrying: NestLoop[] = [];
  const [accesses, distinct]: [Accesses, Distinct] = [new Map(known), new Map()];
  // Nothing of it is kept.
  const newScalar = (): LocalId => 0;
  promoteParts(root.parts, [root], { accesses, distinct, newScalar, carries: true, carrying, log: null });
  return carrying.length > 0;
}

/** The parts of a nest with all such elements in locals. */
export function promoteParts(
  parts: readonly Part[],
  around: readonly NestLoop[],
  context: PromotionContext,
): readonly Part[] {
  const promoted = parts.flatMap((part): readonly Part[] => {
    if (part.kind === 'straight') return [part];
    const isInnermost = part.parts.every(({ kind }) => kind === 'straight');
    if (isInnermost) return promoteLoop(part, around, context);
    return [{ ...part, parts: promoteParts(part.parts, [...around, part], context) }];
  });
  return joinStraight(promoted).map((part) =>
    part.kind === 'straight' && part.control === undefined ? promoteStraight(part, around, context) : part,
  );
}

function promoteLoop(loop: NestLoop, around: readonly NestLoop[], context: PromotionContext): readonly Part[] {
  const groups = groupsIn(loop.parts, context.accesses);
  const stays = ({ first }: Group): boolean =>
    first.subscripts.every((form) => coefficientOf(form, loop.variable) === 0n);
  const chosen = groups.filter(
    (group) =>
      stays(group) && isInRange(group) && groups.every((other) => areApart(group, other, loop, around, context)),
  );
  const written = chosen.toSorted((one, other) => Number(other.isWritten) - Number(one.isWritten));
  const inside = (parts: readonly Part[]): readonly Part[] =>
    parts.map((part) => (part.kind === 'straight' ? promoteStraight(part, [...around, loop], context) : part));
  const kept = written.slice(0, mostScalars);
  for (const { nodes } of kept) context.log?.promotions.push({ loop, nodes });
  const { before, rewrite, behind } = putInLocals(kept, context);
  const rewritten = { ...loop, parts: inside(rewrite(loop.parts)) };
  const common = context.carries ? commonLoop(rewritten, around, context) : [rewritten];
  return [
    ...(before.length === 0 ? [] : [{ kind: 'straight', statements: before } as const]),
    ...common.flatMap((part) => (part.kind === 'loop' ? commonVectors(part, around, context) : [part])),
    ...(behind.length === 0 ? [] : [{ kind: 'straight', statements: behind } as const]),
  ];
}

function promoteStraight(part: Straight, around: readonly NestLoop[], context: PromotionContext): Straight {
  const groups = groupsIn([part], context.accesses);
  const chosen = groups.filter(
    (group) =>
      group.nodes.length > 1 &&
      isInRange(group) &&
      (group.isSure || !group.isWritten) &&
      groups.every((other) => areApart(group, other, null, around, context)),
  );
  if (chosen.length === 0) return part;
  const { before, rewrite, behind } = putInLocals(chosen, context, true);
  const [rewritten] = rewrite([part]) as readonly [Straight];
  return { kind: 'straight', statements: [...before, ...rewritten.statements, ...behind] };
}

interface Rewriting {
  readonly before: readonly Statement[];
  readonly rewrite: (parts: readonly Part[]) => readonly Part[];
  readonly behind: readonly Statement[];
}

/** `loadsLate`: an element that is set before it is read is not loaded. */
function putInLocals(
  groups: readonly Group[],
  { accesses, newScalar }: PromotionContext,
  loadsLate = false,
): Rewriting {
  const places = new Map<Node, LocalId>();
  const before: Statement[] = [];
  const behind: Statement[] = [];
  for (const { first, nodes, isWritten, beginsWithRead } of groups) {
    const local = newScalar(first);
    for (const node of nodes) places.set(node, local);
    const [{ span }] = nodes as readonly [Node, ...(readonly Node[])];
    if (beginsWithRead || !loadsLate)
      before.push({ kind: 'set-local', local, value: load(first, span, accesses), span });
    if (isWritten) behind.push(store(first, getLocal(local, first.type, span), accesses));
  }
  const rewriteStatements = (statements: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(
      statements,
      (node, original) => {
        const local = places.get(original);
        return local === undefined ? keepAccess(node, original, accesses) : getLocal(local, node.type, node.span);
      },
      (node, original) => {
        const local = places.get(original);
        return local === undefined || node.kind !== 'set-element'
          ? keepAccess(node, original, accesses)
          : { kind: 'set-local', local, value: node.value, span: node.span };
      },
    );
  return {
    before,
    rewrite: (parts) =>
      parts.map((part) =>
        part.kind === 'straight' ? { ...part, statements: rewriteStatements(part.statements) } : part,
      ),
    behind,
  };
}
