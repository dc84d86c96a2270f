// Nests on arrays of small ints, which lie in 32 bits and are worked on four at a time where all of it fits in 32 bits:
// choices, clamps, products, shifts and bits of elements, of both signs and at the edges of 8, 16 and 32 bits; elements
// that are up to four places away from those that are set; a row of which one element is read again and again.

import type { Dice } from '../random-text.ts';
import type { Shape, ShapeWriter } from './nest-shapes.ts';
import type { Side } from './nest-values.ts';

/** What a small array is filled with, by the number of an element. */
const contents: readonly ((dice: Dice, k: string) => string)[] = [
  (dice, k) => `${k} * ${dice.pick([1, 3, 7, 31])} % ${dice.pick([2, 7, 97, 256])}`,
  (dice, k) => `${k} * ${dice.pick([5, 11])} % ${dice.pick([9, 200])} - ${dice.pick([1, 4, 100])}`,
  (dice, k) => `${k} * 40503 & ${dice.pick(['255', '65535', '0x7fffffff', '0xffffffff', '0x3fffffff'])}`,
  (dice, k) => `${k} % ${dice.pick([1, 2, 3])} == 0 ? ${dice.pick(['2147483647', '1000000000', '65535'])} : ${k} % 11`,
  (dice, k) => `${dice.pick(['2147483647', '2147483640', '1073741824'])} - ${k} % 7`,
  (dice, k) => `${k} % ${dice.pick([2, 4])} == 1 ? ${dice.pick(['-2147483648', '-1073741824', '-32768'])} : ${k} % 5`,
];

/** Keeps a value small. */
const keepers: readonly ((dice: Dice, value: string) => string)[] = [
  (dice, value) => `(${value}) & ${dice.pick(['1', '255', '65535', '0x7fffffff', '0xffffffff'])}`,
  (dice, value) => `(${value}).min(${dice.pick(['255', '100', '2147483647'])}).max(${dice.pick(['0', '-100', '-1'])})`,
  (dice, value) => `(${value}) >>> ${dice.pick(['40', '33', '32'])}`,
  (dice, value) => `(${value}) % ${dice.pick(['8', '256', '65536'])}`,
];

/** What is worked out of two values. */
function combined(dice: Dice, one: string, other: string): string {
  const comparison = `${one} ${dice.pick(['<', '<=', '>', '>=', '==', '!='])} ${other}`;
  return dice.pick([
    `${one} + ${other}`,
    `${one} - ${other}`,
    `${one} * ${dice.pick(['3', '77', '-2', '32767', other])}`,
    `(${one} * 3 + ${other}) >> ${dice.pick(['1', '8', '31'])}`,
    `${one} >>> ${dice.pick(['1', '4', '31', '32'])}`,
    `${one} << ${dice.pick(['1', '4', '16', '31'])}`,
    `(${one} + ${other}) / ${dice.pick(['3', '7', '9', '16', '100', '65536'])}`,
    `${one} / ${dice.pick(['2', '5', '255'])} + ${other} % ${dice.pick(['8', '256', '2147483648'])}`,
    `${one}.${dice.pick(['min', 'max'])}(${other})`,
    `(${one} - ${other}).abs()`,
    `${one} ${dice.pick(['&', '|', '^'])} ${other}`,
    `~${one}`,
    `-${one}`,
    `(${comparison} ? ${one} : ${other})`,
    `(${comparison} ? ${other} : ${dice.pick(['0', '1', one])})`,
    one,
  ]);
}

/** A line that sets an element of `to`, out of two values. */
function statement(dice: Dice, to: string, one: string, other: string): string {
  const made = combined(dice, one, other);
  const value = dice.chance(15) ? `(${made}) ${dice.pick(['/ 9', '/ 16', '/ 100', '% 8', '/ 3'])}` : made;
  const kept = dice.chance(70) ? dice.pick(keepers)(dice, value) : value;
  return dice.pick([
    `${to} = ${kept};`,
    `${to} = ${kept};`,
    `if (${one} ${dice.pick(['<', '>', '<=', '>='])} ${to}) ${to} = ${one};`,
    `if (${one} + ${other} < ${to}) ${to} = ${one} + ${other};`,
    `${to} = ${to}.${dice.pick(['min', 'max'])}(${dice.chance(50) ? one : `${one} + ${other}`});`,
    `${to} = ${one} ${dice.pick(['<', '==', '>'])} ${other} ? ${dice.pick(['1', one])} : ${dice.pick(['0', to])};`,
  ]);
}

/** A small array of the sides, set to numbers. */
function smallArray(write: ShapeWriter, sides: readonly string[]): string {
  const { dice } = write;
  const name = write.name('small');
  const counters = sides.map(() => write.name('k'));
  write.line(`int${'[]'.repeat(sides.length)} ${name} = new int${sides.map((side) => `[${side}]`).join('')};`);
  const heads = counters.map((counter, at) => `for (int ${counter} = 0; ${counter} < ${sides[at]!}; ${counter}++)`);
  const value = dice.pick(contents)(dice, counters.length === 1 ? counters[0]! : `(${counters.join(' * 13 + ')})`);
  write.line(`${heads.join(' ')} ${name}${counters.map((counter) => `[${counter}]`).join('')} = ${value};`);
  return name;
}

