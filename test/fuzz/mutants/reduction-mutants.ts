// Faults in what is combined over a nest: which locals are reductions, what their accumulators begin with, and in which
// order sums of doubles go on.

import type { Mutant } from './mutants.ts';

const file = 'src/4-optimise/nests/reductions.ts';
const accumulators = 'src/4-optimise/nests/accumulators.ts';

export const reductionMutants: readonly Mutant[] = [
  {
    name: 'reductions: sums of doubles are',
    file,
    from: `  '*(int,int)': null,`,
    to: `  '*(int,int)': null, '+(double,double)': null,`,
  },
  {
    name: 'reductions: the sign of a zero that is chosen is not seen',
    file,
    from: `if (choice !== null && isNeverNegativeZero(choice.value, this.#parts)) {`,
    to: `if (choice !== null) {`,
  },
  {
    name: 'reductions: a product of any two numbers is never -0',
    file,
    from: `others.length === 0 && haveSameForm(left!, right!)`,
    to: `others.length === 0 && left !== right`,
  },
  {
    name: 'reductions: a difference is never -0',
    file,
    from: `'-(double,double)': ([left], isNever) => isNever(left!),`,
    to: `'-(double,double)': () => true,`,
  },
  {
    name: 'reductions: what is read elsewhere is one too',
    file,
    from: `for (const local of localsRead(node)) this.#others.add(local);`,
    to: `void node;`,
  },
  {
    name: 'reductions: two operators are one',
    file,
    from: `known.operator !== step.operator`,
    to: `known.operator === 'none'`,
  },
  {
    name: 'reductions: what something is taken away from is taken away too',
    file,
    from: `(operator !== written && at > 0)`,
    to: `(operator !== written && at > 9)`,
  },
  {
    name: 'reductions: the greatest begins with 0',
    file: accumulators,
    from: `  'double.max': -Infinity,`,
    to: `  'double.max': 0,`,
  },
  {
    name: 'reductions: bits in common begin with none',
    file: accumulators,
    from: `  '&(int,int)': -1n,`,
    to: `  '&(int,int)': 0n,`,
  },
  {
    name: 'reductions: the second lane is lost',
    file: accumulators,
    from: `...([0, 1] as const).map((lane) => combine(`,
    to: `...([0, 0] as const).map((lane) => combine(`,
  },
  {
    name: 'vectors: sums go on with the second lane first',
    file: 'src/4-optimise/nests/vectors.ts',
    from: `{ ...node, value: lanesOf(node.value, 0) }, { ...node, value: lanesOf(node.value, 1) }`,
    to: `{ ...node, value: lanesOf(node.value, 1) }, { ...node, value: lanesOf(node.value, 0) }`,
  },
  {
    name: 'reductions: NaNs are passed by where extremes are found by a comparison',
    file: accumulators,
    from: `...(isNaN === null ? []`,
    to: `...(isNaN !== null ? []`,
  },
  {
    name: 'reductions: the sign of a zero that is the greatest is not seen',
    file,
    from: `values.every((one) => one.type.kind !== 'double' || `,
    to: `values.some((one) => one.type.kind === 'double' || `,
  },
  {
    name: 'vectors: a sum that two statements go on with goes on in both lanes of each',
    file,
    from: `sets.get(node.local) === 1 &&`,
    to: `sets.get(node.local)! <= 2 &&`,
  },
];
