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
};
