// Words that people bring from other languages, and slips in keywords.

import { SluiceParser } from './generated/SluiceParser.ts';

export const wordHints: Readonly<Record<string, string>> = {
  let: 'A variable is declared by its type: int x = 1;',
  var: 'A variable is declared by its type: int x = 1;',
  auto: 'A variable is declared by its type: int x = 1;',
  final: 'Write const in front of the type: const int x = 1;',
  function: 'A function is declared by its return type: int add(int a, int b) { … }',
  func: 'A function is declared by its return type: int add(int a, int b) { … }',
  fn: 'A function is declared by its return type: int add(int a, int b) { … }',
  def: 'A function is declared by its return type: int add(int a, int b) { … }',
  class: 'Data is declared with type: type Point { double x; double y; }. Functions stand beside it.',
  struct: 'Write type: type Point { double x; double y; }',
  interface: 'Write type: type Point { double x; double y; }',
  enum: 'There are no enums; use const int or const string variables.',
  float: 'The type is double.',
  number: 'The types are int and double.',
  long: 'The type is int, which has 64 bits.',
  char: 'A character is a string of length 1.',
  bool: 'The type is boolean.',
  String: 'The type is string.',
  elif: 'Write else if.',
  elsif: 'Write else if.',
  elseif: 'Write else if.',
  switch: 'There is no switch; write if and else if, or a chain of ? and :.',
  case: 'There is no switch; write if and else if, or a chain of ? and :.',
  and: 'Write &&.',
  or: 'Write ||.',
  not: 'Write !.',
  of: 'Write foreach (T x in xs).',
  finally: 'There is no finally; put what must happen behind the try and into its clauses.',
  raise: 'Write throw "message";',
  except: 'Write catch (e) { … }.',
  async: 'There is nothing to mark: the host waits for what takes time.',
  await: 'There is nothing to mark: the host waits for what takes time.',
  delete: 'Arrays have removeAt(i), json values remove(key).',
  print: 'Output is yielded: yield "text";',
  println: 'Output is yielded: yield "text";',
  printf: 'Output is yielded, and a template formats it: yield `${x}`;',
  include: 'Write import "file.slu" as name;',
  using: 'Write import "file.slu" as name;',
};

const keywords = SluiceParser.literalNames
  .flatMap((name) => (name !== null && /^'[a-z]+'$/.test(name ?? '') ? [name!.slice(1, -1)] : []))
  .filter((word) => word.length >= 4);

/** The keyword that a word is one slip away from: a letter more, less, other, or two swapped. */
export function misspelledKeyword(word: string): string | null {
  if (word.length > 12) return null;
  return keywords.find((keyword) => isOneSlip(word, keyword)) ?? null;
}

function isOneSlip(word: string, keyword: string): boolean {
  if (word === keyword || Math.abs(word.length - keyword.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === keyword[start]) start++;
  const rest = word.slice(start);
  const meant = keyword.slice(start);
  const swapped = rest.length > 1 && rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2);
  return swapped || rest.slice(1) === meant.slice(1) || rest.slice(1) === meant || rest === meant.slice(1);
}
