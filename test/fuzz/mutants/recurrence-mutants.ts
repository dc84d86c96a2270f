// Faults in what a nest hands on from iteration to iteration.

import type { Mutant } from './mutants.ts';

const vectors = 'src/4-optimise/nests/vector-commoning.ts';
const transposition = 'src/4-optimise/nests/transposition.ts';
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
    name: 'commoning of vectors: what else sets the elements is not looked at',
    file: vectors,
    from: `if (!groups.every((other) => areApart(group, other, loop, around, context))) continue;`,
    to: ``,
  },
  {
    name: 'commoning of vectors: rows are not told apart',
    file: vectors,
    from: 'const key = `${keyOfAccess(placeAt(first, 0))} ${keyOfTerms(last)}`;',
    to: 'const key = `${first.array.key} ${keyOfTerms(last)}`;',
  },
  {
    name: 'commoning of vectors: what is handed on is a vector too early',
    file: vectors,
    from: `handOn.push(set(place, get(place + Number(loop.step))));`,
    to: `handOn.push(set(place, get(locals.has(place + 2) ? place + 2 : place + Number(loop.step))));`,
  },
  {
    name: 'commoning of vectors: nothing is loaded in front of the loop',
    file: vectors,
    from: `{ kind: 'straight', statements: [...unset, ifAny(loop, first)] },`,
    to: `{ kind: 'straight', statements: [...unset, ifAny(loop, [])] },`,
  },
  {
    name: 'commoning of vectors: only the last lane of what is handed on counts',
    file: vectors,
    from: `const isWhole = place >= Math.min(...row.keys());`,
    to: `const isWhole = row.has(place);`,
  },
  {
    name: 'commoning: what is left of a triangle begins where all rows do',
    file: commoning,
    from: `if (others.length === 0) return false;`,
    to: `if (others.length >= 0) return false;`,
  },
  {
    name: 'commoning of vectors: the first lane of a vector that is no whole one is taken',
    file: vectors,
    from: `const lane = { ...at(place + 1), type: element };`,
    to: `const lane = { ...at(place + 2), type: element };`,
  },
  {
    name: 'transposition: what the loop sets is taken to stay',
    file: transposition,
    from: `stays &&= localsRead(node).every((local) => !this.#own.has(local));`,
    to: `stays &&= localsRead(node).length >= 0;`,
  },
  {
    name: 'transposition: both iterations get the first elements',
    file: transposition,
    from: `const other = named(laneWise('interleave-high', both, type, span));`,
    to: `const other = named(laneWise('interleave-low', both, type, span));`,
  },
  {
    name: 'transposition: the second iteration stays where the first is',
    file: transposition,
    from: `{ variable: loop.variable, by: 1n, names: new Map() }`,
    to: `{ variable: loop.variable, by: 0n, names: new Map() }`,
  },
  {
    name: 'transposition: one iteration too many',
    file: transposition,
    from: `end: plus(loop.end, BigInt(1 - copies)),`,
    to: `end: loop.end,`,
  },
  {
    name: 'first-order recurrences: both lanes have what was handed on last',
    file: 'src/5-emit/vectors.ts',
    from: `splice: bytesOfLanes(1, 2),`,
    to: `splice: bytesOfLanes(1, 1),`,
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
