// Elements at places of which a nest knows but a range: which arrays may not be set meanwhile, which of them a nest is not
// worth, and the scans that ranges rest on.

import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { LocalId } from '../../mir/mir.ts';
import { relate } from './dependences.ts';
import { setIn } from './scalars.ts';
import { innermostLoops, rangesIn } from './tree.ts';
import type { Accesses, Nest, NestLoop, Reference, Scan } from './tree.ts';

type Read = Pick<Nest, 'root' | 'accesses' | 'rows' | 'requirements'>;

/**
 * What is read for a subscript that has but a range, of an array that the nest sets, and what is at such a subscript, of an
 * array that may be one which the nest sets by another name; null where there is nothing of these.
 */
export function findOwn({ accesses, rows }: Pick<Read, 'accesses' | 'rows'>, scans: readonly Scan[]): Node | null {
  const set = [...accesses.values()].flatMap(({ array, isWrite }) => (isWrite ? [array] : []));
  const scanned = new Set(scans.map(({ array }) => array));
  const isOwn = ({ array, ranges }: Reference): boolean => {
    const relations = ranges === undefined && !scanned.has(array) ? [] : set.map((one) => relate(one, array));
    return relations.some((relation) => relation === 'unknown' || (relation !== 'different' && scanned.has(array)));
  };
  return [...accesses, ...rows].find(([, reference]) => isOwn(reference))?.[0] ?? null;
}

/** What an innermost loop sets wherever each of its iterations finds: it goes on one by one, as fast where it is. */
export function findScattered(root: NestLoop, accesses: Accesses): Node | null {
  const isScattered = (node: Node, set: ReadonlySet<LocalId>): boolean => {
    const { isWrite, ranges } = accesses.get(node) ?? { isWrite: false };
    return isWrite && [...(ranges?.keys() ?? [])].some((local) => set.has(local));
  };
  let found: Node | null = null;
  for (const { loop } of innermostLoops(root)) {
    const set = setIn(loop.parts);
    for (const part of loop.parts)
      if (part.kind === 'straight')
        visitAll(part.statements, (node) => void (found ??= isScattered(node, set) ? node : null));
  }
  return found;
}

/** The scans that the range of a subscript or of a bound is made of, or what must hold. */
export function usedScans(nest: Read, scans: Iterable<Scan>): readonly Scan[] {
  const ranges = rangesIn(nest);
  const required = [
    ...nest.requirements.values(),
    ...ranges.map((range) => range.requirements.map(({ form }) => form)),
  ].flat();
  const forms = [...ranges.flatMap(({ least, greatest }) => [least, greatest]), ...required];
  const used = new Set(forms.flatMap(({ terms }) => [...terms.keys()]));
  return [...scans].filter(({ least, greatest }) => used.has(least) || used.has(greatest));
}