/** Hands out a number that is made of all elements. */
function shown(write: ShapeWriter, name: string, p: Side | null, q: string): void {
  const [check, i, j] = [write.name('check'), write.name('i'), write.name('j')];
  write.line(`int ${check} = 0;`);
  const place = p !== null ? `${name}[${i}][${j}]` : `${name}[${j}]`;
  const inner = `for (int ${j} = 0; ${j} < ${q}; ${j}++) ${check} = ${check} * 31 + ${place};`;
  write.line(p !== null ? `for (int ${i} = 0; ${i} < ${p}; ${i}++) ${inner}` : inner);
  write.line(`yield ${check};`);
  write.costs.push({ n: p === 'n' ? 1 : 0, m: 1 });
}

const small: Shape = (write, arrays) => {
  const { dice } = write;
  const { p } = arrays;
  // Four iterations at once, twice, want longer rows than other nests have.
  const q = write.name('wide');
  write.line(`int ${q} = ${arrays.q} + ${dice.pick([0, 5, 8, 9, 17])};`);
  const [a, b] = [smallArray(write, [p, q]), smallArray(write, [p, q])];
  const [x, y] = [smallArray(write, [q]), smallArray(write, [q])];
  const [i, j] = [write.name('i'), write.name('j')];
  const away = dice.pick([0, 0, 0, 1, -1, 2, -2, -2, 3, -3, -3, 4, -4]);
  const near = away === 0 ? j : `${j} ${away < 0 ? '-' : '+'} ${Math.abs(away)}`;
  const fixed = dice.pick(['0', `${q} / 2`, `${q} - 1`]);
  const held = dice.chance(30) ? write.name('held') : null;
  const sources = [`${a}[${i}][${near}]`, `${a}[${i}][${near}]`, `${b}[${i}][${j}]`, `${x}[${j}]`, `${y}[${near}]`];
  const others = [
    `${x}[${j}]`,
    `${b}[${i}][${near}]`,
    `${a}[${i}][${fixed}]`,
    `${y}[${j}]`,
    '5',
    '-3',
    '65536',
    '2000000000',
  ];
  const targets = [`${a}[${i}][${j}]`, `${a}[${i}][${j}]`, `${b}[${i}][${j}]`, `${y}[${j}]`];
  if (held !== null) write.line(`int ${held} = ${dice.pick(['0', '7', q, `${x}[0]`])};`);
  const body = (): void => {
    for (let line = dice.pick([1, 1, 2]); line > 0; line--) {
      const one = dice.pick(sources);
      const other = held !== null && dice.chance(40) ? held : dice.pick(others);
      if (dice.chance(25)) {
        const value = write.name('value');
        write.line(`int ${value} = ${combined(dice, one, other)};`);
        if (dice.chance(40)) write.line(`if (${value} < 0) ${value} = 0;`);
        if (dice.chance(40)) write.line(`if (${value} > 255) ${value} = 255;`);
        write.line(statement(dice, dice.pick(targets), value, other));
      } else write.line(statement(dice, dice.pick(targets), one, other));
    }
    if (held === null || !dice.chance(40)) return;
    const one = dice.pick(sources);
    write.line(`${held} = ${dice.pick([one, `${held}.max(${one})`, `${held}.min(${one})`])};`);
  };
  const from = away < 0 ? String(-away) : '0';
  const to = away > 0 ? `${q} - ${away}` : q;
  const rows = (): void => write.loop(i, p, () => write.loop(j, arrays.q, body, from, to, 6), '0', p, 6);
  if (dice.chance(35)) write.again(rows);
  else rows();
  for (const name of [a, b]) shown(write, name, p, q);
  shown(write, y, null, q);
};

/** `sum += a[i][k] * b[k][j]`, whose products have more than 32 bits, and sums like it. */
const products: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const wide = write.name('wide');
  write.line(`int ${wide} = ${q} + ${dice.pick([0, 3, 8])};`);
  const [a, b, c] = [smallArray(write, [p, q]), smallArray(write, [q, wide]), smallArray(write, [p, wide])];
  const x = smallArray(write, [q]);
  const [i, j, k, sum] = ['i', 'j', 'k', 'sum'].map((name) => write.name(name)) as [string, string, string, string];
  const isInPlace = dice.chance(35);
  const target = isInPlace ? `${c}[${i}][${j}]` : sum;
  const product = dice.pick([
    `${a}[${i}][${k}] * ${b}[${k}][${j}]`,
    `${a}[${i}][${k}] * ${b}[${k}][${j}]`,
    `${b}[${k}][${j}] * ${dice.pick(['3', '-65536', '2147483647', '2147483648', `${x}[${k}]`])}`,
    `(${a}[${i}][${k}] - ${b}[${k}][${j}]) * ${x}[${k}]`,
    `${a}[${i}][${k}] * ${x}[${k}]`,
  ]);
  const step = dice.pick([
    `${target} += ${product};`,
    `${target} += ${product};`,
    `${target} -= ${product};`,
    `${target} = ${target}.max(${product});`,
    `${target} = ${target} * (${a}[${i}][${k}] & 1);`,
    `${target} *= ${b}[${k}][${j}];`,
    `${target} = ${target} + (${product} >>> 3);`,
  ]);
  const end = dice.pick([sum, sum, `${sum} & 65535`, `${sum} >>> 40`, `${sum}.min(255).max(0)`]);
  write.loop(
    i,
    p,
    () =>
      write.loop(
        j,
        q,
        () => {
          if (!isInPlace) write.line(`int ${sum} = ${dice.pick(['0', '0', '-7', `${c}[${i}][${j}]`])};`);
          write.loop(k, q, () => write.line(step), '0', q, 5);
          if (!isInPlace) write.line(`${c}[${i}][${j}] = ${end};`);
        },
        '0',
        wide,
        6,
      ),
    '0',
    p,
    6,
  );
  shown(write, c, p, wide);
};

export const narrowShapes: readonly Shape[] = [small, small, products];
