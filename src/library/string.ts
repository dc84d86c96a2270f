// Methods of string. Positions and lengths count characters (code points).

import { prelude } from '../language/implementation.ts';
import { stringType } from '../language/types.ts';
import { fn, methods } from './declare.ts';

export const stringMethods = methods(stringType, 'string', 'Methods of string. A string never changes: methods return new ones.', [
  fn('int length()', 'Number of characters.', prelude('lengthOfText')),
  fn('string upper()', 'Upper case, by Unicode, without locale.', prelude('upperText')),
  fn('string lower()', 'Lower case, by Unicode, without locale.', prelude('lowerText')),
  fn('boolean contains(string sub)', 'True if sub occurs.', prelude('textContains')),
  fn('string[] split(string delim)', 'The parts between delimiters, empty ones too; "" gives the characters.', prelude('splitText')),
  fn('int toInt(int default)', 'Reads an int literal with an optional sign; default if it is none, or too large. As in a script, 08 is no literal, and no space stands around.', prelude('textToInt')),
  fn('double toDouble(double default)', 'Reads an int or double literal with an optional sign; default if it is none, or too large. As in a script, 08 and .5 are no literals, and no space stands around.', prelude('textToDouble')),
  fn('boolean isEmpty()', 'True for "".', prelude('textIsEmpty')),
  fn('string substring(int from, int to)', 'The characters from `from` up to, not including, `to`. IndexOutOfBoundsError outside the text.', prelude('substringOfText')),
  fn('int indexOf(string sub)', 'Position of the first sub; -1 if there is none.', prelude('indexOfText')),
  fn('int lastIndexOf(string sub)', 'Position of the last sub; -1 if there is none.', prelude('lastIndexOfText')),
  fn('boolean startsWith(string p)', 'True if it begins with p.', prelude('textStartsWith')),
  fn('boolean endsWith(string p)', 'True if it ends with p.', prelude('textEndsWith')),
  fn('string trim()', 'Without Unicode white space at both ends.', prelude('trimText')),
  fn('string replace(string a, string b)', 'Every a replaced by b.', prelude('replaceText')),
  fn('string repeat(int n)', 'n copies in a row; "" for n below 1.', prelude('repeatText')),
  fn('string charAt(int i)', 'The character at i. IndexOutOfBoundsError outside the text.', prelude('characterAt')),
  fn('int codeAt(int i)', 'The code point at i. IndexOutOfBoundsError outside the text.', prelude('codePointAt')),
  fn('string padStart(int n, string fill = " ")', 'Filled at the start up to n characters.', prelude('padTextStart')),
  fn('string padEnd(int n, string fill = " ")', 'Filled at the end up to n characters.', prelude('padTextEnd')),
  fn('string toString()', 'The string itself.', prelude('textItself')),
]);
