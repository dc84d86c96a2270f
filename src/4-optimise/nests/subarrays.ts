// Subarrays: where a nest works on one plane of a cube alone, `cube[r][i][j]` with an `r` that stays the same, the plane is
// an array of its own with fewer dimensions. It is looked up in front of the nest, and packed without the rest.

import { getLocal } from '../../mir/builders.ts';
import type { LocalId } from '../../mir/mir.ts';
import type { Node } from '../../mir/children.ts';
import type { Type } from '../../language/types.ts';
import { rootOf } from '../analysis/alias-classes.ts';
import { keyOf } from './affine-forms.ts';
import { innermostLoops, isFlat, visitParts } from './tree.ts';
import type { Accesses, Nest, NestArray, NestLoop, Reference } from './tree.ts';

/** What of a nest has to do with its arrays; all of it changes. */
export interface References {
  readonly root: NestLoop;
  readonly accesses: Accesses;
  readonly rows: Map<Node, Reference>;
  readonly arrays: Map<string, NestArray>;
  readonly measured: Nest['measured'];
}

/**
 * Has arrays with as many dimensions as loops are in one another, and more, be the subarrays that are worked on: others can
 * be packed as they are, which does unless all are to be taken.
 */
export function takeSubarrays(
  nest: References,
  takesAll: boolean,
  newLocal: (name: string, type: Type) => LocalId,
): void {
  const { root, accesses, rows, arrays, measured } = nest;
  const depth = Math.max(0, ...innermostLoops(root).map(({ around }) => around.length + 1));
  for (const array of arrays.values()) {
    const isFound =
      (takesAll || array.dimensions >= depth) &&
      array.dimensions > 1 &&
      array.hasKnownRows &&
      !isFlat(array) &&
      !measured.has(array);
    if (!isFound || !isAlone(array, arrays)) continue;
    const here = [...accesses.values(), ...rows.values()].filter((reference) => reference.array === array);
    const shared = here.some(({ within, ranges }) => within !== undefined || ranges !== undefined)
      ? 0
      : countShared(here, root);
    if (shared === 0) continue;
    let part = array;
    for (const subscript of here[0]!.subscripts.slice(0, shared)) part = subarrayOf(part, subscript, newLocal);
    arrays.delete(array.key);
    arrays.set(part.key, part);
    const moveIn = <Kind extends Reference>(references: Map<Node, Kind>): void => {
      for (const [node, reference] of references)
        if (reference.array === array)
          references.set(node, { ...reference, array: part, subscripts: reference.subscripts.slice(shared) });
    };
    moveIn(accesses);
    moveIn(rows);
  }
}

/** Whether no other array can have something to do with it: one with fewer dimensions could not be compared with it. */
function isAlone({ key, class: own }: NestArray, arrays: ReadonlyMap<string, NestArray>): boolean {
  return !own.isUnknown && [...arrays.values()].every((other) => other.key === key || isApart(own, other));
}

function isApart(own: NestArray['class'], { class: other }: NestArray): boolean {
  return !other.isUnknown && rootOf(own) !== rootOf(other);
}

/** How many subscripts in front are the same in all references, and stay the same; one is left for each. */
function countShared(references: readonly Reference[], root: NestLoop): number {
  const variables = new Set<LocalId>();
  visitParts([root], (part) => void (part.kind === 'loop' && variables.add(part.variable)));
  const [first, ...others] = references;
  let shared = 0;
  while (first !== undefined && first.subscripts.length > shared + 1) {
    const form = first.subscripts[shared]!;
    const isSame = others.every(({ subscripts }) => {
      const other = subscripts[shared];
      return other !== undefined && keyOf(other) === keyOf(form);
    });
    if (!isSame || [...form.terms.keys()].some((local) => variables.has(local))) break;
    shared += 1;
  }
  const fewest = Math.min(
    ...references.map(({ array, subscripts }) => Math.min(subscripts.length, array.dimensions - 1)),
  );
  return Math.min(shared, fewest);
}

function subarrayOf(
  array: NestArray,
  subscript: Reference['subscripts'][number],
  newLocal: (name: string, type: Type) => LocalId,
): NestArray {
  const { key, path, base, dimensions, elements, lengths } = array;
  const type = base.type.kind === 'array' ? base.type.element : base.type;
  return {
    key: `${key}[${keyOf(subscript)}]`,
    path: `${path}[${keyOf(subscript)}]`,
    base: getLocal(newLocal('row', type), type, base.span),
    class: array.class,
    dimensions: dimensions - 1,
    hasKnownRows: true,
    elements: elements.slice(1),
    lengths: lengths.slice(1),
    of: { array, subscript },
  };
}
