// The ways to write an expression of a type, in tables with weights. A way that has nothing to go by (no variable of a
// type, no function) gives null, and another is tried.

import { literals } from './literals.ts';
import type { Scope } from './scope.ts';

/** What a way may ask for. Below depth 1 an expression is a literal or a variable. */
export interface Maker {
  readonly scope: Scope;
  /** Where the type is expected: literals of structs and arrays, null, and what becomes the type by itself. */
  of(type: string, depth: number): string;
  /** Where nothing says which type is expected. */
  exact(type: string, depth: number): string;
  /** In front of a dot or behind a sign. */
  operand(type: string, depth: number): string;
  /** Two numbers, at least one of them a double. */
  mixed(operator: string, depth: number): string;
  comparison(): string;
  element(type: string, depth: number): string | null;
  field(type: string, depth: number): string | null;
  call(type: string, depth: number): string | null;
  cast(type: string, depth: number): string | null;
  update(type: string, depth: number): string | null;
  /** Whether something may stand here that fails more often than not: seldom, or no program gets far. */
  dares(): boolean;
  /** An int that is mostly small. */
  small(depth: number): string;
  /** An int that is mostly a position of the array. */
  index(array: string, depth: number): string;
  key(): string;
  /** The names of a variable that is an array or a struct. */
  anyArray(): string | null;
  anyStruct(): string | null;
  identity(depth: number): string | null;
  contains(depth: number): string | null;
  template(depth: number): string;
  memberOf(depth: number): string;
  /** Any value that json can hold. */
  jsonValue(depth: number): string;
  jsonLiteral(depth: number): string;
  structLiteral(type: string, depth: number): string;
  arrayLiteral(type: string, depth: number): string;
  /** A literal whose elements say what it is. */
  exactArray(type: string, depth: number): string;
  newArray(type: string): string;
  arrayOfOther(type: string, depth: number): string | null;
}

type Way = (make: Maker, type: string, depth: number) => string | null;
export type Table = readonly (readonly [weight: number, way: Way])[];

/** Part of an expression, written only where it is chosen. */
type Part = string | (() => string);

function pick(make: Maker, ...parts: readonly Part[]): string {
  const part = make.scope.dice.pick(parts);
  return typeof part === 'string' ? part : part();
}

/** A method call; the calls are written behind the receiver. */
const method =
  (receiver: string, calls: (make: Maker, depth: number) => readonly Part[]): Way =>
  (make, _type, depth) =>
    `${make.operand(receiver, depth - 1)}.${pick(make, ...calls(make, depth - 1))}`;

/** What is masked to 32 bits, as hashes and generators of numbers do it. */
function word(make: Maker, depth: number): string {
  const { dice } = make.scope;
  const part = (): string => (depth > 0 && dice.chance(60) ? word(make, depth - 1) : make.exact('int', depth - 1));
  const count = pick(
    make,
    () => String(dice.below(40)),
    () => String(dice.below(32)),
    () => `(${make.exact('int', 0)} & ${pick(make, '15', '31', '63')})`,
    () => make.small(0),
  );
  const inner = dice.chance(60)
    ? `(${part()} ${pick(make, '<<', '>>>', '>>')} ${count})`
    : `(${part()} ${pick(make, '+', '-', '*', '^', '|')} ${part()})`;
  return `(${inner} & ${pick(make, '0xFFFF_FFFF', '4294967295', '0xFFFF_FFFF', '0xFFFF')})`;
}

/** Ways to any type. */
const common: Table = [
  [14, (make, type) => make.scope.variable(type)],
  [7, (make, type, depth) => make.element(type, depth)],
  [6, (make, type, depth) => make.field(type, depth)],
  [6, (make, type, depth) => make.call(type, depth)],
  [
    3,
    (make, type, depth) =>
      `(${make.of('boolean', depth - 1)} ? ${make.exact(type, depth - 1)} : ${make.exact(type, depth - 1)})`,
  ],
  [
    1,
    (make, type, depth) => {
      const array = make.scope.variable(`${type}[]`);
      // Nothing would say that a literal of json values is an array.
      if (array === null || type.startsWith('json[')) return null;
      const taken = pick(make, `${array}.pop()`, () => `${array}.removeAt(${make.index(array, depth)})`);
      return make.dares() ? taken : `(${array}.length() > 4 ? ${taken} : ${make.exact(type, 0)})`;
    },
  ],
  [1, (make, type, depth) => (type === 'json' ? null : make.cast(type, depth))],
];

