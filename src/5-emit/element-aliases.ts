// Elements that need no local of their own: those of an array that is its elements, where a parameter that nothing sets
// holds it. Both are the same reference then.

import type { HoistArray, LocalId } from '../mir/mir.ts';
import type { MirFunction } from '../mir/program.ts';
import { visitAll } from '../mir/children.ts';
import { localsSet } from '../mir/locals.ts';

/** For each such local of elements the parameter; `isElements` says whether the array of a hoist is its elements. */
export function findElementAliases(
  { body, parameters }: MirFunction,
  isElements: (hoist: HoistArray) => boolean,
): ReadonlyMap<LocalId, LocalId> {
  const aliases = new Map<LocalId, LocalId | null>();
  const set = new Set<LocalId>();
  visitAll(body, (node) => {
    if (node.kind !== 'hoist-array') return localsSet(node).forEach((local) => set.add(local));
    const { array, elements } = node;
    const source = node.window === null && array.kind === 'get-local' && isElements(node) ? array.local : null;
    const isOne = source !== null && source < parameters.length;
    aliases.set(elements, isOne && (!aliases.has(elements) || aliases.get(elements) === source) ? source : null);
  });
  const found = [...aliases].filter(
    (entry): entry is [LocalId, LocalId] => entry[1] !== null && !set.has(entry[0]) && !set.has(entry[1]),
  );
  return new Map(found);
}
