// Which arrays get longer or shorter. All others are nothing but their elements: one object less for each, and a load
// less for each access.

import { nodesOf, visitAll } from '../mir/children.ts';
import { effectsOf } from '../mir/effects.ts';
import type { MirProgram } from '../mir/mir.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { typesAt } from '../library/effects.ts';

/** The runtime itself appends to these. */
const resizedByRuntime: readonly Type['kind'][] = ['string', 'json'];

/** Whether some array of this element type may be resized, as far as the whole program goes. */
export type IsResized = (element: Type) => boolean;

export function findResized({ functions, initialiser, entry, registry, structs }: MirProgram): IsResized {
  const keys = new Set<string>();
  const fieldsOf = (struct: string): readonly Type[] => structs.get(struct)?.fields.map(({ type }) => type) ?? [];
  for (const fn of [...functions.values(), initialiser, entry]) {
    visitAll(fn === null ? [] : nodesOf(fn), (node) => {
      for (const location of effectsOf(node, registry).writes) {
        if (location.kind !== 'length') continue;
        for (const type of typesAt(location.type, location.depth, fieldsOf))
          if (type.kind === 'array') keys.add(typeKey(type.element));
      }
    });
  }
  return (element) => resizedByRuntime.includes(element.kind) || keys.has(typeKey(element));
}
