// The kernels of the suite, and what each one exercises. A kernel is a folder of programs/ with a main.slu and a
// main.js, and with the sources of other languages where the work makes sense in them.

import { existsSync, readFileSync } from 'node:fs';

/** A kernel with the size of its work, which is the same for all. */
export interface Kernel {
  readonly name: string;
  readonly folder: URL;
  readonly n: number;
}

interface Entry {
  readonly about: string;
  /** A size that takes no time, for the tests. */
  readonly small: number;
}

export const programs = new URL('../programs/', import.meta.url);

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
  quicksort: { about: 'recursion, swaps of ints', small: 1000 },
  queens: { about: 'recursion, bit operations', small: 6 },
  'binary-trees': { about: 'allocation of small structs', small: 1 },
  'linked-list': { about: 'links followed and turned, a merge sort', small: 1000 },
  collatz: { about: 'int arithmetic with branches', small: 1000 },
  xorshift: { about: 'wraparound at 64 bits', small: 1000 },
  sha256: { about: 'wraparound at 32 bits, rotations', small: 20 },
  levenshtein: { about: 'minima of ints in two rows', small: 50 },
  lz: { about: 'compression with a hash table over bytes', small: 5 },
  'text-building': { about: 'appending to a string, reading its characters', small: 1000 },
  csv: { about: 'lines and fields, numbers from text', small: 1000 },
  json: { about: 'reading, walking and writing JSON', small: 100 },
};

export const kernelNames: readonly string[] = Object.keys(kernelTable);

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
