// Faults in what a nest hands on from iteration to iteration.

import type { Mutant } from './mutants.ts';

const commoning = 'src/4-optimise/nests/commoning.ts';
const unrolling = 'src/4-optimise/nests/unrolling.ts';
const recurrences = 'src/4-optimise/nests/first-order-recurrences.ts';

export const recurrenceMutants: readonly Mutant[] = [
  {
    name: 'commoning: what else sets the element is not looked at',
    file: commoning,
    from: `areApart(group, other, loop, around, context)`,
    to: `areApart(group, group, loop, around, context)`,
  },
  {
    name: 'commoning: elements that move side by side are not told from others',
    file: commoning,
    from: `one.subscripts.every((form, dimension) => add(form, other.subscripts[dimension]!, -1n).terms.size === 0)`,
    to: `one.subscripts.every((form, dimension) => add(form, other.subscripts[dimension]!, -1n).terms.size >= 0)`,
  },
  {
    name: 'commoning: what is set sometimes is handed on',
    file: commoning,
    from: `return write !== undefined && others.length === 0 && statements.has(write);`,
    to: `return write !== undefined && others.length === 0 && statements.size > 0;`,
  },
  {
    name: 'commoning: the first of two values that an element gets is handed on',
    file: commoning,
    from: `return write !== undefined && others.length === 0 && statements.has(write);`,
    to: `return write !== undefined && others.length >= 0 && statements.has(write);`,
  },
  {
    name: 'commoning: an element that is read behind being set is what it was',
    file: commoning,
    from: `isWrite.lastIndexOf(false) < write);`,
    to: `isWrite.length > 0);`,
  },
  {
    name: 'commoning: loops go up by one',
    file: commoning,
    from: `plus(localForm(variable), goesUp ? step : -step);`,
    to: `plus(localForm(variable), goesUp || step > 0n ? 1n : -1n);`,
  },
  {
    name: 'commoning: the first iteration gets what the second one has',
    file: commoning,
    from: `const access = movedTo(group.first, loop, 'first');`,
    to: `const access = movedTo(movedTo(group.first, loop, 'next'), loop, 'first');`,
  },
  {
    name: 'commoning: values are handed on in the wrong order',
    file: commoning,
    from: `return ordered;`,
    to: `return ordered.length > 0 ? found : [];`,
  },
  {
    name: 'first-order recurrences: both lanes have what was handed on last',
    file: 'src/5-emit/vectors.ts',
    from: `(_, byte) => byte + 8);`,
    to: `(_, byte) => byte % 8 + 8);`,
  },
  {
    name: 'first-order recurrences: what the first lane handed on is left behind',
    file: 'src/4-optimise/nests/accumulators.ts',
    from: `operand, lane: 1, type`,
    to: `operand, lane: 0, type`,
  },
  {
    name: 'first-order recurrences: what is read behind being set is what it was',
    file: recurrences,
    from: `read.setAt >= at`,
    to: `read.setAt >= 0`,
  },
  {
    name: 'first-order recurrences: elements that are set in between are not looked at',
    file: recurrences,
    from: `return is && !(reads && writes);`,
    to: `return is && !(reads && writes && false);`,
  },
  {
    name: 'first-order recurrences: locals that are set in between are not looked at',
    file: recurrences,
    from: `recurrences.has(local) || !set.has(local));`,
    to: `recurrences.has(local) || set.size >= 0);`,
  },
  {
    name: 'first-order recurrences: what is set twice is handed on the first time',
    file: recurrences,
    from: `sets.get(local) !== 1) return null;`,
    to: `sets.get(local) === 0) return null;`,
  },
  {
    name: 'first-order recurrences: in any order',
    file: recurrences,
    from: `return all.every(add) ? [...ordered] : null;`,
    to: `return all.every(add) ? all : null;`,
  },
  {
    name: 'first-order recurrences: what another is made of is named where it is read',
    file: recurrences,
    from: `...others.map((other) => places.get(other)!)));`,
    to: `...others.map(() => one.setAt)));`,
  },
  {
    name: 'unrolling: loops go up',
    file: unrolling,
    from: `by: BigInt(goesUp ? index : -index)`,
    to: `by: BigInt(goesUp ? index : index)`,
  },
  {
    name: 'unrolling: the last iterations are done where some of them are left',
    file: unrolling,
    from: `goesUp ? 1 - copies : copies - 1`,
    to: `goesUp ? 2 - copies : copies - 2`,
  },
  {
    name: 'unrolling: what is left begins anew',
    file: unrolling,
    from: `{ ...loop, continues: true }];`,
    to: `{ ...loop }];`,
  },
];
