// Which arrays get longer or shorter. All others are nothing but their elements: one object less for each, and a load less
// for each access.

import type { CheckedProgram } from '../2-check/typed-tree.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { resizingMethods } from '../library/array.ts';

/** The runtime itself appends to these. */
const resizedByRuntime: readonly Type['kind'][] = ['string', 'json'];

/** Whether some array of this element type may be resized, as far as the whole program goes. */
export type IsResized = (element: Type) => boolean;

export function findResized({ functions, initialiser, entry }: CheckedProgram): IsResized {
  const keys = new Set<string>();
  const pending: unknown[] = [...functions.values(), initialiser, entry].flatMap((fn) => [fn?.body, fn?.parameters]);
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    const call = node as { readonly kind?: string; readonly function?: string; readonly typeArgument?: Type | null };
    if (call.kind === 'library-call' && resizingMethods.has(call.function!)) keys.add(typeKey(call.typeArgument!));
    for (const [key, part] of Object.entries(node)) if (key !== 'span' && key !== 'type') pending.push(part);
  }
  return (element) => resizedByRuntime.includes(element.kind) || keys.has(typeKey(element));
}
