// Faults in what goes behind a loop of a nest, and in the iterations that a nest begins behind.

import type { Mutant } from './mutants.ts';

const sinking = 'src/4-optimise/nests/sinking.ts';
const empty = 'src/4-optimise/nests/empty-iterations.ts';

export const intervalMutants: readonly Mutant[] = [
  {
    name: 'sinking: what the loop reads may be set behind it',
    file: sinking,
    from: `others.every((other) => !meet(written, other, inner, around))`,
    to: `others.length >= 0`,
  },
  {
    name: 'sinking: the greatest of an element and the least of it go in any order',
    file: sinking,
    from: ` && own.function === reduction.function`,
    to: ``,
  },
  {
    name: 'sinking: any statement goes behind the loop',
    file: sinking,
    from: `      can &&= own !== null && own.key`,
    to: `      can &&= own === null || own.key`,
  },
  {
    name: 'empty iterations: one that is not empty',
    file: empty,
    from: `iterations.constant <= 0n`,
    to: `iterations.constant <= 1n`,
  },
  {
    name: 'empty iterations: they are not made',
    file: empty,
    from: `  if (skips === 0n) return [];`,
    to: `  if (skips >= 0n) return [];`,
  },
  {
    name: 'empty iterations: they are not charged',
    file: empty,
    from: `countsFuel ? [{ kind: 'charge', units, span }] : []`,
    to: `countsFuel ? [] : []`,
  },
];
