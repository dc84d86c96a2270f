// Faults in the value of a literal: it can be read, but no value of its type fits it.

import { fault } from '../fault.ts';

export const literalFaults = {
  loneSurrogate: fault<{ readonly text: string }>({
    code: 'E2001',
    message: ({ text }) => `'${text}' is half of a character`,
    help: 'Write both halves in a row, or the whole character as \\u{…}.',
    explanation:
      'A string is a sequence of Unicode characters. The numbers D800 to DFFF are halves of the pairs in which ' +
      'UTF-16 writes the characters beyond FFFF; one alone stands for nothing and could not be written to a ' +
      'file. Write both halves in a row, or the number of the character in braces.',
    wrong: 'main() { return "\\uD83D"; }',
    right: 'main() { return "\\uD83D\\uDE00"; }',
  }),
};
