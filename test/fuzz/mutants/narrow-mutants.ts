// Faults in small ints of nests: how they lie in the scratch memory, and four of them in a vector.

import type { Mutant } from './mutants.ts';

const scratch = 'src/5-emit/scratch.ts';
const jam = 'src/4-optimise/nests/jam.ts';
const vectors = 'src/4-optimise/nests/vectors.ts';
const division = 'src/4-optimise/nests/lane-division.ts';

export const narrowMutants: readonly Mutant[] = [
  {
    name: 'narrow: all ints of four bytes have a sign',
    file: scratch,
    from: `const isSigned = storage === 'i32';`,
    to: `const isSigned = storage !== undefined;`,
  },
  {
    name: 'narrow: no int of four bytes has a sign',
    file: scratch,
    from: `const isSigned = storage === 'i32';`,
    to: `const isSigned = storage === undefined;`,
  },
  {
    name: 'narrow: the high halves of lanes are stored',
    file: scratch,
    from: `const narrowed = [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11];`,
    to: `const narrowed = [0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3, 12, 13, 14, 15];`,
  },
  {
    name: 'narrow: rows of small ints are as long as others',
    file: 'src/4-optimise/nests/packing.ts',
    from: `set(stride, arithmetic('*', inRow(array, dimension), int(size, span)));`,
    to: `set(stride, arithmetic('*', inRow(array, dimension), int(size < 8n ? 2n : size, span)));`,
  },
  {
    name: 'narrow: neighbours are eight bytes away',
    file: 'src/4-optimise/nests/emission.ts',
    from: `offset: Number((last.constant - least) * size),`,
    to: `offset: Number((last.constant - least) * 8n),`,
  },
  {
    name: 'narrow: every int fits in four lanes',
    file: vectors,
    from: `return range !== null && range.low >= -(1n << 31n) && range.high < 1n << 31n;`,
    to: `return range !== null && range.low <= range.high;`,
  },
  {
    name: 'narrow: no value of four lanes has a sign',
    file: vectors,
    from: `return range !== null && range.low >= -(1n << 31n) && range.high < 1n << 31n;`,
    to: `return range !== null && range.low >= -(1n << 31n) && range.high < 1n << 32n;`,
  },
  {
    name: 'narrow: a vector of four is one of two where dependences are looked at',
    file: jam,
    from: `copies: width,`,
    to: `copies: 2,`,
  },
  {
    name: 'narrow: a value that is carried on is in all four lanes',
    file: jam,
    from: `if (isOfSmall && carried.size > 0) return null;`,
    to: `if (isOfSmall && carried.size > 2) return null;`,
  },
  {
    name: 'narrow: lanes are shifted by as many bits as they have',
    file: vectors,
    from: `const bits = this.#isOfSmall ? 32n : 64n;`,
    to: `const bits = 64n;`,
  },
  {
    name: 'narrow: the lesser of small ints is the greater',
    file: 'src/5-emit/vectors.ts',
    from: `'<=(int,int)': ['i32x4.min_s', 'i32x4.max_s'],`,
    to: `'<=(int,int)': ['i32x4.max_s', 'i32x4.max_s'],`,
  },
  {
    name: 'narrow: products of any ints have an instruction',
    file: vectors,
    from: `return isExtended && operands.every(isSmall) ? 'extended-product' : operator;`,
    to: `return isExtended && !operands.some(isAccumulator) ? 'extended-product' : operator;`,
  },
  {
    name: 'narrow: products have no sign',
    file: 'src/5-emit/vectors.ts',
    from: `return fb.module.i64x2.extmul_low_i32x4_s(`,
    to: `return fb.module.i64x2.extmul_low_i32x4_u(`,
  },
  {
    name: 'narrow: a factor need not be exact',
    file: division,
    from: `if (error * most < 1n << shift) return { factor, shift };`,
    to: `if (error * 4n < 1n << shift) return { factor, shift };`,
  },
];
