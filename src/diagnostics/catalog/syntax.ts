// Faults of syntax.

import { fault } from '../fault.ts';

export const syntaxFaults = {
  badNumber: fault<{ readonly text: string }>({
    code: 'E1001',
    message: ({ text }) => `'${text}' is not a number`,
    help: 'Write it as 42, 1_000, 0xFF, 0b1010, 3.14 or 1e9.',
    explanation:
      'Numbers are written with digits, single underscores between digits, and perhaps `0x` or `0b` in front. ' +
      'A double has a digit on both sides of its point. Forms that other languages read in different ways ' +
      '(`007`, `.5`, `5.`) are not accepted, so that nobody has to wonder.',
    wrong: 'main() { return 007; }',
    right: 'main() { return 7; }',
  }),
  unterminatedString: fault<object>({
    code: 'E1002',
    message: () => 'this string never ends',
    help: 'A string ends on its line, with a double quote. Text over several lines stands in backticks.',
    explanation:
      'A string literal begins and ends with a double quote on one line, so that a forgotten quote cannot ' +
      'swallow the rest of the file. Text over several lines is a template, in backticks. ' +
      'A quote inside a string is written `\\"`.',
    wrong: 'main() { return "abc; }',
    right: 'main() { return "abc"; }',
  }),
  unterminatedComment: fault<object>({
    code: 'E1003',
    message: () => 'this comment never ends',
    help: 'Close it with */.',
    explanation:
      'A block comment begins with `/*` and ends with the next `*/`. Without that the whole rest of the file ' +
      'would be comment. Comments do not nest: a `*/` inside one ends it, and to put code with comments aside ' +
      '`//` in front of each line is safer.',
    wrong: '/* never closed',
    right: 'main() { /* closed */ return 1; }',
  }),
  singleQuotes: fault<object>({
    code: 'E1004',
    message: () => 'text stands in double quotes',
    help: 'Write "…", or backticks for a template.',
    explanation:
      'There is one kind of string literal, in double quotes, and one kind of template, in backticks. ' +
      'Single quotes are kept out so that every script writes text in the same way; ' +
      'a single character is a string of length 1. `sluice check --fix` changes the quotes.',
    wrong: "main() { return 'a'; }",
    right: 'main() { return "a"; }',
  }),
  foreignOperator: fault<{ readonly text: string }>({
    code: 'E1005',
    message: ({ text }) => `'${text}' is not an operator here`,
    help: null,
    explanation:
      'Operators are those of C: arithmetic, comparison with `==`, `!=`, `<`, `<=`, `>`, `>=`, logic with `&&`, ' +
      '`||`, `!`, bits with `&`, `|`, `^`, `~`, `<<`, `>>`, `>>>`, and `? :`. ' +
      'Others are known well enough to say what to write in their place: `==` never converts anything, ' +
      'so `===` would have nothing to add; `Math.pow(x, 2)` is a power; ' +
      'a function is declared with its name, as there are no arrow functions.',
    wrong: 'main() { return 1 === 1; }',
    right: 'main() { return 1 == 1; }',
  }),
  unknownCharacter: fault<{ readonly text: string }>({
    code: 'E1006',
    message: ({ text }) => `${text} has no meaning here`,
    help: 'Outside strings and comments, a script consists of names, numbers and operators in ASCII.',
    explanation:
      'A character that begins no name, number, string, comment or operator. Names are written in ASCII; ' +
      'everything else may stand in strings and comments. Curly quotes and invisible blanks that come along when ' +
      'text is copied from a page are the usual cause: write them again, as plain ones.',
    wrong: 'main() { return 1 # 2; }',
    right: 'main() { return 1 + 2; }',
  }),
  unterminatedTemplate: fault<object>({
    code: 'E1007',
    message: () => 'this template never ends',
    help: 'Close it with a backtick.',
    explanation:
      'A template literal begins and ends with a backtick and may span lines, so one that is not closed takes ' +
      'the rest of the file with it. The message stands where it begins. A backtick inside is written `` \\` ``.',
    wrong: 'main() { return `abc; }',
    right: 'main() { return `abc`; }',
  }),
  unclosedTemplateExpression: fault<object>({
    code: 'E1008',
    message: () => "this '${' is never closed",
    help: "Close it with '}', then end the template with a backtick.",
    explanation:
      'Inside a template, `${` begins an expression that ends with `}`; ' +
      'behind it the text goes on. A dollar sign before a brace that is meant as text is written `\\$`.',
    wrong: 'main() { return `a ${1 + 2`; }',
    right: 'main() { return `a ${1 + 2}`; }',
  }),
  missingSemicolon: fault<object>({
    code: 'E1009',
    message: () => "a ';' is missing after this",
    help: null,
    explanation:
      'Every statement that is not a block ends with a semicolon. Line ends mean nothing, ' +
      'so that a long expression may be broken anywhere; in return the end of a statement is written. ' +
      'The message stands behind the last word of the statement, which is mostly the line before the one that no ' +
      'longer fits.',
    wrong: 'main() { int x = 1\n  return x; }',
    right: 'main() { int x = 1;\n  return x; }',
  }),
  unclosedBracket: fault<{ readonly bracket: string; readonly closer: string }>({
    code: 'E1010',
    message: ({ bracket, closer }) => `this '${bracket}' is never closed; a '${closer}' is missing`,
    help: null,
    explanation:
      'Brackets come in pairs: `(` and `)`, `[` and `]`, `{` and `}`. The message stands at the one that is ' +
      'open, since where its partner belongs is for the author to say. The indentation of the lines behind it ' +
      'mostly shows the place.',
    wrong: 'main() { return (1 + 2; }',
    right: 'main() { return (1 + 2); }',
  }),
  unclosedBracketAtEnd: fault<{ readonly bracket: string; readonly closer: string }>({
    code: 'E1020',
    message: ({ bracket, closer }) => `the file ends here, but a '${closer}' is missing for a '${bracket}'`,
    help: null,
    explanation:
      'Brackets come in pairs, and the file ends while one is still open. The message stands at the end, ' +
      'where the partner is missing at the latest; ' +
      'the label shows the one that is most likely open, judged by the indentation of the lines.',
    wrong: 'main() { return 1;',
    right: 'main() { return 1; }',
  }),
  unopenedBracket: fault<{ readonly bracket: string }>({
    code: 'E1011',
    message: ({ bracket }) => `this '${bracket}' closes nothing`,
    help: 'Take it away, or look for the opening bracket that is missing before it.',
    explanation:
      'Brackets come in pairs, and this one has no partner before it. Either it is one too many, ' +
      'often left over from an edit, or the opening one was lost, and with it perhaps the head of a loop or of a ' +
      'function.',
    wrong: 'main() { return 1; } }',
    right: 'main() { return 1; }',
  }),
  foreignWord: fault<{ readonly word: string }>({
    code: 'E1012',
    message: ({ word }) => `'${word}' is not a word of this language`,
    help: null,
    explanation:
      'A word that other languages have and this one writes in another way: `elif` is `else if`, `and` is `&&`, ' +
      'data is declared with `type`, functions by their return type. The help says which it is here. ' +
      'Words that only mark something (`public`, `static`, `async`) are left away.',
    wrong: 'main() { return 1 == 1 and 2 == 2; }',
    right: 'main() { return 1 == 1 && 2 == 2; }',
  }),
  misspelledKeyword: fault<{ readonly word: string; readonly keyword: string }>({
    code: 'E1013',
    message: ({ word, keyword }) => `'${word}' looks like '${keyword}'`,
    help: null,
    explanation:
      'A word stands where a keyword would fit that it is one slip away from: a letter too many, too few, ' +
      'another, or two that are swapped. The text means nothing as it stands, so the keyword was meant, ' +
      'and `sluice check --fix` writes it.',
    wrong: 'main() { retrun 1; }',
    right: 'main() { return 1; }',
  }),
  elseWithoutIf: fault<object>({
    code: 'E1014',
    message: () => "this 'else' belongs to no 'if'",
    help: 'An else follows directly behind the statement or block of its if.',
    explanation:
      'An `else` stands directly behind the statement or block that its `if` runs. ' +
      'A semicolon too many between them, or two statements without braces, cut it off: ' +
      'braces around what belongs to the `if` bring it back.',
    wrong: 'main() { int x = 1; else x = 2; return x; }',
    right: 'main() { int x = 1; if (x > 1) x = 3; else x = 2; return x; }',
  }),
  catchWithoutTry: fault<object>({
    code: 'E1015',
    message: () => "this 'catch' belongs to no 'try'",
    help: 'Write try { … } catch (e) { … }.',
    explanation:
      'A `catch` stands directly behind the block of its `try`, or behind another of its clauses. ' +
      'The block needs its braces even where it holds one statement.',
    wrong: 'main() { catch (e) { return e; } return 1; }',
    right: 'main() { try { return 1; } catch (e) { return e; } }',
  }),
  unexpectedEnd: fault<{ readonly expected: string }>({
    code: 'E1016',
    message: ({ expected }) => `the file ends here, where ${expected} should follow`,
    help: null,
    explanation:
      'The file ends in the middle of a statement or declaration. The message names what could come next: ' +
      'mostly the last lines are missing, or a statement was begun and not finished.',
    wrong: 'int x =',
    right: 'main() { return 1; }',
  }),
  unexpectedToken: fault<{ readonly found: string; readonly expected: string }>({
    code: 'E1017',
    message: ({ found, expected }) => `${found} does not fit here, where ${expected} should stand`,
    help: null,
    explanation:
      'The text does not go on as the grammar wants it at this place. The message says what stands there and ' +
      'what could; where the place is one that people from other languages know, the help says how it is written ' +
      'here. One message is given for a line, since what follows a mistake on its line is rarely another.',
    wrong: 'main() { return 1 +; }',
    right: 'main() { return 1 + 2; }',
  }),
  unknownEscape: fault<{ readonly text: string }>({
    code: 'E1018',
    message: ({ text }) => `'${text}' is not an escape`,
    help: `Escapes are \\b \\t \\n \\f \\r \\" \\' \\\\ \\uXXXX \\u{X…}; a backslash itself is written twice.`,
    explanation:
      'A backslash in a string begins an escape: `\\n` is a new line, `\\t` a tab. ' +
      'An unknown one is an error rather than two characters, so that a path like `C:\\new` does not turn into ' +
      'something else in silence. A backslash itself is written `\\\\`.',
    wrong: 'main() { return "a\\qb"; }',
    right: 'main() { return "a\\\\qb"; }',
  }),
  badUnicodeEscape: fault<{ readonly text: string }>({
    code: 'E1019',
    message: ({ text }) => `'${text}' names no character`,
    help: 'Write four hexadecimal digits, or one to six in braces, up to 10FFFF.',
    explanation:
      'A Unicode escape is `\\uXXXX` with four hexadecimal digits, or `\\u{…}` with the number of a character in ' +
      'one to six digits, up to 10FFFF, which is the last that Unicode has.',
    wrong: 'main() { return "\\u{110000}"; }',
    right: 'main() { return "\\u{1F600}"; }',
  }),
};
