// Loops whose iterations can be worked on two at a time: all that is done up to the end of an inner loop is worked out
// from numbers alone, cannot fail, and is the iteration's own, so that the next iteration can do it ahead of what stands
// behind the inner loop. Where the inner loop waits longer for its own values than it works, that is for free.

import { isScalar } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { flatten, hasLoop, visitAll } from '../../mir/children.ts';
import { effectsOf, every, isSilent, isSpeculatable } from '../../mir/effects.ts';
import type { Location } from '../../mir/effects.ts';
import { localsRead } from '../../mir/locals.ts';
import type { Node } from '../../mir/kinds.ts';
import type { LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { mostIterations } from './counted-loops.ts';
import { divisionsByTested } from './divisions.ts';
import { localsSetIn } from './invariance.ts';
import { iterationCost } from './latencies.ts';
import type { LoopLiveness } from './liveness.ts';
import type { Changes } from './mod-ref.ts';

/** A loop around another one that can be interleaved. */
export interface Interleaving {
  readonly outer: Loop;
  /** In front of the inner loop, without loops. */
  readonly before: readonly Statement[];
  readonly inner: Loop;
  readonly behind: readonly Statement[];
  /** The locals that the step of the outer loop alone sets. */
  readonly counters: ReadonlySet<LocalId>;
  /** Those that are set up to the end of the inner loop. */
  readonly own: ReadonlySet<LocalId>;
  /** Those of them that are read in a later iteration of the inner loop, or behind it. */
  readonly handedOn: readonly LocalId[];
}

/** A larger inner loop is not copied. */
const largestInner = 80;
/** Of those in front of it. */
const largestBefore = 80;
/** Shorter chains are over before another iteration has begun. */
const leastWait = 4;
/** It waits so many times as long as it works. */
const leastRoom = 2.25;
/** Of a loop with fewer iterations, what is done for each pair costs more than it gains. */
const fewestIterations = 8;
/** More numbers than these are not kept in registers twice. */
const mostCarried = 6;

/** Whether a loop has room for a second one beside it, by what an iteration waits for and works. */
export function hasRoom(inner: Loop): boolean {
  if (hasLoop([...inner.body, ...inner.step])) return false;
  const iterations = inner.counted === undefined ? null : mostIterations(inner.counted);
  if (iterations !== null && iterations < fewestIterations) return false;
  if (sizeOf([inner]) > largestInner) return false;
  const cost = iterationCost(inner);
  return cost !== null && cost.waits >= leastWait && cost.waits >= leastRoom * cost.works;
}

/**
 * Whether nothing but the locals that they set can tell that the nodes were run. They may be or leave the one loop, which
 * may divide by what it tests; `changes` are those of all that runs meanwhile.
 */
export function runsAhead(
  nodes: readonly Node[],
  loop: Loop | null,
  changes: Changes,
  registry: LibraryRegistry,
): boolean {
  const isUnchanged = (place: Location): boolean =>
    place.kind === 'local' || (place.kind === 'global' && !changes.everything && !changes.globals.has(place.global));
  const divisions: ReadonlySet<Node> = loop === null ? new Set() : divisionsByTested(loop);
  return every(nodes, (node) => {
    if (node === loop || divisions.has(node)) return true;
    const effects = effectsOf(node, registry);
    const { isGuarded, reads, writes, leaves, charges } = effects;
    if (isGuarded || !isSilent(effects) || (charges && node.kind !== 'charge')) return false;
    if (leaves !== null && !(node.kind === 'break' && node.loop === loop?.id)) return false;
    return writes.every(({ kind }) => kind === 'local') && reads.every(isUnchanged);
  });
}

/** What is asked of the function around. */
export interface InterleavingContext {
  readonly fn: MirFunction;
  readonly registry: LibraryRegistry;
  readonly liveness: () => ReadonlyMap<LoopId, LoopLiveness>;
  readonly changesOf: (loop: Loop) => Changes;
}

/** How the loop can be interleaved; null where it cannot, or is not worth it. */
export function readInterleaving(
  outer: Loop,
  { fn, registry, liveness, changesOf }: InterleavingContext,
): Interleaving | null {
  const { condition, step } = outer;
  if (!outer.testFirst || condition === null || outer.isCold === true) return null;
  const statements = flatten(outer.body);
  const at = statements.findIndex((node) => hasLoop([node]));
  const inner = statements[at];
  if (inner?.kind !== 'loop' || inner.isCold === true || inner.unpeeled !== undefined || !hasRoom(inner)) return null;
  const before = statements.slice(0, at);
  const behind = statements.slice(at + 1);
  const ahead: readonly Node[] = [...before, inner];
  const changes = changesOf(outer);
  if (sizeOf(before) > largestBefore || !runsAhead(ahead, inner, changes, registry)) return null;
  if (!runsAhead(step, null, changes, registry) || usesFuel(step) || !isSpeculatable(condition, registry)) return null;
  const [own, counters, later] = [localsSetIn(...ahead), localsSetIn(...step), localsSetIn(...behind)];
  if (![...own, ...counters].every((local) => isScalar(fn.locals[local]!.type))) return null;
  // The step works out where the next iteration is from what nothing else sets, its counters among it.
  if (readIn(step).some((local) => own.has(local) || later.has(local))) return null;
  // No iteration reads what the one before has set, up to the end of its inner loop or behind it.
  const { atIteration: carried } = liveness().get(outer.id)!;
  if (carried.some((local) => own.has(local))) return null;
  if (readIn(ahead).some((local) => later.has(local) && !own.has(local))) return null;
  const { atIteration, behind: afterwards } = liveness().get(inner.id)!;
  const setInside = localsSetIn(inner);
  if (atIteration.filter((local) => setInside.has(local)).length > mostCarried) return null;
  const handedOn = [...own].filter((local) => atIteration.includes(local) || afterwards.includes(local));
  return { outer, before, inner, behind, counters, own, handedOn };
}

function sizeOf(nodes: readonly Node[]): number {
  let size = 0;
  visitAll(nodes, () => (size += 1));
  return size;
}

function usesFuel(nodes: readonly Node[]): boolean {
  return !every(nodes, ({ kind }) => kind !== 'charge');
}

function readIn(nodes: readonly Node[]): readonly LocalId[] {
  const found = new Set<LocalId>();
  visitAll(nodes, (node) => {
    for (const local of localsRead(node)) found.add(local);
  });
  return [...found];
}
