// Where functions are left and entered again: what an outlined loop gives back, and where OSR entries are.

import { isStructured } from './kinds.ts';
import type { LocalId, Statement } from './mir.ts';
import type { MirFunction } from './program.ts';

/** What a function gives back that is an outlined loop; null for others. */
export function liveOutsOf({ body }: MirFunction): readonly LocalId[] | null {
  const last = body.at(-1);
  return last?.kind === 'return-live-outs' ? last.locals : null;
}

/** The last OSR entry in a statement, or at it; null where there is none. */
export function lastEntryOf(node: Statement): number | null {
  if (!isStructured(node)) return null;
  switch (node.kind) {
    case 'loop':
    case 'if':
    case 'try':
    case 'block':
      return node.lastEntry ?? null;
  }
}

/** The last OSR entry among statements; null where there is none. */
export function lastEntryAmong(nodes: readonly Statement[]): number | null {
  return nodes.reduce<number | null>((last, node) => lastEntryOf(node) ?? last, null);
}
