// Nests with positions that are no sums of counters: clamped at the edges, mirrored, going around, masked, or out of a
// table of indices. They are in variables or where they are used, and some are wrong: off by one, or out of range.

import type { Dice } from '../random-text.ts';
import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeWriter } from './nest-shapes.ts';

/** An int in `0 … side - 1` out of one that may be outside, in front of which statements may stand. */
interface Position {
  readonly before: readonly string[];
  readonly value: string;
}

type Way = (dice: Dice, at: string, side: string, name: string) => Position;

const plain = (value: string): Position => ({ before: [], value });

const ways: readonly Way[] = [
  (dice, at, side) => plain(`(${at}).clamp(0, ${last(dice, side)})`),
  (dice, at, side) => plain(`(${at}).max(0).min(${last(dice, side)})`),
  (dice, at, side) => plain(`(${last(dice, side)}).min(${at}).max(0)`),
  (dice, at, side) => plain(`(${at} < 0 ? 0 : (${at} >= ${side} ? ${last(dice, side)} : ${at}))`),
  (dice, at, side) => plain(`(${at} + ${dice.pick([side, side, '0'])}) % ${side}`),
  (_, at, side) => plain(`((${at}) % ${side} + ${side}) % ${side}`),
  (dice, at, side) => plain(`(${last(dice, side)}) - ((${last(dice, side)}) - (${at}).abs()).abs()`),
  (dice, at, side) => plain(`((${at}) ${dice.pick(['& 1', '& 3', '% 3'])}).min(${side} - 1)`),
  (dice, at, side, name) => ({
    before: [
      `int ${name} = ${at};`,
      `if (${name} ${dice.pick(['<', '<', '<='])} 0) ${name} = 0;`,
      `${dice.pick(['', 'else '])}if (${name} > ${last(dice, side)}) ${name} = ${last(dice, side)};`,
      ...(dice.chance(40) ? [`if (${at} > 1) ${name} = (${at}) * (${at});`] : []),
    ],
    value: name,
  }),
  (dice, at, side) => {
    const far = dice.pick(['1000', '9223372036854775800', '-9223372036854775800', 'n']);
    return plain(`((${at} + ${far}).clamp(${far}, ${far} + ${side} - 1) - ${far})`);
  },
  (dice, at, side, name) => ({
    before: [
      `int ${name} = ${at};`,
      `if (${name} < 0) { ${name} = ${dice.pick(['-', '0 - '])}${name}; }`,
      `else if (${name} >= ${side}) { ${name} = 2 * ${side} - 2 - ${name}; }`,
      ...(dice.chance(50) ? [`if (${name} < 0 || ${name} >= ${side}) ${name} = 0;`] : []),
    ],
    value: name,
  }),
  (dice, at, side, name) => ({
    before: [
      `int ${name} = (${at}).clamp(0, ${side} - 1);`,
      `${name} = ${name} ${dice.pick(['+ 0', '* 1', '/ 1', '% 8'])};`,
    ],
    value: name,
  }),
];

/** The last index, seldom one that is none. */
function last(dice: Dice, side: string): string {
  return dice.chance(90) ? `${side} - 1` : dice.pick([side, `${side} - 2`, `${side} - 4`]);
}

/** The position, whose statements are written; in a variable now and then, which may be set again behind its use. */
function placed(write: ShapeWriter, at: string, side: string): string {
  const { dice } = write;
  const name = write.name('at');
  const { before, value } = dice.pick(ways)(dice, at, side, name);
  for (const line of before) write.line(line);
  if (before.length > 0 || dice.chance(50)) return value;
  write.line(`int ${name} = ${value};`);
  return name;
}

