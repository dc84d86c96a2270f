// Faults in loops that begin or end where an element says.

import type { Mutant } from './mutants.ts';

const bounds = 'src/4-optimise/nests/bounds.ts';

export const boundMutants: readonly Mutant[] = [
  {
    name: 'bounds: the hull is where all iterations are, not where any is',
    file: 'src/4-optimise/nests/extremes.ts',
    from: `first: boundOf(first, ranges, !goesUp), end: boundOf(end, ranges, goesUp) };`,
    to: `first: boundOf(first, ranges, goesUp), end: boundOf(end, ranges, !goesUp) };`,
  },
  {
    name: 'bounds: an array of bounds may be set in the nest',
    file: 'src/4-optimise/nests/reader.ts',
    from: `const own = findOwn(this.#statements, scans)`,
    to: `const own = findOwn(this.#statements, scans.slice(scans.length))`,
  },
  {
    name: 'bounds: a limit that the loop sets is the one in front of it',
    file: bounds,
    from: `if (!isSame || value.type.kind !== 'int') return null;`,
    to: `if (value.type.kind !== 'int') return isSame ? null : null;`,
  },
  {
    name: 'bounds: an element is handed on from the iteration in front of the first',
    file: 'src/4-optimise/nests/commoning.ts',
    from: `const isKnown = loop.continues !== true && loop.ranges === undefined &&`,
    to: `const isKnown = loop.continues !== true &&`,
  },
  {
    name: 'bounds: a loop is skewed as far as it goes in one iteration',
    file: 'src/4-optimise/nests/skewing.ts',
    from: `return goesUp && step === 1n && ranges === undefined;`,
    to: `return goesUp && step === 1n && ranges !== null;`,
  },
  {
    name: 'bounds: copies have the bounds of the first one',
    file: 'src/4-optimise/nests/copies.ts',
    from: `return { ...loop, first: copy(first), end: copy(end), ...moved };`,
    to: `return { ...loop, first: moved.ranges ? first : copy(first), end: moved.ranges ? end : copy(end), ...moved };`,
  },
  {
    name: 'bounds: what a loop begins or ends with is not read',
    file: 'src/4-optimise/nests/scalars.ts',
    from: `if (!inside.has(local)) exposed.add(local);`,
    to: `if (!inside.has(local) && inside.size < 0) exposed.add(local);`,
  },
  {
    name: 'bounds: what a start is made of may be set again in between',
    file: bounds,
    from: `!read.has(node.local) &&`,
    to: `read.size >= 0 &&`,
  },
];
