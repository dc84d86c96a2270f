// Faults in places that a loop finds, and in rows that change places.

import type { Mutant } from './mutants.ts';

const carried = 'src/4-optimise/nests/carried-ranges.ts';
const swaps = 'src/4-optimise/nests/row-swaps.ts';

export const pivotMutants: readonly Mutant[] = [
  {
    name: 'carried ranges: what a local holds in front of the loop is forgotten',
    file: carried,
    from: `joinRanges([names.ranges.get(local)!, ...ranges], `,
    to: `joinRanges(ranges.length > 0 ? ranges : [names.ranges.get(local)!], `,
  },
  {
    name: 'carried ranges: of a choice the first value alone',
    file: carried,
    from: `[value.then, value.otherwise].flatMap(choicesIn)`,
    to: `choicesIn(value.then)`,
  },
  {
    name: 'carried ranges: what the loop sets is left out',
    file: carried,
    from: `const joined = joinRanges([names.ranges.get(local)!, ...ranges], `,
    to: `const joined = ranges.includes(null) ? null : joinRanges([names.ranges.get(local)!], `,
  },
  {
    name: 'vectors: elements at two places are next to each other',
    file: 'src/4-optimise/nests/vectors.ts',
    from: `if (access.type.kind === 'vector' || this.#isAnywhere(access)) return null;`,
    to: `if (access.type.kind === 'vector') return null;`,
  },
  {
    name: 'nests: an index array that is set is scanned',
    file: 'src/4-optimise/nests/element-places.ts',
    from: ` || (relation !== 'different' && scanned.has(array))`,
    to: ``,
  },
  {
    name: 'row swaps: the elements alone change places',
    file: swaps,
    from: `set(one, rowAt(other)),`,
    to: `set(one, rowAt(one)),`,
  },
  {
    name: 'row swaps: the rows alone change places',
    file: swaps,
    from: `      parts: [{ kind: 'straight', statements }],`,
    to: `      parts: [{ kind: 'straight', statements: statements.slice(0, 1) }],`,
  },
  {
    name: 'row swaps: the row that was held stays at its place',
    file: swaps,
    from: `names.rows.set(swap.held, other);`,
    to: `names.rows.set(swap.held, one);`,
  },
  {
    name: 'row swaps: a row that is held is at its place behind it',
    file: swaps,
    from: `  for (const [local, { subscripts }] of rows) if (subscripts.length > 0) rows.delete(local);`,
    to: `  for (const [local, { subscripts }] of rows) if (subscripts.length > 9) rows.delete(local);`,
  },
  {
    name: 'row swaps: in the arrays themselves',
    file: 'src/4-optimise/transform/unroll-and-jam.ts',
    from: `if (packing === null && nest.swap !== null) {`,
    to: `if (false) {`,
  },
];
