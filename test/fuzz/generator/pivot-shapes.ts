// Nests that look for a place and work there: elimination with pivots, whose rows change places whole or element by
// element, and the least of what is left, as a sort by selection has it. The place begins with the counter of the loop
// around and is set in some iterations; now and then it goes on from one search to the next, or is one too far. And
// what is set at places out of a table, several times at one of them.

import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';
import { factor } from './matrix-shapes.ts';

/** Rows `one` and `other` of a matrix change places; `end` is how many elements they have. */
function swap(write: ShapeWriter, matrix: string, one: string, other: string, element: string, end: string): void {
  const { dice } = write;
  const held = write.name('held');
  dice.pick([
    () => {
      write.line(`${element}[] ${held} = ${matrix}[${one}];`);
      write.line(`${matrix}[${one}] = ${matrix}[${dice.chance(95) ? other : one}];`);
      write.line(`${matrix}[${other}] = ${held};`);
      if (dice.chance(15)) write.line(`${held}[${dice.pick(['0', `${end} - 1`])}] += ${dice.pick([1, 2])};`);
    },
    () => swapElements(write, (row, column) => `${matrix}[${row}][${column}]`, one, other, element, end),
  ])();
}

function swapElements(
  write: ShapeWriter,
  at: Layout['at'],
  one: string,
  other: string,
  element: string,
  end: string,
): void {
  const [j, held] = [write.name('j'), write.name('held')];
  write.scope.block(`for (int ${j} = 0; ${j} < ${write.mostly(end, `${end} - 1`)}; ${j}++)`, () => {
    write.line(`${element} ${held} = ${at(one, j)};`);
    write.line(`${at(one, j)} = ${at(other, j)};`);
    write.line(`${at(other, j)} = ${held};`);
  });
}

/** An array with the rows of a matrix one behind another, filled; the matrix itself where it is no such array. */
function laidOut(write: ShapeWriter, matrix: string, arrays: ShapeArrays): Layout {
  if (!write.dice.chance(20)) return { at: (row, column) => `${matrix}[${row}][${column}]`, flat: null };
  const flat = write.name('flat');
  const rest = arrays.element === 'int' ? '' : ' + 0.3';
  write.flatMatrix(flat, arrays, (k) => `(${k} * 5 + ${k} / 3) % 7 - 3${rest}`);
  return { at: (row, column) => `${flat}[${row} * ${arrays.q} + ${column}]`, flat };
}

interface Layout {
  readonly at: (row: string, column: string) => string;
  readonly flat: string | null;
}

/** `pivot = k; for (i…) if (a[i][k] > a[pivot][k]) pivot = i; swap(a, k, pivot); for (i…) for (j…) a[i][j] -= …` */
const elimination: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q, element } = arrays;
  const [a, b] = dice.chance(85) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const [k, i, j, pivot, most, row] = ['k', 'i', 'j', 'pivot', 'most', 'row'].map((name) => write.name(name)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const column = p === q ? k : dice.pick([`${k} % ${q}`, `${k}.min(${q} - 1)`, '0', '0']);
  const from = dice.pick([`${k} + 1`, `${k} + 1`, `${k} + 1`, k, '0']);
  const start = dice.pick([k, k, k, k, k, '0', `${p} - 1`, `${k} - 1`]);
  const isCarried = dice.chance(8);
  const { at, flat } = laidOut(write, a, arrays);
  const second = dice.pick([k, p, `${i} + 1`, `${k} - 1`]);
  const search = (): void => {
    const value = at(i, column);
    const best = at(pivot, column);
    const place = dice.chance(90) ? i : dice.pick([`${i} + 1`, `${i} - 1`, k, `${p} - 1 - ${i}`]);
    if (dice.chance(50)) {
      write.line(`${element} ${most} = ${best};`);
      write.loop(i, p, () => write.line(`if (${value} > ${most}) { ${most} = ${value}; ${pivot} = ${place}; }`), from);
    } else
      write.loop(
        i,
        p,
        () =>
          write.line(
            dice.pick([
              `if (${value} > ${best}) ${pivot} = ${place};`,
              `${pivot} = ${value} > ${best} ? ${place} : ${pivot};`,
              `if (${value} > ${best}) ${pivot} = ${i}; else if (${value} < 0) ${pivot} = ${second};`,
              `${pivot} = ${value} > ${best} ? ${i} : ${value} < 0 ? ${second} : ${pivot};`,
            ]),
          ),
        from,
      );
  };
  const work = (): void => {
    const rows = (body: () => void): void => write.loop(i, p, body, dice.pick([`${k} + 1`, '0']), p, 8);
    const columns = (body: () => void): void => write.loop(j, q, body, dice.pick([column, '0', '0']), q, 8);
    const upper = dice.chance(80) ? at(k, j) : dice.chance(50) ? at(pivot, j) : `${b}[${pivot}][${j}]`;
    rows(() => columns(() => write.line(`${at(i, j)} -= ${upper} * ${factor(arrays, write)};`)));
  };
  if (isCarried) write.line(`int ${pivot} = 0;`);
  write.loop(
    k,
    p,
    () => {
      write.line(`${isCarried ? '' : 'int '}${pivot} = ${start};`);
      const isEarly = flat === null && dice.chance(12);
      if (isEarly) write.line(`${element}[] ${row} = ${a}[${dice.pick([k, pivot])}];`);
      search();
      if (dice.chance(50)) write.line(`${vectors[0]}[${k}] = ${pivot};`);
      const swapped = (one: string, other: string): void =>
        flat === null ? swap(write, a, one, other, element, q) : swapElements(write, at, one, other, element, q);
      if (dice.chance(15)) swapped(k, dice.pick(['0', `${p} - 1`, `${p} - 1 - ${k}`]));
      if (dice.chance(60)) write.scope.block(`if (${pivot} != ${k})`, () => swapped(k, pivot));
      else if (dice.chance(20)) swapped(k, `${p} - 1 - ${k}`);
      else swapped(pivot, k);
      if (isEarly) write.line(`${row}[${column}] += ${dice.pick([1, 3])};`);
      if (dice.chance(25)) write.line(`${vectors[0]}[${pivot}] += ${k};`);
      work();
    },
    '0',
    p,
    8,
  );
  if (flat !== null) write.line(`yield ${flat};`);
};

