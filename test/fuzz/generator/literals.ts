// Literals for generated programs, with the values on which arithmetic and texts turn.

import type { Dice } from '../random-text.ts';

const edgeInts = [
  '9223372036854775807',
  '(-9223372036854775808)',
  '9223372036854775806',
  '(-9223372036854775807)',
  '4611686018427387904',
  '2147483647',
  '2147483648',
  '(-2147483648)',
  '(-2147483649)',
  '4294967295',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '(-9007199254740993)',
  '0x7FFF_FFFF',
  '0b1010',
  '1_000_000_007',
  '63',
  '64',
  '65',
];
const edgeDoubles = [
  '(0.0 / 0.0)',
  '(1.0 / 0.0)',
  '(-1.0 / 0.0)',
  '(-0.0)',
  '0.0',
  '0.1',
  '0.5',
  '(-0.5)',
  '1.5',
  '2.5',
  '(-2.5)',
  '1e300',
  '5e-324',
  '1e21',
  '1e20',
  '1e-7',
  '9007199254740992.0',
  '9007199254740993.0',
  '9223372036854775807.0',
  '9223372036854774784.0',
  '(-9223372036854775808.0)',
  '1e19',
  '2147483648.5',
  '123456.789',
  '0.1e1',
  '4.35',
  '1e15',
  '0.000001',
];
const texts = [
  '""',
  '"a"',
  '"ab"',
  '"abc"',
  '"Abc xyz"',
  '"a,b,,c"',
  '"é"',
  '"straße"',
  '"日本語"',
  '"😀"',
  '"a😀b"',
  '"😀😀"',
  '"\\u{10FFFF}x"',
  '"\\uD83D\\uDE00!"',
  '"\\u{FFFD}\\u{E000}"',
  '" pad "',
  '"\\n\\t"',
  '"\\"q\\\\"',
  '"\\u0001"',
  '"12"',
  '"-7"',
  '"+0x1F"',
  '"1_000"',
  '"3.5"',
  '"1e3"',
  '"08"',
  '" 1"',
  '"9223372036854775808"',
  '"\\u00a0x\\u3000"',
  '"0123456789"',
  '"aaaa"',
  '"true"',
  '"null"',
];
const jsonTexts = [
  '{"a": 1, "b": [1, 2.5, "x", null, true], "c": {"a": 5}}',
  '[1, 2, 3]',
  '[{"a": 1}, {"a": 2.0}]',
  '42',
  '4.0',
  '"text"',
  'null',
  'true',
  '{}',
  '[]',
  '{"a": null}',
  '{"k y": "v", "a": "b"}',
  '9223372036854775807',
  '9223372036854775808',
  '-0',
  '-0.0',
  '1e2',
  '[[1], [2, 3]]',
  '{"a": {"a": {"a": {}}}}',
  '{"a": 1, "a": 2}',
  '"\\u00e9\\n"',
  '["a", "b"]',
  '[1.5]',
  '{"i": 7, "d": 1, "s": "t", "t": null}',
  '{"i": "7"}',
];
const faultyJson = ['', '{', '[1,]', '{"a" 1}', '01', '1.', '[1 2]', 'nul', '"\\x"', '"open', '{"a":1,}', '1e999', 'x'];
/** Keys of json objects, with the type that mostly stands behind each. */
export const typesOfKeys: Readonly<Record<string, string>> = {
  i: 'int',
  d: 'double',
  b: 'boolean',
  s: 'string',
  l: 'int[]',
  o: 'json',
  'k y': 'string',
  type: 'string',
  length: 'int',
};
export const keys = Object.keys(typesOfKeys);
const usualJson =
  '{"i": 7, "d": 2.5, "b": true, "s": "t😀", "l": [3, 1, 2], "o": {"i": -1, "l": [5], "o": {}}, "k y": "v"}';

export const literals = {
  int: (dice: Dice): string =>
    dice.chance(25)
      ? dice.pick(edgeInts)
      : dice.chance(20)
        ? `(-${dice.below(9) + 1})`
        : String(dice.below(dice.chance(70) ? 8 : 1000)),
  double: (dice: Dice): string =>
    dice.chance(20) ? dice.pick(edgeDoubles) : `${dice.below(20)}.${dice.pick(['0', '5', '25', '125', '1'])}`,
  boolean: (dice: Dice): string => dice.pick(['true', 'false']),
  string: (dice: Dice): string => dice.pick(texts),
  /** A text for `Json.parse`. */
  jsonText: (dice: Dice): string =>
    JSON.stringify(dice.chance(93) ? usualJson : dice.pick(dice.chance(90) ? jsonTexts : faultyJson)),
  parsed: (dice: Dice): string => `Json.parse(${literals.jsonText(dice)})`,
} as const;
