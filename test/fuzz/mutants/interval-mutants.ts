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
    from: `terms.size === 0 && constant <= 0n`,
    to: `terms.size === 0 && constant <= 1n`,
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
  {
    name: 'empty iterations: those at the end of a loop inside are not charged',
    file: empty,
    from: `if (spend === null) return`,
    to: `if (spend === null || last > 0n) return`,
  },
  {
    name: 'empty iterations: those are charged that are not there',
    file: empty,
    from: `chosenOf('int.min', some, int(iterations, span))`,
    to: `chosenOf('int.max', chosenOf('int.min', some, int(0n, span)), int(iterations, span))`,
  },
  {
    name: 'empty iterations: a loop ends with the one in front of its last',
    file: empty,
    from: `moved(loop, loop.end, -index - 1n)`,
    to: `moved(loop, loop.end, -index)`,
  },
];
