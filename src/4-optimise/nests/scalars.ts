// The locals that a loop of a nest sets: private ones, which each iteration sets before it reads them, and those that
// carry a value from one iteration to the next.
//
// Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 5.3 (scalar expansion), by upward
// exposed uses, Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.5.

import type { LocalId, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { count } from './reading.ts';
import { visitParts } from './tree.ts';
import type { Nest, Part } from './tree.ts';

/** The locals that statements of the parts set, without the variables of loops. */
export function setIn(parts: readonly Part[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  visitParts(parts, (part) => {
    if (part.kind === 'straight')
      visitAll(part.statements, (node) => {
        for (const local of localsSet(node)) found.add(local);
      });
  });
  return found;
}

export interface Flow {
  /** Read where no statement of the parts has surely set them before. */
  readonly exposed: ReadonlySet<LocalId>;
  /** Surely set at the end of the parts. */
  readonly set: ReadonlySet<LocalId>;
}

/** How values flow into the parts, and out of them. */
export function flowOf(parts: readonly Part[]): Flow {
  const exposed = new Set<LocalId>();
  const set = new Set<LocalId>();
  flowThrough(parts, set, exposed);
  return { exposed, set };
}

function flowThrough(parts: readonly Part[], set: Set<LocalId>, exposed: Set<LocalId>): void {
  // What was surely set in front of the branches around.
  const around: Set<LocalId>[] = [];
  let inside = set;
  for (const part of parts) {
    if (part.kind === 'loop') {
      for (const local of part.ranges?.keys() ?? []) if (!inside.has(local)) exposed.add(local);
      // It may make no iteration.
      flowThrough(part.parts, new Set(inside), exposed);
    } else flowThroughStatements(part.statements, inside, exposed);
    const control = part.kind === 'straight' ? part.control : undefined;
    if (control === 'if') around.push(inside);
    if (control === 'end-if') inside = around.pop()!;
    else if (control === 'if' || control === 'else') inside = new Set(around.at(-1));
  }
}

function flowThroughStatements(statements: readonly Statement[], set: Set<LocalId>, exposed: Set<LocalId>): void {
  const read = (nodes: readonly Node[]): void =>
    visitAll(nodes, (node) => {
      for (const local of localsRead(node)) if (!set.has(local)) exposed.add(local);
    });
  for (const node of statements) {
    if (node.kind === 'block') {
      flowThroughStatements(node.statements, set, exposed);
      continue;
    }
    if (node.kind !== 'if') {
      read([node]);
      for (const local of localsSet(node)) set.add(local);
      continue;
    }
    const ends = [...node.arms.map(({ then }) => then), node.otherwise].map((block, index) => {
      // The conditions of an arm and of those before it have been worked out.
      read(node.arms.slice(0, index + 1).map(({ condition }) => condition));
      const inside = new Set(set);
      flowThroughStatements(block, inside, exposed);
      return inside;
    });
    for (const local of ends[0]!) if (ends.every((end) => end.has(local))) set.add(local);
  }
}

/** Other names for what is set and read in the nest alone, so that the two forms of it share nothing. */
export function ownNames(
  { root }: Pick<Nest, 'root'>,
  readsOutside: ReadonlyMap<LocalId, number>,
  copyLocal: (local: LocalId) => LocalId,
): (local: LocalId) => LocalId {
  const { source, variable } = root;
  const { exposed } = flowOf(root.parts);
  const reads = count([source], localsRead);
  const names = new Map<LocalId, LocalId>();
  // The variable of a loop inside begins anew.
  const begun = new Set<LocalId>();
  visitParts(root.parts, (part) => void (part.kind === 'loop' && begun.add(part.variable)));
  for (const local of count([source], localsSet).keys())
    if (local !== variable && (begun.has(local) || !exposed.has(local)) && reads.get(local) === readsOutside.get(local))
      names.set(local, copyLocal(local));
  return (local) => names.get(local) ?? local;
}
