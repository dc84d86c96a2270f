// Faults in loops whose next iteration works ahead, and in functions that are inlined for it.

import type { Mutant } from './mutants.ts';

const analysis = 'src/4-optimise/analysis/interleaving.ts';
const pass = 'src/4-optimise/transform/loop-interleaving.ts';
const lifting = 'src/4-optimise/analysis/liftable-calls.ts';
const inlinable = 'src/4-optimise/analysis/inlinable-loops.ts';

export const interleavingMutants: readonly Mutant[] = [
  {
    name: 'loop-interleaving: what iterations carry on is not looked at',
    file: analysis,
    from: `  if (carried.some((local) => own.has(local))) return null;\n`,
    to: ``,
  },
  {
    name: 'loop-interleaving: what is set behind the inner loop is not looked at',
    file: analysis,
    from: `  if (readIn(ahead).some((local) => later.has(local) && !own.has(local))) return null;\n`,
    to: ``,
  },
  {
    name: 'loop-interleaving: the step may read what is set in the loop',
    file: analysis,
    from: `  if (readIn(step).some((local) => own.has(local) || later.has(local))) return null;\n`,
    to: ``,
  },
  {
    name: 'loop-interleaving: a global that the loop sets is read ahead',
    file: analysis,
    from: ` && !changes.everything && !changes.globals.has(place.global)`,
    to: ``,
  },
  {
    name: 'loop-interleaving: what may fail is done ahead',
    file: analysis,
    from: `    if (isGuarded || !isSilent(effects) || (charges && node.kind !== 'charge')) return false;\n`,
    to: `    if (effects.calls !== null || effects.polls || effects.allocates) return false;\n`,
  },
  {
    name: 'loop-interleaving: what is set behind a test is taken for tested',
    file: 'src/4-optimise/analysis/divisions.ts',
    from: `    if (node.kind === 'set-local' && node.local === tested) break;\n`,
    to: ``,
  },
  {
    name: 'loop-interleaving: what is read behind the inner loop alone is not handed on',
    file: analysis,
    from: `atIteration.includes(local) || afterwards.includes(local)`,
    to: `atIteration.includes(local)`,
  },
  {
    name: 'loop-interleaving: an iteration that has ended ahead goes on',
    file: pass,
    from: `      setLocal(ended.local, endedNext.value, span),\n`,
    to: `      ended.set(false),\n`,
  },
  {
    name: 'loop-interleaving: what the next iteration has used is not charged',
    file: pass,
    from: `      ...(used === null ? [] : this.#payment(used, inner)),\n`,
    to: ``,
  },
  {
    name: 'loop-interleaving: what the next iteration uses is charged at once',
    file: pass,
    from: `      if (node.kind !== 'charge') return node;\n`,
    to: `      if (node.kind !== 'charge' || used >= 0) return node;\n`,
  },
  {
    name: 'loop-interleaving: an iteration that is ahead is not forgotten',
    file: pass,
    from: `      isAhead.set(false),\n      setLocal(`,
    to: `      setLocal(`,
  },
  {
    name: 'loop-interleaving: the next one ends where this one does',
    file: pass,
    from: `next(iteration(inner, leave(endedNext, stop), countNext))`,
    to: `next(iteration(inner, leave(ended, stop), countNext))`,
  },
  {
    name: 'inlining: a call with a loop moves in front of anything',
    file: lifting,
    from: `  return isSpeculatable(node, registry) ? null : 'stop';`,
    to: `  return isSpeculatable(node, registry) ? null : null;`,
  },
  {
    name: 'inlining: what is behind a loop is done where it has returned',
    file: inlinable,
    from: `leftInstead(loop, result, [flag(true)])`,
    to: `leftInstead(loop, result, [flag(false)])`,
  },
  {
    name: 'inlining: a loop that returns is not left',
    file: inlinable,
    from: `[set, ...noted, { kind: 'break', loop: loop.id, span }]`,
    to: `[set, ...noted]`,
  },
];
