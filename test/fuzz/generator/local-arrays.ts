// Functions with arrays that no one sees behind them, but for a number that is made of their elements: of one to three
// dimensions, returned and handed on, with others that somebody sees, under errors, in recursion, read before they are
// set, made by the iterations of loops and there in the next ones or not, and beside them globals.

import type { Dice } from '../random-text.ts';
import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

/** An array type, and what its elements are set to by a number. */
interface Kind {
  readonly type: string;
  readonly value: (dice: Dice, at: string) => string;
  /** An int out of an element. */
  readonly asInt: (element: string) => string;
}

const kinds: readonly Kind[] = [
  { type: 'int', value: (dice, at) => `${at} & ${dice.pick(['1', '255', '65535', '0xffffffff'])}`, asInt: (x) => x },
  {
    type: 'int',
    value: (dice, at) => `${dice.pick(['4294967295', '65535', '2147483648'])} - (${at} & 3)`,
    asInt: (x) => x,
  },
  { type: 'int', value: (dice, at) => `${at} * ${dice.pick(['-3', '5', '3000000007'])}`, asInt: (x) => x },
  {
    type: 'double',
    value: (dice, at) => `${at} * ${dice.pick(['0.5', '-2.0'])}`,
    asInt: (x) => `Math.trunc(${x} * 2.0)`,
  },
  { type: 'boolean', value: (dice, at) => `${at} % ${dice.pick([2, 3])} == 0`, asInt: (x) => `(${x} ? 1 : 0)` },
];

export function localArrays({ scope }: Expressions): void {
  const { dice } = scope;
  const kind = dice.pick(kinds);
  const { type, asInt } = kind;
  const dimensions = dice.pick([1, 1, 2, 2, 3]);
  const array = `${type}${'[]'.repeat(dimensions)}`;
  const side = (at: number): string => (at === 0 ? 'n' : dice.pick(['2', '3', 'n', 'n + 1', '0 + n / 2', '5']));
  const made = (): string => `new ${type}${Array.from({ length: dimensions }, (_, at) => `[${side(at)}]`).join('')}`;
  /** Loops over all elements of an array. */
  const each = (name: string, line: (element: string, at: string) => string): string => {
    const counters = ['i', 'j', 'k'].slice(0, dimensions);
    const rows = counters.map(
      (_, at) =>
        `${name}${counters
          .slice(0, at)
          .map((counter) => `[${counter}]`)
          .join('')}`,
    );
    const heads = counters.map(
      (counter, at) => `for (int ${counter} = 0; ${counter} < ${rows[at]!}.length(); ${counter}++)`,
    );
    return `${heads.join(' ')} { ${line(`${name}[${counters.join('][')}]`, counters.join(' * 7 + '))} }`;
  };
  const [make, sum, use] = [scope.newName('f'), scope.newName('f'), scope.newName('f')];
  const set = (name: string): string => each(name, (element, at) => `${element} = ${kind.value(dice, `(${at})`)};`);
  scope.head(`int ${sum}(${array} a) {`);
  scope.head(`  int s = 0; ${each('a', (element) => `s = s * 31 + ${asInt(element)};`)} return s;`);
  scope.head('}');
  scope.head(`${array} ${make}(int n) {`);
  scope.head(`  ${array} a = ${made()}; int[] spent = new int[n + 3]; spent.fill(n);`);
  if (dice.chance(80)) scope.head(`  ${set('a')}`);
  if (dice.chance(30)) scope.head(`  if (spent[1] > 4) return ${made()};`);
  scope.head('  return a;');
  scope.head('}');
  const one = dice.pick([`${make}(n)`, `${make}(n)`, made()]);
  const other = dice.pick([`${make}(n + 2)`, made(), 'a']);
  const seen = dice.chance(40);
  const small = type === 'double' ? 'double' : 'int';
  const global = dice.chance(40) ? globalArrays(scope, array, made, set) : null;
  const lines: readonly (() => string)[] = [
    () => loopOfArrays(scope, array, made, (name) => `${sum}(${name})`, set, make),
    () => loopOfArrays(scope, array, made, (name) => `${sum}(${name})`, set, make),
    ...(global === null
      ? []
      : [
          (): string => `s = s * 31 + ${sum}(${global.name}); a = ${global.name};`,
          (): string => `s = s * 31 + ${sum}(${global.other});`,
          (): string => `{ int n = ${global.name}.length(); ${set(global.name)} }`,
          global.change,
        ]),
    () => set(dice.pick(['a', 'b'])),
    () => `s = s * 31 + ${sum}(${dice.pick(['a', 'b'])});`,
    () => `if (left > 0) s += ${use}(n + ${dice.below(3)}, left - 1);`,
    () => `for (int t = 0; t < 3; t++) s += ${sum}(${dice.pick(['a', 'b', `${make}(t + 1)`])});`,
    () =>
      `try { s += ${sum}(a); ${dice.pick(['a = b;', `a = ${made()};`, ''])} ` +
      'if (left < 2) throw "t"; } catch (e) { s++; }',
    () => `try { s += ${asInt(`a${'[n]'.repeat(dimensions)}`)}; } catch (e) { s = s * 3 + e.length(); }`,
    () => `${array} c${dice.below(1_000_000)} = ${dice.pick(['a', 'b', made()])};`,
    ...(dimensions === 1
      ? [
          (): string => `a.fill(${kind.value(dice, 'n')});`,
          (): string => `b.reverse();`,
          (): string => `s += a.indexOf(${kind.value(dice, '2')});`,
          ...(type === 'boolean' ? [] : [(): string => 'a.sort();', (): string => `s += ${asInt('b.sum()')};`]),
        ]
      : [(): string => `s += a.length() + a[0].length();`]),
    ...(dimensions === 2 && type !== 'boolean'
      ? [
          (): string =>
            'for (int t = 0; t < 4; t++) for (int i = 0; i < a.length(); i++) ' +
            `for (int j = 0; j < a[i].length(); j++) ` +
            `a[i][j] ${type === 'double' ? '= a[i][j] * 0.5 +' : '+='} x[${dice.pick(['t', 't + 1', '4 - t'])}];`,
        ]
      : []),
  ];
  scope.head(`int ${use}(int n, int left) {`);
  scope.head(`  int s = 0; ${array} a = ${one}; ${array} b = ${other}; ${small}[] x = new ${small}[9];`);
  scope.head(`  for (int i = 0; i < 9; i++) x[i] = i & 3;`);
  for (let count = dice.below(5) + 2; count > 0; count--) scope.head(`  ${dice.pick(lines)()}`);
  if (seen) scope.head(`  yield ${dice.pick(['x', 'a', 'b'])};`);
  scope.head(`  return s * 31 + ${sum}(a) * 7 + ${sum}(b);`);
  scope.head('}');
  for (let count = dice.below(2) + 1; count > 0; count--)
    scope.line(`try { yield ${use}(${dice.below(9)}, ${dice.below(4)}); } catch (e) { yield e; }`);
}

