// Methods of string. Positions and lengths count characters (code points).

import { prelude } from '../language/implementation.ts';
import { stringType } from '../language/types.ts';
import { fn, methods } from './declare.ts';
import { lengths, making, positions, pure } from './effects.ts';
import type { EffectsRow } from './effects.ts';

const cutting: EffectsRow = { throws: true, allocates: true };

export const stringMethods = methods(stringType, 'string', 'Methods of string. A string never changes: methods return new ones.', [
  fn('int length()', 'Number of characters.', prelude('lengthOfText'), '"naïve 😀".length() → 7', { allocates: true, range: lengths }),
  fn('string upper()', 'Upper case, by Unicode, without locale.', prelude('upperText'), '"straße".upper() → STRASSE', making),
  fn('string lower()', 'Lower case, by Unicode, without locale.', prelude('lowerText'), '"ÄB".lower() → äb', making),
  fn('boolean contains(string sub)', 'True if sub occurs.', prelude('textContains'), '"haystack".contains("st") → true', pure),
  fn('string[] split(string delim)', 'The parts between delimiters, empty ones too; "" gives the characters.', prelude('splitText'), '"a,,b".split(",") → ["a","","b"]', cutting),
  fn('int toInt(int default)', 'Reads an int literal with an optional sign; default if it is none, or too large. As in a script, 08 is no literal, and no space stands around.', prelude('textToInt'), '"42".toInt(0) + "x".toInt(1) → 43', pure),
  fn('double toDouble(double default)', 'Reads an int or double literal with an optional sign; default if it is none, or too large. As in a script, 08 and .5 are no literals, and no space stands around.', prelude('textToDouble'), '"2.5e3".toDouble(0.0) → 2500.0', making),
  fn('boolean isEmpty()', 'True for "".', prelude('textIsEmpty'), '"".isEmpty() → true', pure),
  fn('string substring(int from, int to)', 'The characters from `from` up to, not including, `to`. IndexOutOfBoundsError outside the text.', prelude('substringOfText'), '"sluice".substring(1, 4) → lui', cutting),
  fn('int indexOf(string sub)', 'Position of the first sub; -1 if there is none.', prelude('indexOfText'), '"banana".indexOf("an") → 1', { allocates: true, range: positions }),
  fn('int lastIndexOf(string sub)', 'Position of the last sub; -1 if there is none.', prelude('lastIndexOfText'), '"banana".lastIndexOf("an") → 3', { allocates: true, range: positions }),
  fn('boolean startsWith(string p)', 'True if it begins with p.', prelude('textStartsWith'), '"sluice".startsWith("sl") → true', making),
  fn('boolean endsWith(string p)', 'True if it ends with p.', prelude('textEndsWith'), '"sluice".endsWith("ce") → true', making),
  fn('string trim()', 'Without Unicode white space at both ends.', prelude('trimText'), '"  x ".trim() → x', making),
  fn('string replace(string a, string b)', 'Every a replaced by b.', prelude('replaceText'), '"banana".replace("an", "-") → b--a', cutting),
  fn('string repeat(int n)', 'n copies in a row; "" for n below 1.', prelude('repeatText'), '"ab".repeat(3) → ababab', cutting),
  fn('string charAt(int i)', 'The character at i. IndexOutOfBoundsError outside the text.', prelude('characterAt'), '"a😀b".charAt(1) → 😀', cutting),
  fn('int codeAt(int i)', 'The code point at i. IndexOutOfBoundsError outside the text.', prelude('codePointAt'), '"a😀b".codeAt(1) → 128512', { throws: true, allocates: true, range: [0n, 0x10ffffn] }),
  fn('string padStart(int n, string fill = " ")', 'Filled at the start up to n characters.', prelude('padTextStart'), '"7".padStart(3, "0") → 007', cutting),
  fn('string padEnd(int n, string fill = " ")', 'Filled at the end up to n characters.', prelude('padTextEnd'), '"7".padEnd(3, ".") → 7..', cutting),
  fn('string toString()', 'The string itself.', prelude('textItself'), '"x".toString() → x', { flows: ['result = this'], closed: true }),
]);
