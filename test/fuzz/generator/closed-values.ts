// Values that refer to nothing in sight, so that they may stand anywhere, and the optimiser knows all of them: short
// arrays of small numbers above all, which are no longer small once something is stored into them behind its back.

import type { Dice } from '../random-text.ts';
import { literals } from './literals.ts';
import { elementOf, isArray } from './scope.ts';
import type { Scope } from './scope.ts';

/** Numbers beyond 32 bits, for what is stored. */
const large = [
  '1 << 36',
  '(1 << 40) + 7',
  '-(1 << 35)',
  '9007199254740993',
  '9223372036854775807',
  '4294967296',
  '(-4294967297)',
  '123456789012345',
  '(-9223372036854775807 - 1)',
  '2147483648',
];

/**
 * What an argument mostly is, by the name of its parameter: a position that is there, a key, a text that can be read.
 */
const usual: Readonly<Record<string, (dice: Dice) => string>> = {
  i: (dice) => String(dice.below(3)),
  from: (dice) => String(dice.below(2)),
  to: (dice) => String(dice.below(3) + 1),
  n: (dice) => String(dice.below(9)),
  digits: (dice) => String(dice.below(21)),
  key: (dice) => JSON.stringify(dice.pick(['i', 'd', 'b', 's', 'l', 'o', 'ss', 'ds', 'rows', 'k', 'k', 'k y'])),
  text: (dice) => literals.jsonText(dice),
  sub: (dice) => dice.pick(['"b"', '"ab"', '"😀"', '"x"', '""']),
  delim: (dice) => dice.pick(['","', '"b"', '""', '"😀"']),
};

/** Parameters of which a result is one: what it was taken for shows when they are far apart. */
const ofNumbers: ReadonlySet<string> = new Set(['receiver', 'o', 'lo', 'hi', 'item', 'x']);

/** What files, pages and variables are called, and some that there are not; others prove no more. */
const outside: Readonly<Record<string, readonly string[]>> = {
  path: [
    'a.txt',
    'a.txt',
    'b.txt',
    'd/c.txt',
    'd',
    'new.txt',
    'd/new.txt',
    'no/such.txt',
    'a.txt/x',
    'd/e/f.txt',
    'new',
  ],
  dir: ['d', 'd/e', 'new', 'a.txt', 'no'],
  url: ['/page', '/data', '/list', '/broken', '/echo', '/none']
    .map((page) => `https://example.com${page}`)
    .concat('https://other.example/'),
  name: ['HOME', 'EMPTY', 'TEXT', 'NONE'],
  property: ['os.name', 'user.locale', 'os.arch', 'none'],
};

/** Parameters for which hardly any other value would do. */
export function isParticular(type: string, name: string): boolean {
  return type === 'string'
    ? outside[name] !== undefined || name === 'key' || name === 'text'
    : type === 'int' && ['i', 'from', 'to', 'n', 'digits'].includes(name);
}

/** A literal of the type, where the type is expected. */
export function closedValue(scope: Scope, type: string, name = '', depth = 2): string {
  const { dice } = scope;
  const names = type === 'string' ? outside[name] : undefined;
  if (names !== undefined) return JSON.stringify(dice.pick(names));
  const known = usual[name];
  if (known !== undefined && (type === 'int' || type === 'string') && !dice.chance(4)) return known(dice);
  if (type === 'int')
    return dice.chance(ofNumbers.has(name) ? 40 : 70)
      ? String(dice.below(10))
      : dice.chance(50)
        ? dice.pick(large)
        : literals.int(dice);
  if (type === 'double' || type === 'boolean' || type === 'string')
    return type === 'string' && dice.chance(60)
      ? dice.pick(['"abcab"', '"a,b,,c"', '"a😀bé"', '"éab"', '"12"', '"2.5"'])
      : literals[type](dice);
  if (type === 'json') return jsonLiteral(dice, depth);
  if (isArray(type))
    return arrayOf(
      scope,
      type,
      (element) => closedValue(scope, element, '', depth - 1),
      depth,
      ofNumbers.has(name) ? 50 : 85,
    );
  const fields = scope
    .struct(type)!
    .fields.map((field) => `${field.name}: ${fieldValue(scope, type, field.type, depth - 1)}`);
  return `{ ${fields.join(', ')} }`;
}

/** Where nothing says what type is expected. */
export function exactValue(scope: Scope, type: string, name = ''): string {
  if (type === 'json') return literals.parsed(scope.dice);
  if (isArray(type)) return arrayOf(scope, type, (element) => exactValue(scope, element), 1);
  return scope.struct(type) === null ? closedValue(scope, type, name) : `${maker(scope, type)}()`;
}

/** Something large of the type, to store. */
export function storedValue(scope: Scope, type: string): string {
  return type === 'int' ? scope.dice.pick(large) : closedValue(scope, type, '', 1);
}

function arrayOf(scope: Scope, type: string, element: (type: string) => string, depth: number, small = 85): string {
  const { dice } = scope;
  const length = depth < 0 ? 1 : dice.chance(5) ? 1 : dice.below(3) + 3;
  // Small numbers alone, mostly: one that is not would show less of what is taken for small.
  if (type === 'int[]' && dice.chance(small)) return `[${Array.from({ length }, () => dice.below(9)).join(', ')}]`;
  return `[${Array.from({ length }, () => element(elementOf(type))).join(', ')}]`;
}

/** Structs that hold themselves end soon. */
function fieldValue(scope: Scope, struct: string, type: string, depth: number): string {
  if (depth >= 0 && !type.startsWith(struct)) return closedValue(scope, type, '', depth);
  return isArray(type) ? '[]' : ['int', 'double', 'boolean'].includes(type) ? closedValue(scope, type) : 'null';
}

const members: readonly (readonly [key: string, value: (dice: Dice) => string])[] = [
  ['i', (dice) => String(dice.below(9))],
  ['d', () => '2.5'],
  ['b', () => 'true'],
  ['s', () => '"text"'],
  ['l', (dice) => `[${dice.below(5)}, 2, 3]`],
  ['ss', () => '["a", "b"]'],
  ['ds', () => '[0.5, 2]'],
  ['rows', () => '[{ n: 1, d: 0.5, s: "x", l: [1, 2], next: null }]'],
  ['k y', () => 'null'],
];

/** Half of the keys are there: what asks for one finds it, or takes its default. */
function jsonLiteral(dice: Dice, depth: number): string {
  if (dice.chance(15)) return dice.pick(['[1, 2, 3]', '[]', '[{ i: 1 }, 2, "x"]']);
  const found = members.filter(() => dice.chance(50)).map(([key, value]) => `${JSON.stringify(key)}: ${value(dice)}`);
  if (depth > 0) found.push(`"o": ${jsonLiteral(dice, 0)}`);
  return `{ ${found.join(', ')} }`;
}

/** A function that gives a new struct: a literal of one says nothing of its type. */
function maker(scope: Scope, struct: string): string {
  return scope.once(`maker of ${struct}`, () => {
    const name = scope.newName('m');
    scope.head(`${struct} ${name}() { return ${closedValue(scope, struct)}; }`);
    return name;
  });
}