/** `for (i…) { at = i; for (j…) if (x[j] < x[at]) at = j; swap(x, i, at) }`, of numbers or of rows. */
const selection: Shape = (write, { matrices: [a, b], vectors: [x, y], p, q, element }) => {
  const { dice } = write;
  const [i, j, at, held] = ['i', 'j', 'at', 'held'].map((name) => write.name(name)) as [string, string, string, string];
  const isOfRows = dice.chance(50);
  const key = (place: string): string => (isOfRows ? `${a}[${place}][0]` : `${x}[${place}]`);
  const compared = dice.chance(85) ? key : (place: string): string => `${dice.pick([x, a + '[0]'])}[${place}]`;
  write.loop(
    i,
    p,
    () => {
      write.line(`int ${at} = ${dice.chance(85) ? i : '0'};`);
      write.loop(
        j,
        p,
        () => write.line(`if (${key(j)} < ${compared(at)}) ${at} = ${j};`),
        dice.pick([`${i} + 1`, i, '0']),
        p,
        8,
      );
      if (isOfRows) swap(write, a, i, at, element, q);
      else {
        write.line(`${element} ${held} = ${x}[${i}];`);
        write.line(`${x}[${i}] = ${x}[${at}];`);
        write.line(`${x}[${at}] = ${held};`);
      }
      if (dice.chance(30)) write.loop(j, q, () => write.line(`${b}[${at}][${j}] += ${y}[${j}];`));
    },
    '0',
    p,
    8,
  );
};

/** `for (k…) { swap(a, k, p - 1 - k); for (i…) for (j…) b[i][j] += a[k][j] }` */
const crossing: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, p, q, element } = arrays;
  const [a, b] = dice.chance(85) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const [k, i, j] = [write.name('k'), write.name('i'), write.name('j')];
  const work = (): void => {
    const guard = dice.pick(['', `if (${j} > 0) `, `if (${i} < ${k}) `]);
    const read = dice.pick([`${a}[${k}][${guard.includes('0') ? `${j} - 1` : j}]`, `${a}[${i}][${j}]`]);
    write.loops([i, p], [j, q])(() => write.line(`${guard}${b}[${i}][${j}] += ${read} * ${factor(arrays, write)};`));
  };
  write.loop(
    k,
    p,
    () => {
      const isLate = dice.chance(30);
      if (isLate) work();
      swap(write, a, k, dice.pick([`${p} - 1 - ${k}`, '0', `${p} - 1`]), element, q);
      if (!isLate) work();
    },
    '0',
    p,
    8,
  );
};

/** `u[table[i]][j] += v[i][j]`, `x[table[j]] += …`: elements come up again. */
const scatter: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q } = arrays;
  const [i, j, k, table, at] = ['i', 'j', 'k', 'table', 'at'].map((name) => write.name(name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const [u, v] = dice.chance(75) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const side = dice.pick([p, q]);
  write.line(`int[] ${table} = new int[${side}];`);
  const value = dice.pick([`(${k} * 5 + 2) % ${side}`, `${side} - 1 - ${k}`, `${k} % 3`, `${k} / 2`, `${k} - 1`]);
  write.line(`for (int ${k} = 0; ${k} < ${side}; ${k}++) ${table}[${k}] = ${value};`);
  const place = (name: string): string =>
    dice.pick([`${table}[${name}]`, `${table}[${name}]`, `(${name} * 2) % ${side}`, `(${name} + 1).min(${side} - 1)`]);
  const body = (): void => {
    write.line(`int ${at} = ${place(dice.pick([i, j]))};`);
    for (let count = dice.below(2) + 1; count > 0; count--)
      write.line(
        dice.pick([
          `${u}[${at}][${j}] += ${v}[${i}][${j}] * ${factor(arrays, write)};`,
          `${u}[${i}][${at}] ${dice.pick(['+=', '='])} ${v}[${i}][${j}];`,
          `${u}[${at}][${j}] = ${u}[${at}][${q} - 1 - ${j}] + ${v}[${i}][${j}];`,
          `${vectors[0]}[${at}] += ${v}[${i}][${j}];`,
          `${vectors[1]}[${at}] = ${vectors[1]}[${j}] + ${v}[${i}][${at}];`,
          `if (${v}[${i}][${j}] > 0) ${u}[${at}][${j}] = ${u}[${i}][${j}];`,
        ]),
      );
    if (dice.chance(20)) write.line(`${at} = ${place(dice.pick([i, j]))};`);
    if (dice.chance(20)) write.line(`${u}[${i}][${j}] -= ${vectors[0]}[${at}];`);
    if (dice.chance(8)) write.line(`${table}[${dice.pick([i, j])}] = ${at} * ${dice.pick(['1', '3'])};`);
  };
  write.loops([i, p], [j, q])(dice.chance(40) ? () => write.loop(write.name('t'), p, body, '0', '2', 0) : body);
};

export const pivotShapes: readonly Shape[] = [elimination, elimination, selection, crossing, scatter];