/** A loop whose iterations make arrays, and leave some of them to the next one or to what follows. */
function loopOfArrays(
  scope: Scope,
  array: string,
  made: () => string,
  sum: (name: string) => string,
  set: (name: string) => string,
  make: string,
): string {
  const { dice } = scope;
  const [one, other] = [scope.newName('x'), scope.newName('x')];
  const fresh = (): string => dice.pick([made(), `${make}(n + t)`, `t % 2 == 0 ? ${made()} : ${make}(t)`]);
  const parts: readonly (() => string)[] = [
    () => set(one),
    () => `s = s * 7 + ${sum(one)};`,
    () => `s = s * 7 + ${sum(other)};`,
    () => `if (t == ${dice.below(3)}) ${dice.pick(['continue', 'break'])};`,
    () => `if (t == ${dice.below(3)}) ${other} = ${one};`,
    () =>
      `try { ${dice.pick([`${one} = ${fresh()};`, set(one)])} if (t == 1) throw "t"; } catch (e) { s += ${sum(one)}; }`,
    () => `for (int u = 0; u < 3; u++) { ${array} v = ${fresh()}; if (u == t) break; s += ${sum('v')}; }`,
    () => `if (t > 5) return s;`,
  ];
  const body = Array.from({ length: dice.below(4) + 2 }, () => dice.pick(parts)()).join(' ');
  const keeps = dice.chance(30) ? ` ${other} = ${one};` : '';
  const head = dice.pick([
    'for (int t = 0; t < 4; t++) {',
    `for (int t = 0; t < 4 && ${sum(made())} < 1000000; t++) {`,
  ]);
  return (
    `${array} ${other} = ${dice.pick(['a', 'b', made()])}; ` +
    `${head} ${array} ${one} = ${fresh()}; ${body}${keeps} }` +
    dice.pick(['', ` s += ${sum(other)};`])
  );
}

/** A global array, which functions exchange with another, replace, or leave as it is; and what changes it. */
function globalArrays(
  scope: Scope,
  array: string,
  made: () => string,
  set: (name: string) => string,
): { readonly name: string; readonly other: string; readonly change: () => string } {
  const { dice } = scope;
  const [length, one, other, setUp] = [scope.newName('g'), scope.newName('g'), scope.newName('g'), scope.newName('f')];
  const value = (): string => made().replaceAll(/\bn\b/g, length);
  const replaces = dice.chance(20);
  scope.head(`int ${length} = ${dice.below(5) + 1};`);
  scope.head(`${array} ${one} = ${value()};`);
  scope.head(`${array} ${other} = ${dice.pick(['[]', value(), value(), one])};`);
  scope.head(`void ${setUp}(int n) { ${length}++; ${array} q = ${made()}; ${set('q')} ${other} = q; }`);
  const setUpLine = `${setUp}(${dice.below(5)});`;
  const way = dice.pick(['never', 'once', 'once', 'in a loop', 'in a try']);
  if (way === 'once') scope.line(setUpLine);
  if (way === 'in a loop') scope.line(`for (int i = 0; i < 2; i++) ${setUpLine}`);
  if (way === 'in a try') scope.line(`try { ${setUpLine} throw "after"; } catch (e) { yield e; }`);
  const swap = `{ ${array} t = ${one}; ${one} = ${other}; ${other} = t; }`;
  const change = (): string => dice.pick([swap, ...(replaces ? [`${one} = ${made()};`, `${setUp}(left);`] : [])]);
  return { name: one, other, change };
}
