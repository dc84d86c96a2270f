// What the readers of a loop nest share: where they read, what names mean at a place, and why a loop is no nest.

import type { LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Type } from '../../language/types.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import type { Guard } from './guards.ts';
import type { Polynomial } from './polynomials.ts';
import type { LoopHead, Reference, SymbolicRange } from './tree.ts';

export interface ReaderContext {
  readonly fn: MirFunction;
  readonly modRef: ProgramChanges;
  readonly matrices: () => FixedMatrices;
  readonly registry: LibraryRegistry;
  /** How often the function reads each local. */
  readonly reads: ReadonlyMap<LocalId, number>;
  readonly newLocal: (name: string, type: Type) => LocalId;
  readonly typeOf: (local: LocalId) => Type;
  readonly countsFuel: boolean;
  /** Whether no loop of the function sets a local. */
  readonly isSteady: (local: LocalId) => boolean;
  /** Arrays are taken apart for which that need not be (thresholds.ts). */
  readonly takesAll: boolean;
  /** Told of what has no place in a nest: where the loop is none, the last one is why. */
  readonly refuse?: (kind: Refusal['kind'], node: Node) => void;
}

/** Why a loop is no nest. */
export interface Refusal {
  /**
   * An effect on everything, the head of a loop, its limit or start, its variable, which others read, a statement, a
   * value, an index, an array, what an array has for elements, rows that may differ, or what is read of an array that the
   * nest sets.
   */
  readonly kind:
    | 'everything'
    | 'head'
    | 'limit'
    | 'variable'
    | 'statement'
    | 'value'
    | 'index'
    | 'array'
    | 'elements'
    | 'rows'
    | 'own';
  readonly node: Node;
}

/** What the names mean at a place. */
export interface Names {
  /** Variables of the loops around. */
  readonly variables: ReadonlySet<LocalId>;
  /** Locals that are set once, to something affine, or to a polynomial. */
  readonly ints: Map<LocalId, Polynomial>;
  /** Locals that are set once, to an array or a row. */
  readonly rows: Map<LocalId, Reference>;
  /** Locals that have but a range here. */
  readonly ranges: Map<LocalId, SymbolicRange>;
  /** Of locals that the loops around set in some of their iterations: what they can be in any (carried-ranges.ts). */
  readonly carried: ReadonlyMap<LocalId, SymbolicRange>;
  /** The loops around, as far as they count. */
  readonly loops: readonly LoopHead[];
  /** What holds where it is reached. */
  readonly guards: readonly Guard[];
  /** In front of the loop right around it, in another one; null where there is none. */
  readonly inFront: InFront | null;
}

/** A place in front of a loop, for what is the same in all of its iterations. */
export interface InFront {
  readonly names: Names;
  readonly statements: Statement[];
  /** What the loop sets, with what was made while it was read. */
  readonly sets: Set<LocalId>;
}

/** How often the nodes do something to each local. */
export function count(nodes: readonly Node[], localsIn: (node: Node) => readonly LocalId[]): Map<LocalId, number> {
  const found = new Map<LocalId, number>();
  visitAll(nodes, (node) => {
    for (const local of localsIn(node)) found.set(local, (found.get(local) ?? 0) + 1);
  });
  return found;
}
