// Scalar promotion in a loop nest: an element that an innermost loop leaves in place is in a local while the loop runs;
// so is one that straight code has to do with several times. It is loaded before and stored behind that. Nothing in a
// nest can fail, so nobody sees the difference.
//
// Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (1990).

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { getLocal, int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { coefficientOf } from './affine-forms.ts';
import { isSatisfiable } from './difference-constraints.ts';
import { domainOf, equateAccesses } from './dependences.ts';
import type { Distinct, Instance } from './dependences.ts';
import { joinStraight } from './jam.ts';
import { keyOfAccess } from './tree.ts';
import type { Access, Accesses, NestLoop, Part, Straight } from './tree.ts';

export interface PromotionContext {
  readonly accesses: Accesses;
  readonly distinct: Distinct;
  readonly newScalar: (access: Access) => LocalId;
}

/** More in one loop would not stay in registers. */
const mostScalars = 16;

/** The accesses to one element. */
interface Group {
  readonly first: Access;
  readonly nodes: readonly Node[];
  readonly isWritten: boolean;
  /** Whether the first of them reads. */
  readonly beginsWithRead: boolean;
  /** Whether all of them are reached whenever the first is. */
  readonly isSure: boolean;
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
    part.kind === 'straight' ? promoteStraight(part, around, context) : part,
  );
}

function promoteLoop(loop: NestLoop, around: readonly NestLoop[], context: PromotionContext): readonly Part[] {
  const groups = groupsIn(loop.parts, context.accesses);
  const stays = ({ first }: Group): boolean =>
    first.subscripts.every((form) => coefficientOf(form, loop.variable) === 0n);
  const chosen = groups.filter(
    (group) => stays(group) && groups.every((other) => areApart(group, other, loop, around, context)),
  );
  const written = chosen.toSorted((one, other) => Number(other.isWritten) - Number(one.isWritten));
  const inside = (parts: readonly Part[]): readonly Part[] =>
    parts.map((part) => (part.kind === 'straight' ? promoteStraight(part, [...around, loop], context) : part));
  const { before, rewrite, behind } = putInLocals(written.slice(0, mostScalars), context);
  const rewritten = { ...loop, parts: inside(rewrite(loop.parts)) };
  return [
    ...(before.length === 0 ? [] : [{ kind: 'straight', statements: before } as const]),
    rewritten,
    ...(behind.length === 0 ? [] : [{ kind: 'straight', statements: behind } as const]),
  ];
}

function promoteStraight(part: Straight, around: readonly NestLoop[], context: PromotionContext): Straight {
  const groups = groupsIn([part], context.accesses);
  const chosen = groups.filter(
    (group) =>
      group.nodes.length > 1 &&
      (group.isSure || !group.isWritten) &&
      groups.every((other) => areApart(group, other, null, around, context)),
  );
  if (chosen.length === 0) return part;
  const { before, rewrite, behind } = putInLocals(chosen, context, true);
  const [rewritten] = rewrite([part]) as readonly [Straight];
  return { kind: 'straight', statements: [...before, ...rewritten.statements, ...behind] };
}

/** Whether no access of one group is to the element of the other, in whichever iterations of the loop. */
function areApart(
  group: Group,
  other: Group,
  loop: NestLoop | null,
  around: readonly NestLoop[],
  { distinct }: PromotionContext,
): boolean {
  if (group === other || !(group.isWritten || other.isWritten)) return true;
  const instance = ({ first, isWritten }: Group): Instance => ({
    access: first,
    isWrite: isWritten,
    loops: [],
    path: [],
  });
  const one = (local: LocalId): string => String(local);
  const two = (local: LocalId): string => (local === loop?.variable ? `${local} other` : String(local));
  const same = equateAccesses(instance(group), instance(other), one, two, distinct);
  if (same === null) return true;
  const inLoop = loop === null ? [] : [...domainOf(loop, one), ...domainOf(loop, two)];
  return !isSatisfiable([...same, ...inLoop, ...around.flatMap((outer) => domainOf(outer, one))]);
}

/** The accesses of straight parts by their elements, in the order of the first of each. */
function groupsIn(parts: readonly Part[], accesses: Accesses): readonly Group[] {
  const groups = new Map<
    string,
    { first: Access; nodes: Node[]; isWritten: boolean; beginsWithRead: boolean; isSure: boolean }
  >();
  const note = (node: Node, isSure: boolean): void => {
    const access = accesses.get(node);
    if (access === undefined) return;
    const key = keyOfAccess(access);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, {
        first: access,
        nodes: [node],
        isWritten: access.isWrite,
        beginsWithRead: !access.isWrite,
        isSure,
      });
    else {
      group.nodes.push(node);
      group.isWritten ||= access.isWrite;
      group.isSure &&= isSure;
    }
  };
  for (const part of parts)
    for (const node of part.kind === 'straight' ? part.statements : []) {
      const isSure = node.kind !== 'if';
      // What a statement reads comes before what it sets.
      const inside: Node[] = [];
      visitAll([node], (found) => void inside.push(found));
      for (const found of inside) if ('type' in found) note(found, isSure && !isConditional(node));
      for (const found of inside) if (!('type' in found)) note(found, isSure);
    }
  return [...groups.values()];
}

/** Whether a part of its value is perhaps not worked out. */
function isConditional(node: Statement): boolean {
  let is = false;
  visitAll([node], ({ kind }) => void (is ||= kind === 'conditional' || kind === 'logical'));
  return is;
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

function keepAccess<Kind extends Node>(node: Kind, original: Kind, accesses: Accesses): Kind {
  const access = accesses.get(original);
  if (access !== undefined) accesses.set(node, access);
  return node;
}

function load(access: Access, span: Statement['span'], accesses: Accesses): Expression {
  const { type, array } = access;
  const node: Expression = { kind: 'get-element', array: array.base, index: int(0n, span), checked: false, type, span };
  accesses.set(node, { ...access, isWrite: false });
  return node;
}

function store(access: Access, value: Expression, accesses: Accesses): Statement {
  const { span } = value;
  const node: Statement = { kind: 'set-element', array: access.array.base, index: int(0n, span), value, span };
  accesses.set(node, { ...access, isWrite: true });
  return node;
}
