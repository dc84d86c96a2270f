// Limits of the compiler.

import { fault } from '../fault.ts';

export const limitFaults = {
  nestedTooDeep: fault<{ readonly limit: number }>({
    code: 'E3001',
    message: ({ limit }) => `this is nested deeper than ${limit} levels`,
    help: 'Divide it: give an inner part a name, or a function of its own.',
    explanation:
      'Brackets, statements inside statements, prefix operators in a row and chains of `? ' +
      ':` may nest 250 levels deep. The limit keeps compilers and readers safe; ' +
      'only generated text comes near it.',
    wrong: `main() { return ${'('.repeat(260)}1${')'.repeat(260)}; }`,
    right: 'main() { return ((1)); }',
  }),
  tooMany: fault<{ readonly what: string; readonly found: number; readonly limit: number }>({
    code: 'E3002',
    message: ({ what, found, limit }) => `${found} ${what} are too many: at most ${limit} are possible`,
    help: 'Divide it: values of one kind go into an array, others into structs of their own.',
    explanation:
      'WebAssembly engines bound how many fields a struct, how many parameters and how many local variables a ' +
      'function may have: 10,000, 1,000 and 50,000, some of which the compiler needs for itself. ' +
      'Only generated scripts come near.',
    wrong:
      `type P { ${Array.from({ length: 10_001 }, (_, index) => `int f${index};`).join(' ')} }\n` +
      'main() { P p = null; return p; }',
    right: 'type P { int[] f; }\nmain() { P p = { f: [1, 2] }; return p; }',
  }),
  sourceTooLarge: fault<{ readonly limit: number }>({
    code: 'E3003',
    message: ({ limit }) => `the script and what it imports have more than ${limit} bytes`,
    help: 'Divide it, or ask who compiles it for a higher limit.',
    explanation:
      'Whoever compiles a script may say how large it may be, all imported files included: ' +
      '`limits.sourceBytes` of compile and checkSource, 16 MiB for the command. What is larger is not looked at.',
    wrong: 'main() { return "a long text"; }',
    right: 'main() { }',
    limits: { sourceBytes: 20 },
  }),
  takesTooMuch: fault<{ readonly what: string }>({
    code: 'E3004',
    message: ({ what }) => `compiling takes ${what}`,
    help: 'Divide the script, or ask who compiles it for a higher limit.',
    explanation:
      'Whoever compiles a script may say how long that may take, `limits.timeMs` of compile and checkSource, ' +
      'and in a worker how much memory, `limits.memoryBytes`. The command gives five minutes. ' +
      'The time that a script takes grows with its length; a megabyte takes some seconds.',
    wrong: 'main() { return 1; }',
    right: 'main() { return 1; }',
    limits: { timeMs: 0 },
  }),
  tooComplex: fault<{ readonly what: string }>({
    code: 'E3005',
    message: ({ what }) => `${what} is too large for engines`,
    help: 'Divide it into functions: what is done with few variables at a time goes into one of its own.',
    explanation:
      'What an engine needs to make a function fast grows with its branches times its variables: ' +
      'thousands of each would take gigabytes. Branches are conditions, loops, tries, and accesses that can ' +
      'fail. Only generated scripts come near.',
    wrong:
      `main(int n = 1) { ${Array.from({ length: 2000 }, (_, index) => `int v${index} = n;`).join(' ')} ` +
      `${Array.from({ length: 2000 }, (_, index) => `if (v${index} > n) v${index} = 1;`).join(' ')} }`,
    needsCompile: true,
    right: 'main(int n = 1) { int v = n; if (v > n) v = 1; }',
  }),
  tooManyErrors: fault<{ readonly limit: number }>({
    code: 'E3006',
    message: ({ limit }) => `there are ${limit} mistakes up to here`,
    help: 'Mend the first of them: what comes behind may follow from it, and has not been looked at.',
    explanation:
      'The compiler goes on behind a mistake, so that all of a script are said at once. ' +
      'Of a text that is full of them it looks at no more than the first 2,000.',
    wrong: Array.from({ length: 2001 }, (_, index) => `int v${index} = u${index};`).join('\n'),
    right: 'int v = 1;\nyield v;',
  }),
};