const ints: Table = [
  [6, (make) => literals.int(make.scope.dice)],
  [
    10,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} ${pick(make, '+', '-', '*', '+', '-')} ${make.exact('int', depth - 1)})`,
  ],
  [
    4,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} ${pick(make, '&', '|', '^')} ${make.exact('int', depth - 1)})`,
  ],
  [2, (make, _type, depth) => word(make, depth)],
  [
    3,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} ${pick(make, '<<', '>>', '>>>')} ` +
      `${make.exact('int', make.scope.dice.chance(50) ? 0 : depth - 1)})`,
  ],
  [
    3,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} ${pick(make, '/', '%')} ` +
      `${pick(make, '2', '3', '7', '8', '10', '(-3)', '1', '(-1)', '4294967296', '1_000_000_007')})`,
  ],
  [
    2,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} ${pick(make, '/', '%')} ` +
      `${make.dares() ? make.exact('int', depth - 1) : `(${make.exact('int', depth - 1)} | 1)`})`,
  ],
  [2, (make, _type, depth) => `(${pick(make, '-', '~')}${make.operand('int', depth - 1)})`],
  [
    2,
    method('int', (make, depth) => [
      'abs()',
      'bitCount()',
      'leadingZeros()',
      'trailingZeros()',
      () => `min(${make.of('int', depth)})`,
      () => `max(${make.of('int', depth)})`,
      'clamp(-3, 9)',
      'clamp(0, 4294967296)',
    ]),
  ],
  [
    3,
    method('string', (make, depth) => [
      'length()',
      'length()',
      () => `${make.dares() ? '' : 'padEnd(9, "aé").'}codeAt(${make.small(depth)})`,
      () => `indexOf(${make.of('string', depth)})`,
      () => `lastIndexOf(${make.of('string', depth)})`,
      () => `toInt(${make.of('int', 0)})`,
    ]),
  ],
  [
    3,
    (make) => {
      const array = make.anyArray();
      return array === null ? null : `${array}.length()`;
    },
  ],
  [
    1,
    method('int[]', (make, depth) => [
      'sum()',
      'sum()',
      make.dares() ? 'min()' : 'concat([7]).min()',
      'concat([3]).max()',
      () => `indexOf(${make.of('int', depth)})`,
    ]),
  ],
  [
    2,
    (make, _type, depth) =>
      pick(
        make,
        () =>
          `Math.${pick(make, 'floor', 'ceil', 'round', 'trunc')}(${make.dares() ? '' : '0.5 + '}${make.dares() ? make.of('double', depth - 1) : `(${make.exact('double', depth - 1)}).clamp(-1e10, 9e18).max(-5.5)`})`,
      ),
  ],
  [1, method('double', (make) => [make.dares() ? 'toInt()' : 'clamp(-9e9, 1e17).max(0.5).toInt()'])],
  [1, method('json', (make, depth) => ['size()', () => `getInt(${make.key()}, ${make.of('int', depth)})`])],
  [2, (make, _type, depth) => make.update('int', depth)],
];

const doubles: Table = [
  [7, (make) => literals.double(make.scope.dice)],
  [9, (make, _type, depth) => make.mixed(pick(make, '+', '-', '*', '/', '%'), depth)],
  [1, (make, _type, depth) => `(-${make.operand('double', depth - 1)})`],
  [
    2,
    method('double', (make, depth) => [
      'abs()',
      () => `min(${make.of('double', depth)})`,
      () => `max(${make.of('double', depth)})`,
      'clamp(-1.5, 2.5)',
    ]),
  ],
  [2, method('int', () => ['toDouble()', 'bitsToDouble()'])],
  [1, method('string', (make) => [() => `toDouble(${make.of('double', 0)})`])],
  [
    3,
    (make, _type, depth) =>
      `Math.${pick(make, 'sqrt', 'abs', 'sign', 'sin', 'exp', 'log', 'cbrt', 'log2', 'atan')}(` +
      `${make.of('double', depth - 1)})`,
  ],
  [
    1,
    (make, _type, depth) =>
      `Math.${pick(make, 'min', 'max', 'pow', 'atan2', 'hypot')}(${make.of('double', depth - 1)}, ` +
      `${make.of('double', depth - 1)})`,
  ],
  [1, () => 'Math.PI'],
  [1, method('double[]', () => ['sum()', 'concat([0.25]).min()', 'concat([-0.0]).max()'])],
  [1, method('json', (make, depth) => [() => `getDouble(${make.key()}, ${make.of('double', depth)})`])],
  [1, (make, _type, depth) => make.update('double', depth)],
];

const booleans: Table = [
  [2, (make) => literals.boolean(make.scope.dice)],
  [
    3,
    (make, _type, depth) =>
      `(${make.exact('int', depth - 1)} % ${pick(make, '2', '2', '4', '8', '3', '16', '(-4)')} ` +
      `${pick(make, '==', '!=', '==', '<')} ${pick(make, '0', '0', '0', '1', '1', '(-1)', '3')})`,
  ],
  [8, (make, _type, depth) => `(${make.exact('int', depth - 1)} ${make.comparison()} ${make.exact('int', depth - 1)})`],
  [3, (make, _type, depth) => make.mixed(make.comparison(), depth)],
  [
    3,
    (make, _type, depth) =>
      `(${make.exact('string', depth - 1)} ${make.comparison()} ${make.exact('string', depth - 1)})`,
  ],
  [
    4,
    (make, _type, depth) =>
      `(${make.exact('boolean', depth - 1)} ${pick(make, '&&', '||', '&&', '||', '&', '|', '^', '==', '!=')} ` +
      `${make.exact('boolean', depth - 1)})`,
  ],
  [2, (make, _type, depth) => `(!${make.operand('boolean', depth - 1)})`],
  [2, (make, _type, depth) => make.identity(depth)],
  [
    2,
    (make, _type, depth) => `(${make.exact('json', depth - 1)} ${pick(make, '==', '!=')} ${make.jsonValue(depth - 1)})`,
  ],
  [1, method('double', () => ['isNaN()', 'isFinite()'])],
  [
    2,
    method('string', (make, depth) => [
      'isEmpty()',
      () => `contains(${make.of('string', depth)})`,
      () => `startsWith(${make.of('string', depth)})`,
      () => `endsWith(${make.of('string', depth)})`,
    ]),
  ],
  [1, (make, _type, depth) => make.contains(depth)],
  [
    1,
    method('json', (make) => [
      () => `has(${make.key()})`,
      'isObject()',
      'isArray()',
      () => `getBool(${make.key()}, true)`,
    ]),
  ],
];

const strings: Table = [
  [7, (make) => literals.string(make.scope.dice)],
  [4, (make, _type, depth) => `(${make.exact('string', depth - 1)} + ${make.exact('string', depth - 1)})`],
  [6, (make, _type, depth) => make.template(depth)],
  [
    4,
    method('string', (make, depth) => [
      'upper()',
      'lower()',
      'trim()',
      'toString()',
      () => `${make.dares() ? '' : 'padEnd(9, "a😀").'}charAt(${make.small(depth)})`,
      () =>
        make.dares()
          ? `substring(${make.small(depth)}, ${make.small(depth)})`
          : `padStart(8).substring(${make.scope.dice.below(4)}, ${make.scope.dice.below(4) + 4})`,
      () => `replace(${make.of('string', depth)}, ${make.of('string', depth)})`,
      () => `repeat(${make.scope.dice.below(4)})`,
      () => `padStart(${make.scope.dice.below(9)}, ${make.of('string', 0)})`,
      () => `padEnd(${make.scope.dice.below(9)})`,
    ]),
  ],
  [2, method('int', () => ['toString()', 'toHex()'])],
  [2, method('double', (make) => ['toString()', () => `toFixed(${make.dares() ? 21 : make.scope.dice.below(21)})`])],
  [1, method('boolean', () => ['toString()'])],
  [1, method('string[]', (make) => [() => `join(${make.of('string', 0)})`])],
  [2, method('json', (make, depth) => ['kind()', () => `getString(${make.key()}, ${make.of('string', depth)})`])],
  [1, (make, _type, depth) => `Json.stringify(${make.of('json', depth - 1)}${pick(make, '', ', false')})`],
];

const jsons: Table = [
  [3, (make) => literals.parsed(make.scope.dice)],
  [4, (make, _type, depth) => make.memberOf(depth)],
  [1, method('json', (make, depth) => ['copy()', () => `getJSON(${make.key()}, ${make.of('json', depth)})`])],
  [
    1,
    (make, _type, depth) =>
      make.dares()
        ? `(${pick(make, make.anyArray() ?? 'new int[2]', () => make.exact(make.anyStruct() ?? 'double[]', depth - 1))} as json)`
        : null,
  ],
];

const structs: Table = [];

const arrays: Table = [
  [1, (make, type) => make.newArray(type)],
  [3, (make, type, depth) => make.exactArray(type, depth)],
  [
    3,
    (make, type, depth) => {
      const array = make.scope.variable(type);
      return array === null
        ? null
        : pick(
            make,
            `${array}.copy()`,
            () => `${array}.concat(${make.of(type, depth - 1)})`,
            `${array}.slice(0, ${array}.length())`,
            () =>
              make.dares()
                ? `${array}.slice(${make.small(depth)}, ${make.small(depth)})`
                : `${array}.slice(${array}.length() / 2, ${array}.length())`,
          );
    },
  ],
  [2, (make, type, depth) => make.arrayOfOther(type, depth)],
];

const byKind: Readonly<Record<string, Table>> = {
  int: ints,
  double: doubles,
  boolean: booleans,
  string: strings,
  json: jsons,
};

/** Ways to what has the type by itself. */
export function waysTo(type: string): Table {
  return [...common, ...(type.endsWith('[]') ? arrays : (byKind[type] ?? structs))];
}

const nothing: Table = [[1, (make) => (make.dares() ? 'null' : null)]];

/** Further ways where the type is expected. */
export function placedWays(type: string): Table {
  if (type.endsWith('[]')) return [[10, (make, wanted, depth) => make.arrayLiteral(wanted, depth)], ...nothing];
  if (type === 'json')
    return [
      [9, (make, _type, depth) => make.jsonLiteral(depth)],
      [1, (make, _type, depth) => (make.dares() ? make.exact(make.anyStruct() ?? 'json', depth - 1) : null)],
      ...nothing,
    ];
  if (type === 'double') return [[4, (make, _type, depth) => make.exact('int', depth - 1)]];
  if (type === 'string') return nothing;
  return byKind[type] !== undefined
    ? []
    : [[9, (make, wanted, depth) => make.structLiteral(wanted, depth)], ...nothing];
}
