// Fuzzing with texts that are mostly no programs: words in a heap, programs that were damaged, characters at random,
// brackets inside brackets. Whatever the text, the compiler ends with diagnostics that lie in it, and accepts it only
// without errors.

import fc from 'fast-check';
import { renderDiagnostic } from '../../src/diagnostics/render.ts';
import { checkSource } from '../../src/compile.ts';
import { drawProgram } from './generator/program.ts';
import { RandomText } from './random-text.ts';
import type { Dice, Smaller } from './random-text.ts';

const words = [
  'type',
  'if',
  'else',
  'while',
  'do',
  'for',
  'foreach',
  'in',
  'return',
  'yield',
  'break',
  'continue',
  'try',
  'catch',
  'throw',
  'import',
  'export',
  'new',
  'const',
  'as',
  'null',
  'true',
  'false',
  'int',
  'double',
  'boolean',
  'string',
  'json',
  'void',
  'main',
  'S1',
  'v1',
  'f1',
  'Math',
  'Json',
  'File',
  'e',
  '0',
  '42',
  '9223372036854775808',
  '0x',
  '1.5',
  '1e999',
  '007',
  '1_',
  '"text"',
  '"',
  "'c'",
  '"\\q"',
  '`',
  '${',
  '}',
  '{',
  '(',
  ')',
  '[',
  ']',
  ';',
  ';',
  ',',
  '.',
  '..',
  '...',
  ':',
  '?',
  '=',
  '==',
  '===',
  '=>',
  '+=',
  '>>>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '<=',
  '>>',
  '>>>',
  '&&',
  '||',
  '&',
  '!',
  '~',
  '++',
  '--',
  '@tool:key "v"',
  '@',
  '#',
  '$',
  '\\',
  '/*',
  '*/',
  '//',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\0',
  '\u00a0',
  '\ufeff',
  'é',
  '😀',
  '\ud800',
  '\udc00',
  'Error',
  'let',
  'var',
  'function',
  'elif',
  'None',
  'class',
  'async',
  '::',
  '->',
  '<>',
  'string?',
  'int?',
  'List<int>',
];
const openers: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['{ a: ', ' }'],
  ['f(', ')'],
  ['`${', '}`'],
  ['if (true) {', '}'],
  ['x[', ']'],
  ['-', ''],
  ['!', ''],
  ['a ? b : ', ''],
  ['while (x) ', ''],
  ['try { ', ' } catch (e) { }'],
  ['1 + ', ''],
  ['new int[', ']'],
  ['x as ', ''],
];

/** A way to make a text. */
type Way = (dice: Dice) => string;

const tokensOf = (text: string): string[] => text.match(/\w+|"[^"\n]*"|\s+|[^\w\s]+/g) ?? [];

const ways: readonly Way[] = [
  (dice) => Array.from({ length: dice.below(60) + 1 }, () => dice.pick(words)).join(dice.chance(30) ? '' : ' '),
  (dice) =>
    String.fromCharCode(...Array.from({ length: dice.below(300) }, () => dice.below(dice.chance(60) ? 0x80 : 0x10000))),
  (dice) => {
    const text = drawProgram(dice).text;
    return text.slice(0, dice.below(text.length));
  },
  (dice) => {
    const tokens = tokensOf(drawProgram(dice).text);
    for (let count = dice.below(5) + 1; count > 0; count--) damage(tokens, dice);
    return tokens.join('');
  },
  (dice) => {
    const [one, other] = [drawProgram(dice).text, drawProgram(dice).text];
    return one.slice(0, dice.below(one.length)) + other.slice(dice.below(other.length));
  },
  (dice) => {
    const depth = dice.pick([3, 100, 249, 250, 251, 2000, 20_000]);
    const nest = Array.from({ length: depth < 1000 || dice.chance(50) ? dice.below(2) + 1 : 1 }, () =>
      dice.pick(openers),
    );
    const at = (level: number): readonly [string, string] => nest[level % nest.length]!;
    const open = Array.from({ length: depth }, (_, level) => at(level)[0]).join('');
    const close = Array.from({ length: depth }, (_, level) => at(depth - 1 - level)[1]).join('');
    return (
      `${dice.pick(['', 'yield ', 'main() { ', 'int x = '])}${open}${dice.pick(['1', 'x', '', ';'])}` +
      `${dice.chance(70) ? close : ''}${dice.pick([';', '', ' }'])}`
    );
  },
];

/** One of the tokens goes, comes twice, becomes another, or changes places with another. */
function damage(tokens: string[], dice: Dice): void {
  const at = dice.below(tokens.length);
  const other = dice.below(tokens.length);
  switch (dice.below(5)) {
    case 0:
      tokens.splice(at, 1);
      return;
    case 1:
      tokens.splice(at, 0, tokens[at]!);
      return;
    case 2:
      tokens[at] = dice.pick(words);
      return;
    case 3:
      tokens[at] = tokens[other]!;
      return;
    default:
      [tokens[at], tokens[other]] = [tokens[other]!, tokens[at]!];
  }
}

const texts = new RandomText((dice) => dice.pick(ways)(dice), shorterTexts);

/**
 * What is wrong with how the compiler takes the text of a seed, and a shorter text with which something is; null if
 * nothing is.
 */
export function findFault(seed: number): string | null {
  const property = fc.property(texts, (text) => {
    const fault = faultOf(text);
    if (fault !== null) throw new Error(`${fault}\n${JSON.stringify(text)}`);
  });
  const { errorInstance } = fc.check(property, { seed, numRuns: 1 });
  return errorInstance === null ? null : `text ${seed}: ${(errorInstance as Error).message}`;
}

function faultOf(text: string): string | null {
  try {
    const { program: checked, diagnostics } = checkSource('random.slu', text);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if ((checked === null) !== errors.length > 0)
      return `${errors.length} errors, and ${checked === null ? 'no' : 'a'} program`;
    for (const diagnostic of diagnostics) {
      const { message, span, labels, fix } = diagnostic;
      if (message === '' || renderDiagnostic(diagnostic) === '') return `${diagnostic.code} says nothing`;
      const { length } = span.file.text;
      const outside = [span, ...labels.map((label) => label.span), ...(fix === null ? [] : [fix.span])].find(
        ({ start, end }) => !(start >= 0 && start <= end && end <= length),
      );
      if (outside !== undefined) return `${diagnostic.code} is at ${outside.start} to ${outside.end} of ${length}`;
    }
    return null;
  } catch (error) {
    return error instanceof Error ? String(error.stack) : String(error);
  }
}

/** A piece of the text, and where it begins. */
interface Piece {
  readonly size: number;
  readonly at: number;
}

/** Without a piece: half of the text first, single characters last. */
function* shorterTexts(text: string, from?: Piece): Generator<Smaller<Piece>> {
  let { size, at } = from ?? { size: Math.ceil(text.length / 2), at: 0 };
  for (; size > 0; size = Math.floor(size / 2), at = 0) {
    for (; at < text.length; at += size) yield [text.slice(0, at) + text.slice(at + size), { size, at }];
  }
}
