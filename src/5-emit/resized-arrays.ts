// Which arrays get longer or shorter. All others are nothing but their elements: one object less for each, and a load
// less for each access.

import type { MirProgram, LibraryCall } from '../mir/mir.ts';
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
  const note = (call: LibraryCall): void => {
    for (const { of, depth } of registry.byId(call.function).effects.resizes) {
      const { type } = of === 'result' ? call : call.arguments[of]!;
      for (const resized of typesAt(type, depth, fieldsOf))
        if (resized.kind === 'array') keys.add(typeKey(resized.element));
    }
  };
  const pending: unknown[] = [...functions.values(), initialiser, entry].flatMap((fn) => [fn?.body, fn?.parameters]);
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('kind' in node && node.kind === 'library-call') note(node as LibraryCall);
    for (const [key, part] of Object.entries(node)) if (key !== 'span' && key !== 'type') pending.push(part);
  }
  return (element) => resizedByRuntime.includes(element.kind) || keys.has(typeKey(element));
}
