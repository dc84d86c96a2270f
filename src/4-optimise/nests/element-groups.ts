// Groups of accesses to the same element in a part of a nest, and the same part with locals in their places.

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isSatisfiable } from './difference-constraints.ts';
import { distanceOf, domainOf, equateAccesses, lanesOf } from './dependences.ts';
import type { Distinct } from './dependences.ts';
import type { NestLog } from './log.ts';
import { keyOfAccess } from './tree.ts';
import type { Access, Accesses, NestLoop, Part } from './tree.ts';

export interface PromotionContext {
  readonly accesses: Accesses;
  readonly distinct: Distinct;
  readonly newScalar: (access: Access) => LocalId;
  /** What an iteration sets and the next one reads is handed on in locals: the arrays are in scratch memory. */
  readonly carries: boolean;
  /** Gets the loops in which that is so. */
  readonly carrying: NestLoop[];
  /** For remarks; null where nobody wants to know. */
  readonly log: NestLog | null;
}

/** The accesses to one element. */
export interface Group {
  readonly first: Access;
  readonly nodes: readonly Node[];
  readonly isWritten: boolean;
  /** Whether the first of them reads. */
  readonly beginsWithRead: boolean;
  /** Whether all of them are reached whenever the first is. */
  readonly isSure: boolean;
}

/** Whether the element is there in all iterations, not only behind a guard, and its place is not worked out on the way. */
export function isInRange({ first }: Group): boolean {
  return first.within === undefined && first.ranges === undefined;
}

/** Whether no access of one group is to the element of the other, in whichever iterations of the loop. */
export function areApart(
  group: Group,
  other: Group,
  loop: NestLoop | null,
  around: readonly NestLoop[],
  { distinct }: Pick<PromotionContext, 'distinct'>,
): boolean {
  if (group === other || !(group.isWritten || other.isWritten)) return true;
  const variable = loop === null ? null : loop.variable;
  const one = (local: LocalId): string => String(local);
  const two = (local: LocalId): string => (local === variable ? `${local} other` : String(local));
  const inLoop = loop === null ? [] : [...domainOf(loop, one), ...domainOf(loop, two)];
  return lanesOf(group.first).every((left) =>
    lanesOf(other.first).every((right) => {
      if (neverMeet(left, right, variable)) return true;
      const same = equateAccesses({ access: left }, { access: right }, one, two, distinct);
      return same === null || !isSatisfiable([...same, ...inLoop, ...around.flatMap((outer) => domainOf(outer, one))]);
    }),
  );
}

/** Whether a subscript by itself tells that the two are of different elements, in whichever iterations of the loop. */
function neverMeet(one: Access, other: Access, variable: LocalId | null): boolean {
  return (
    one.array === other.array &&
    one.subscripts.some(
      (subscript, dimension) => distanceOf(subscript, other.subscripts[dimension]!, variable, () => true) === null,
    )
  );
}

/** The accesses of straight parts by their elements, in the order of the first of each. */
export function groupsIn(parts: readonly Part[], accesses: Accesses): readonly Group[] {
  const groups = new Map<
    string,
    { first: Access; nodes: Node[]; isWritten: boolean; beginsWithRead: boolean; isSure: boolean }
  >();
  const note = (node: Node, isSure: boolean): void => {
    const access = accesses.get(node)!;
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
      // Where both are in range, it may be loaded in front.
      if (access.within === undefined) group.first = access;
      group.nodes.push(node);
      group.isWritten ||= access.isWrite;
      group.isSure &&= isSure;
    }
  };
  for (const part of parts)
    for (const node of part.kind === 'straight' ? part.statements : []) {
      const isSure = node.kind !== 'if';
      // What a statement reads comes before what it sets.
      const reads: Node[] = [];
      const writes: Node[] = [];
      // Whether a part of its value is perhaps not worked out.
      let isConditional = false;
      visitAll([node], (found) => {
        isConditional ||= found.kind === 'conditional' || found.kind === 'logical';
        if (accesses.has(found)) ('type' in found ? reads : writes).push(found);
      });
      for (const found of reads) note(found, isSure && !isConditional);
      for (const found of writes) note(found, isSure);
    }
  return [...groups.values()];
}

export function keepAccess<Kind extends Node>(node: Kind, original: Kind, accesses: Accesses): Kind {
  const access = accesses.get(original);
  if (access !== undefined) accesses.set(node, access);
  return node;
}

export function load(access: Access, span: Statement['span'], accesses: Accesses): Expression {
  const { type, array } = access;
  const node: Expression = { kind: 'get-element', array: array.base, index: int(0n, span), checked: false, type, span };
  accesses.set(node, { ...access, isWrite: false });
  return node;
}

export function store(access: Access, value: Expression, accesses: Accesses): Statement {
  const { span } = value;
  const node: Statement = { kind: 'set-element', array: access.array.base, index: int(0n, span), value, span };
  accesses.set(node, { ...access, isWrite: true });
  return node;
}
