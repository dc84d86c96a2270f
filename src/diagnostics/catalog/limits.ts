// Limits of the compiler.

import { fault } from '../fault.ts';

export const limitFaults = {
  nestedTooDeep: fault<{ readonly limit: number }>({
    code: 'E3001',
    message: ({ limit }) => `this is nested deeper than ${limit} levels`,
    help: 'Divide it: give an inner part a name, or a function of its own.',
    explanation:
      'Brackets, statements inside statements, prefix operators in a row and chains of `? :` may nest 250 levels deep. The limit keeps compilers and readers safe; only generated text comes near it.',
    wrong: `main() { return ${'('.repeat(260)}1${')'.repeat(260)}; }`,
    right: 'main() { return ((1)); }',
  }),
  tooMany: fault<{ readonly what: string; readonly found: number; readonly limit: number }>({
    code: 'E3002',
    message: ({ what, found, limit }) => `${found} ${what} are too many: at most ${limit} are possible`,
    help: 'Divide it: values of one kind go into an array, others into structs of their own.',
    explanation:
      'WebAssembly engines bound how many fields a struct, how many parameters and how many local variables a function may have: 10,000, 1,000 and 50,000, some of which the compiler needs for itself. Only generated scripts come near.',
    wrong: `type P { ${Array.from({ length: 10_001 }, (_, index) => `int f${index};`).join(' ')} }\nmain() { P p = null; return p; }`,
    right: 'type P { int[] f; }\nmain() { P p = { f: [1, 2] }; return p; }',
  }),
};
