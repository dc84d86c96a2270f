// C, natively, by two compilers, each with and without vectorisation. Figures quote the better of the two; CC_GCC
// names another gcc. A multiplication and an addition stay two operations, so that results are those of all others, bit
// for bit; where a sum is a chain of additions, C is faster so too, as a fused operation takes longer than an addition.

import { join } from 'node:path';
import { clang, copyingLoops } from './clang.ts';
import { runTool, sourcePath, toolVersion } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { processStart } from './session.ts';

type Compiler = 'gcc' | 'clang';

const programs: Readonly<Record<Compiler, string>> = { gcc: process.env['CC_GCC'] ?? 'gcc', clang };
const parts = new URL('c/', import.meta.url).pathname;
const optimised = ['-O3', '-march=native', '-fno-math-errno', '-ffp-contract=off'];
/** Loops that copy a few elements stay loops: a call would cost more. */
const ownFlags: Readonly<Record<Compiler, readonly string[]>> = {
  gcc: ['-fno-tree-loop-distribute-patterns'],
  clang: copyingLoops,
};
const scalarFlags: Readonly<Record<Compiler, readonly string[]>> = {
  gcc: ['-fno-tree-vectorize', '-fno-tree-slp-vectorize'],
  clang: ['-fno-vectorize', '-fno-slp-vectorize'],
};

function native(compiler: Compiler, vectorises: boolean): Competitor {
  const program = programs[compiler];
  const flags = [...optimised, ...ownFlags[compiler], ...(vectorises ? [] : scalarFlags[compiler])];
  const id = `${compiler}${vectorises ? '' : '-scalar'}`;
  return {
    id,
    title: `C, ${compiler}${vectorises ? '' : ', scalar'}`,
    source: 'main.c',
    flags: flags.join(' '),
    install: `apt-get install ${compiler}`,
    version: () => toolVersion(program),
    build: async (kernel, output) => {
      const file = join(output, `${kernel.name}.${id}`);
      await runTool(program, [
        ...flags,
        '-std=gnu11',
        `-I${parts}`,
        sourcePath(kernel, 'main.c'),
        `${parts}native.c`,
        '-o',
        file,
      ]);
      return processStart(file, String(kernel.n));
    },
  };
}

export const nativeC: readonly Competitor[] = [
  native('gcc', false),
  native('clang', false),
  native('gcc', true),
  native('clang', true),
];
