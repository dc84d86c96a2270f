// The kernels of the suite, what each one exercises, and the groups that figures and goals are for. A kernel is a
// folder of programs/ with a main.slu and a main.js, and with the sources of other languages where the work makes sense
// in them.

import { existsSync, readFileSync } from 'node:fs';

/** A kernel with the size of its work, which is the same for all. */
export interface Kernel {
  readonly name: string;
  readonly folder: URL;
  readonly n: number;
}

/** Every kernel belongs to `polybench` or to `rest`; `recursive` are some of the rest. */
export type Group = 'all' | 'polybench' | 'rest' | 'recursive';

export const groupTitles: Readonly<Record<Group, string>> = {
  polybench: 'PolyBench',
  rest: 'the rest',
  recursive: 'recursive',
  all: 'all',
};

interface Entry {
  readonly about: string;
  /** The groups beside `all`; `rest` alone if nothing is said. */
  readonly groups?: readonly Group[];
  /** A size that takes no time, for the tests. */
  readonly small: number;
}

export const programs = new URL('../programs/', import.meta.url);

const polybench: readonly Group[] = ['polybench'];
const recursive: readonly Group[] = ['rest', 'recursive'];

/** PolyBench's kernels begin with `poly-`, SciMark's with `scimark-`: names as lu are taken by others. */
export const kernelTable: Readonly<Record<string, Entry>> = {
  nbody: { about: 'structs of doubles, square roots', small: 100 },
  'spectral-norm': { about: 'int arithmetic within double loops, divisions', small: 30 },
  fannkuch: { about: 'permutations of a small int array', small: 6 },
  mandelbrot: { about: 'double arithmetic without memory', small: 40 },
  matmul: { about: 'matrix product, rows innermost', small: 20 },
  'matmul-naive': { about: 'matrix product, columns innermost', small: 20 },
  lu: { about: 'LU decomposition with pivots', small: 20 },
  cholesky: { about: 'Cholesky decomposition', small: 20 },
  'floyd-warshall': { about: 'shortest paths, minima of ints', small: 20 },
  'stencil-2d': { about: 'means of neighbours in a plane', small: 20 },
  'stencil-3d': { about: 'means of neighbours in a cube, row by row', small: 8 },
  'prefix-sums': { about: 'a chain of dependent doubles in memory', small: 1000 },
  sieve: { about: 'an array of booleans, written with strides', small: 1000 },
  quicksort: { about: 'recursion, swaps of ints', groups: recursive, small: 1000 },
  queens: { about: 'recursion, bit operations', groups: recursive, small: 6 },
  nqueens: { about: 'recursion, small functions on arrays of booleans', groups: recursive, small: 3 },
  permute: { about: 'recursion in a loop, swaps in an array of a struct', groups: recursive, small: 2 },
  towers: { about: 'recursion, linked lists in an array of a struct', groups: recursive, small: 1 },
  'binary-trees': { about: 'allocation of small structs', groups: recursive, small: 1 },
  'linked-list': { about: 'links followed and turned, a merge sort', groups: recursive, small: 1000 },
  collatz: { about: 'int arithmetic with branches', small: 1000 },
  xorshift: { about: 'wraparound at 64 bits', small: 1000 },
  sha256: { about: 'wraparound at 32 bits, rotations', small: 20 },
  levenshtein: { about: 'minima of ints in two rows', small: 50 },
  'levenshtein-text': { about: 'minima of ints in two rows, by the characters of texts', small: 50 },
  lz: { about: 'compression with a hash table over bytes', small: 5 },
  'text-building': { about: 'appending to a string, reading its characters', small: 1000 },
  csv: { about: 'lines and fields, numbers from text', small: 1000 },
  json: { about: 'reading, walking and writing JSON', small: 100 },
  'json-records': { about: 'json objects made, changed, summed up by key and written', small: 100 },
  'json-trees': { about: 'nested json objects and arrays made, walked, changed and written', small: 3 },
  'poly-2mm': { about: 'two matrix products, columns innermost', groups: polybench, small: 12 },
  'poly-atax': { about: 'a matrix and its transpose by a vector, row by row', groups: polybench, small: 12 },
  'poly-cholesky': { about: 'Cholesky decomposition, sums kept in the matrix', groups: polybench, small: 12 },
  'poly-correlation': { about: 'correlations of columns', groups: polybench, small: 12 },
  'poly-doitgen': { about: 'rows of a cube by a matrix', groups: polybench, small: 8 },
  'poly-durbin': { about: 'a recursion over one array, forwards and backwards', groups: polybench, small: 30 },
  'poly-fdtd-2d': { about: 'differences of neighbours in three planes', groups: polybench, small: 12 },
  'poly-floyd-warshall': { about: 'shortest paths, sums of elements in place', groups: polybench, small: 12 },
  'poly-gemver': { about: 'outer products, products with rows and columns', groups: polybench, small: 12 },
  'poly-gramschmidt': { about: 'QR decomposition by columns', groups: polybench, small: 12 },
  'poly-jacobi-1d': { about: 'means of neighbours in a line', groups: polybench, small: 30 },
  'poly-lu': { about: 'LU decomposition without pivots, columns innermost', groups: polybench, small: 12 },
  'poly-mvt': { about: 'products of a vector with rows and columns', groups: polybench, small: 12 },
  'poly-seidel-2d': { about: 'means of neighbours in place', groups: polybench, small: 12 },
  'poly-syr2k': { about: 'dot products of rows, in a triangle', groups: polybench, small: 12 },
  'poly-trisolv': { about: 'forward substitution', groups: polybench, small: 12 },
  'scimark-fft': { about: 'strides of powers of two, complex products', small: 64 },
  'scimark-sor': { about: 'neighbours in place, a chain of dependent doubles', small: 12 },
  'scimark-monte-carlo': { about: 'a random generator in a struct', small: 1000 },
  'scimark-sparse': { about: 'elements by an array of places', small: 200 },
  'scimark-lu': { about: 'LU decomposition, rows exchanged', small: 12 },
};

export const kernelNames: readonly string[] = Object.keys(kernelTable);

/** Whether the kernel belongs to the group; one that is not in the table, as in an old report, is one of the rest. */
export function isIn(name: string, group: Group): boolean {
  return group === 'all' || (kernelTable[name]?.groups ?? ['rest']).includes(group);
}

/** The kernels that a name stands for: its own, or those of a group. */
export function kernelsNamed(name: string): readonly string[] {
  return Object.hasOwn(groupTitles, name)
    ? kernelNames.filter((kernel) => isIn(kernel, name as Group))
    : kernelNames.filter((kernel) => kernel === name);
}

/** A kernel with the default size of its main.slu, or with another one. */
export function findKernel(name: string, n?: number): Kernel {
  const folder = new URL(`${name}/`, programs);
  return { name, folder, n: n ?? defaultSize(new URL('main.slu', folder)) };
}

/** Whether the kernel is written in the language of that source. */
export function hasSource(kernel: Kernel, file: string): boolean {
  return existsSync(new URL(file, kernel.folder));
}

/** What `main(… n = 100)` says of n. */
export function defaultSize(file: URL): number {
  const found = /\bmain\([^)=]*\bn = (\d+)\)/.exec(readFileSync(file, 'utf8'));
  if (found === null) throw new Error(`main of ${file.pathname} has no parameter n with a default`);
  return Number(found[1]);
}