/** `for (d…) for (e…) u[i][j] += v[clamped i + d][clamped j + e] * factor;` */
const windows: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, p, q, element } = arrays;
  const [u, v] = dice.chance(90) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const [i, j, d, e, r, row] = ['i', 'j', 'd', 'e', 'r', 'row'].map((name) => write.name(name)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  write.line(`int ${r} = ${dice.pick(['1', '2', '3', `${p}.min(3)`])};`);
  const head = (name: string): string => `for (int ${name} = -${r}; ${name} <= ${r}; ${name}++)`;
  // Some ten elements for each.
  const count = (side: string): number => [p, q].filter((one) => one === side).length;
  for (let time = 0; time < 10; time++) write.costs.push({ n: count('n'), m: count('m') });
  const isFlat = dice.chance(20);
  const flat = write.name('flat');
  if (isFlat) write.flatMatrix(flat, arrays, (k) => `${k} % 7 - 3${element === 'int' ? '' : ' + 0.25'}`);
  const isEarly = dice.chance(40);
  const body = (): void => {
    let y = isEarly ? '' : placed(write, `${i} + ${d}`, p);
    const inner = (): void => {
      if (isEarly) y = placed(write, `${i} + ${d}`, p);
      const x = placed(write, `${j} + ${e}`, q);
      const away = dice.chance(85) ? '' : dice.pick([` + ${i} - ${d}`, ` - ${j}`, ` + ${e}`]);
      const taken = isFlat ? `${flat}[${y} * ${q} + ${x}]` : `${v}[${y}][${x}${away}]`;
      if (!isFlat && dice.chance(25)) {
        write.line(`${element}[] ${row} = ${v}[${y}];`);
        if (y.startsWith('at') && dice.chance(60)) write.line(`${y} = ${y} + ${dice.pick(['1', d])};`);
        write.line(`${u}[${i}][${j}] += ${row}[${x}] * ${factor(arrays, write)};`);
      } else write.line(`${u}[${i}][${j}] += ${taken} * ${factor(arrays, write)};`);
      // In the next iteration it is another one.
      if (y.startsWith('at') && dice.chance(10)) write.line(`${y} = ${y} + ${dice.pick(['1', e])};`);
    };
    write.block(head(e), null, inner);
  };
  write.loop(i, p, () => write.loop(j, q, () => write.block(head(d), null, body), '0', q, 6), '0', p, 6);
};

/** `u[i][j] += v[i][table[j] + k] * w[table[k]]`, with tables that are mostly in range. */
const tables: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q } = arrays;
  const [i, j, k, g, table] = ['i', 'j', 'k', 'g', 'table'].map((name) => write.name(name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const side = dice.pick([p, q]);
  write.line(`int[] ${table} = new int[${dice.chance(85) ? side : '3'}];`);
  const value = dice.pick([`(${k} * 5 + 2) % ${side}`, `${side} - 1 - ${k}`, `${k} % 3`, `${k} * 3`, `${k} - 1`]);
  write.line(`for (int ${k} = 0; ${k} < ${table}.length(); ${k}++) ${table}[${k}] = ${value};`);
  const far = dice.pick(['-1', '9223372036854775807', '-9223372036854775807', '4294967296']);
  const [u, v] = dice.chance(90) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const at = write.name('at');
  write.line(`int ${at} = ${table}.length() / ${dice.pick(['2', '2', '1'])};`);
  // The same element all the time, or nearly.
  const isOne = dice.chance(30);
  if (dice.chance(isOne ? 50 : 15)) write.line(`if (${table}.length() > 0) ${table}[0] = ${far};`);
  const along = (name: string): string =>
    isOne && !dice.chance(25)
      ? `${table}[${at}]`
      : `${table}[${dice.chance(8) ? at : name}${dice.pick(['', '', '', ' - 0', ' + 1'])}]`;
  const index = (name: string): string =>
    dice.pick([
      () => along(name),
      () => along(name),
      () => `${along(name)} + ${dice.pick(['0', '1', j])}`,
      () => `(${along(name)} & 3)`,
      () => `(${table}[${along(name)} & 1] & 3)`,
      () => `(${v}[${i}][${j}] > 0 ? ${name} : 0)`,
    ])();
  const body = (): void => {
    const isNamed = dice.chance(50);
    if (isNamed) write.line(`int ${g} = ${index(i)};`);
    const inFront = isNamed ? g : index(i);
    write.loop(k, q, () => {
      const sum = dice.pick([
        () => `${u}[${i}][${j}] += ${v}[${inFront}][${k}] * ${vectors[1]}[${k}];`,
        () => `${u}[${i}][${j}] += ${v}[${i}][${index(j)}] * ${vectors[1]}[${k}];`,
        () => `${u}[${i}][${j}] += ${v}[${i}][${k}] * ${vectors[0]}[${inFront}] - ${vectors[2]}[${k}];`,
        () => `${u}[${i}][${j}] += ${vectors[0]}[(${i} + ${k}) % ${p}] * ${v}[${i}][${j}];`,
        () => `${u}[${i}][${k}] += ${v}[${inFront}][${index(k)}] * ${factor(arrays, write)};`,
      ])();
      write.line(sum);
      if (dice.chance(isOne ? 12 : 1)) write.line(`${at} = ${dice.pick([j, k, '0', `${at} - 1`])};`);
      if (dice.chance(10)) write.line(`${table}[${dice.pick([i, j])}] = ${k} * ${dice.pick(['1', '9'])};`);
    });
  };
  write.loops([i, p], [j, q])(body);
  write.line(`yield ${table};`);
};

export const rangeShapes: readonly Shape[] = [windows, windows, tables];
