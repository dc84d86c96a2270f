// Methods of string. Positions and lengths count characters (code points).

import { prelude } from '../language/implementation.ts';
import { stringType } from '../language/types.ts';
import { fn, methods } from './declare.ts';
import { lengths, making, positions, pure } from './effects.ts';
import type { EffectsRow } from './effects.ts';

const cutting: EffectsRow = { throws: true, allocates: true };

export const stringMethods = methods(
  stringType,
  'string',
  'Methods of string. A string never changes: methods return new ones.',
  [
    fn('int length()', 'Number of characters.', prelude('lengthOfText'), '"naïve 😀".length() → 7', {
      allocates: true,
      range: lengths,
      cost: '0',
    }),
    fn(
      'string upper()',
      'Upper case, by Unicode, without locale.',
      prelude('upperText'),
      '"straße".upper() → STRASSE',
      { ...cutting, cost: 'this' },
    ),
    fn('string lower()', 'Lower case, by Unicode, without locale.', prelude('lowerText'), '"ÄB".lower() → äb', {
      ...cutting,
      cost: 'this',
    }),
    fn(
      'boolean contains(string sub)',
      'True if sub occurs.',
      prelude('textContains'),
      '"haystack".contains("st") → true',
      { ...making, cost: 'this' },
    ),
    fn(
      'string[] split(string delim)',
      'The parts between delimiters, empty ones too; "" gives the characters.',
      prelude('splitText'),
      '"a,,b".split(",") → ["a","","b"]',
      { ...cutting, cost: 'this' },
    ),
    fn(
      'int toInt(int default)',
      'Reads an int literal with an optional sign; default if it is none, or too large. ' +
        'As in a script, 08 is no literal, and no space stands around.',
      prelude('textToInt'),
      '"42".toInt(0) + "x".toInt(1) → 43',
      { ...making, cost: 'this' },
    ),
    fn(
      'double toDouble(double default)',
      'Reads an int or double literal with an optional sign; default if it is none, or too large. ' +
        'As in a script, 08 and .5 are no literals, and no space stands around.',
      prelude('textToDouble'),
      '"2.5e3".toDouble(0.0) → 2500.0',
      { ...making, cost: 'this' },
    ),
    fn('boolean isEmpty()', 'True for "".', prelude('textIsEmpty'), '"".isEmpty() → true', pure),
    fn(
      'string substring(int from, int to)',
      'The characters from `from` up to, not including, `to`. IndexOutOfBoundsError outside the text.',
      prelude('substringOfText'),
      '"sluice".substring(1, 4) → lui',
      { ...cutting, cost: '0' },
    ),
    fn(
      'int indexOf(string sub)',
      'Position of the first sub; -1 if there is none.',
      prelude('indexOfText'),
      '"banana".indexOf("an") → 1',
      { allocates: true, range: positions, cost: 'this' },
    ),
    fn(
      'int lastIndexOf(string sub)',
      'Position of the last sub; -1 if there is none.',
      prelude('lastIndexOfText'),
      '"banana".lastIndexOf("an") → 3',
      { allocates: true, range: positions, cost: 'this' },
    ),
    fn(
      'boolean startsWith(string p)',
      'True if it begins with p.',
      prelude('textStartsWith'),
      '"sluice".startsWith("sl") → true',
      { ...making, cost: 'p' },
    ),
    fn(
      'boolean endsWith(string p)',
      'True if it ends with p.',
      prelude('textEndsWith'),
      '"sluice".endsWith("ce") → true',
      { ...making, cost: 'p' },
    ),
    fn('string trim()', 'Without Unicode white space at both ends.', prelude('trimText'), '"  x ".trim() → x', {
      ...making,
      cost: 'this',
    }),
    fn(
      'string replace(string a, string b)',
      'Every a replaced by b.',
      prelude('replaceText'),
      '"banana".replace("an", "-") → b--a',
      { ...cutting, cost: 'this + result' },
    ),
    fn(
      'string repeat(int n)',
      'n copies in a row; "" for n below 1.',
      prelude('repeatText'),
      '"ab".repeat(3) → ababab',
      { ...cutting, cost: 'result' },
    ),
    fn(
      'string charAt(int i)',
      'The character at i. IndexOutOfBoundsError outside the text.',
      prelude('characterAt'),
      '"a😀b".charAt(1) → 😀',
      { ...cutting, cost: '0' },
    ),
    fn(
      'int codeAt(int i)',
      'The code point at i. IndexOutOfBoundsError outside the text.',
      prelude('codePointAt'),
      '"a😀b".codeAt(1) → 128512',
      { throws: true, allocates: true, range: [0n, 0x10ffffn], cost: '0' },
    ),
    fn(
      'string padStart(int n, string fill = " ")',
      'Filled at the start up to n characters.',
      prelude('padTextStart'),
      '"7".padStart(3, "0") → 007',
      { ...cutting, cost: 'result' },
    ),
    fn(
      'string padEnd(int n, string fill = " ")',
      'Filled at the end up to n characters.',
      prelude('padTextEnd'),
      '"7".padEnd(3, ".") → 7..',
      { ...cutting, cost: 'result' },
    ),
    fn('string toString()', 'The string itself.', prelude('textItself'), '"x".toString() → x', {
      flows: ['result = this'],
      closed: true,
      cost: '0',
    }),
  ],
);
