// Nests on matrices: products, shortest paths, triangles, tiles, copies, statistics, matrices in one row.

import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

/** A factor of the type. */
export function factor({ element }: ShapeArrays, write: ShapeWriter): string {
  return write.dice.pick(element === 'int' ? ['3', '2', '-1', '1000003'] : ['0.25', '0.5', '-1.5', '0.2', '3.0']);
}

export const sign = (write: ShapeWriter): string => write.mostly('+', '-');

const product: Shape = (write, arrays) => {
  const { matrices, p, q, element } = arrays;
  const [a, b, c] = matrices;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  const term = `${a}[${i}][${k}] * ${b}[${k}][${j}]`;
  if (write.dice.chance(40)) {
    const sum = write.name('s');
    return write.loop(i, p, () =>
      write.loop(j, q, () => {
        write.line(`${element} ${sum} = ${write.mostly('0', factor(arrays, write))};`);
        write.loop(k, q, () => write.guarded(`${sum} ${sign(write)}= ${term};`, k));
        write.line(`${c}[${i}][${j}] ${write.dice.pick(['=', '=', '+='])} ${sum};`);
      }),
    );
  }
  write.loops([i, p], [j, q], [k, q])(() => write.guarded(`${c}[${i}][${j}] ${sign(write)}= ${term};`, j));
};

/** Products with vectors, along rows and along columns, in one nest or in several that follow from each other. */
const vectors: Shape = (write, arrays) => {
  const { matrices, p, q } = arrays;
  const [a] = matrices;
  const [x, y, z] = arrays.vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  const rows = `${x}[${i}] ${sign(write)}= ${a}[${i}][${j}] * ${y}[${j}];`;
  const columns = `${z}[${j}] ${sign(write)}= ${a}[${i}][${j}] * ${x}[${i}];`;
  const both = write.loops([i, p], [j, q]);
  if (write.dice.chance(30))
    both(() => {
      write.line(rows);
      write.line(columns);
    });
  else if (write.dice.chance(40))
    write.loop(i, p, () => {
      if (write.dice.chance(60)) write.line(`${x}[${i}] = ${factor(arrays, write)};`);
      write.loop(j, q, () => write.guarded(rows, j));
      write.loop(j, q, () => write.guarded(columns, j));
    });
  else {
    both(() => write.line(rows));
    write.loops([i, p], [j, q])(() => write.line(columns));
    write.loops([i, p], [j, q])(() => write.line(`${a}[${i}][${j}] += ${x}[${i}] * ${z}[${j}];`));
  }
};

const paths: Shape = (write, { matrices, p, q, element }) => {
  const [a] = matrices;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  const way = `${a}[${i}][${k}] + ${a}[${k}][${j}]`;
  const kept = write.name('t');
  const set = write.dice.pick([
    `if (${way} < ${a}[${i}][${j}]) ${a}[${i}][${j}] = ${way};`,
    `${a}[${i}][${j}] = (${a}[${i}][${j}]).min(${way});`,
    `${a}[${i}][${j}] = ${a}[${i}][${j}] < ${way} ? ${a}[${i}][${j}] : ${way};`,
    `${element} ${kept} = ${way}; if (${kept} < ${a}[${i}][${j}]) ${a}[${i}][${j}] = ${kept};`,
  ]);
  const body = (): void => {
    for (const line of set.split(/(?<=;) (?=if)/)) write.line(line);
  };
  if (write.dice.chance(75)) write.loop(k, q, () => write.loop(i, p, () => write.loop(j, q, body)));
  else write.loops([k, q], [i, p], [j, q])(body);
};

/** Elimination, and what is solved with it. */
const triangle: Shape = (write, arrays) => {
  const { matrices, p, element } = arrays;
  const [a, b] = matrices;
  const [x] = arrays.vectors;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  const over = (): string => (element === 'int' ? '' : ` / ${write.mostly('3.0', `${a}[${i}][${i}]`)}`);
  switch (write.dice.below(7)) {
    case 5:
    case 6: {
      // The whole of a row, then the part of it behind the diagonal.
      const [, y, z] = arrays.vectors;
      return write.loop(i, p, () => {
        write.loop(j, p, () => write.line(`${y}[${j}] += ${a}[${i}][${j}];`));
        const from = write.dice.pick([i, `${i} + 1`]);
        const target = write.dice.pick([z, z, `${b}[${i}]`]);
        write.loop(k, p, () => write.line(`${target}[${k}] += ${a}[${i}][${k}];`), from, p, 35);
      });
    }
    case 0: {
      const sum = write.name('s');
      return write.loop(i, p, () => {
        write.line(`${element} ${sum} = ${x}[${i}];`);
        write.loop(
          j,
          p,
          () => write.line(`${sum} -= ${a}[${i}][${j}] * ${x}[${j}];`),
          '0',
          write.mostly(i, `${i} + 1`),
        );
        write.line(`${x}[${i}] = ${sum}${over()};`);
      });
    }
    case 1:
      return write.loop(i, p, () => {
        write.loop(
          j,
          p,
          () => {
            write.loop(
              k,
              p,
              () => write.line(`${a}[${i}][${j}] -= ${a}[${i}][${k}] * ${a}[${k}][${j}];`),
              '0',
              write.mostly(j, i),
            );
            if (element === 'double') write.line(`${a}[${i}][${j}] /= 2.0;`);
          },
          '0',
          i,
        );
        write.loop(
          j,
          p,
          () => write.loop(k, p, () => write.line(`${a}[${i}][${j}] -= ${a}[${i}][${k}] * ${a}[${k}][${j}];`), '0', i),
          i,
        );
      });
    case 2:
      return write.loop(i, p, () =>
        write.loop(
          j,
          p,
          () => write.loop(k, p, () => write.guarded(`${b}[${i}][${j}] += ${a}[${i}][${k}] * ${a}[${j}][${k}];`, k)),
          '0',
          write.mostly(`${i} + 1`, i),
        ),
      );
    case 3: {
      const kept = write.name('t');
      return write.loop(i, p, () =>
        write.loop(
          j,
          p,
          () => {
            write.line(`${element} ${kept} = ${a}[${i}][${j}];`);
            write.line(`${a}[${i}][${j}] = ${a}[${j}][${i}];`);
            write.line(`${a}[${j}][${i}] = ${kept};`);
          },
          `${i} + 1`,
        ),
      );
    }
    default:
      return write.loop(k, p, () =>
        write.loop(
          i,
          p,
          () => {
            write.loop(j, p, () => write.line(`${a}[${i}][${j}] -= ${a}[${i}][${k}] * ${a}[${k}][${j}];`), `${k} + 1`);
          },
          `${k} + 1`,
        ),
      );
  }
};

const tiles: Shape = (write, { matrices, p, q, vectors: [x, y] }) => {
  const [a, b, c] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const [ii, jj] = [write.name('ii'), write.name('jj')];
  const size = write.dice.pick([2, 4, 5, 8, 32]);
  const end = (from: string, side: string): string =>
    write.dice.pick([`Math.min(${from} + ${size}, ${side})`, `(${from} + ${size}).min(${side})`]);
  const body = write.dice.pick([
    `${c}[${i}][${j}] += ${a}[${i}][${j}] * ${b}[${i}][${j}];`,
    `${x}[${i}] += ${a}[${i}][${j}] * ${y}[${j}];`,
    `${b}[${i}][${j}] = ${a}[${i}][${j}];`,
  ]);
  const along = (counter: string, from: string, side: typeof p, inside: () => void): void =>
    write.block(`for (int ${counter} = ${from}; ${counter} < ${end(from, side)}; ${counter}++)`, null, inside);
  const outer = (counter: string, side: typeof p, inside: () => void): void =>
    write.block(`for (int ${counter} = 0; ${counter} < ${side}; ${counter} += ${size})`, side, inside);
  outer(ii, p, () => outer(jj, q, () => along(i, ii, p, () => along(j, jj, q, () => write.line(body)))));
};

/** Copies, with another order of rows or columns perhaps; and sums of what was copied. */
const copies: Shape = (write, { matrices, p, q, vectors: [x, y] }) => {
  const [a, b, c] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const target = write.dice.pick([b, b, a]);
  const source = write.dice.pick([
    `${a}[${i}][${j}]`,
    `${a}[${i}][${q} - 1 - ${j}]`,
    `${a}[${p} - 1 - ${i}][${j}]`,
    ...(p === q ? [`${a}[${j}][${i}]`] : []),
  ]);
  write.loops([i, p], [j, q])(() => write.guarded(`${target}[${i}][${j}] = ${source};`, i));
  if (write.dice.chance(50))
    write.loops([i, p], [j, q])(() => write.line(`${c}[${i}][${j}] += ${target}[${i}][${j}];`));
  if (write.dice.chance(50))
    write.loops(
      [i, p],
      [j, q],
    )(() => write.line(write.dice.pick([`${x}[${i}]`, `${y}[${j}]`]).concat(` += ${target}[${i}][${j}];`)));
};

/** Means, then distances from them, then products of these. */
const statistics: Shape = (write, arrays) => {
  const {
    matrices,
    p,
    q,
    vectors: [, y],
    element,
  } = arrays;
  const [a, b] = matrices;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  write.loop(j, q, () => {
    write.line(`${y}[${j}] = ${element === 'int' ? '0' : '0.0'};`);
    write.loop(i, p, () => write.line(`${y}[${j}] += ${a}[${i}][${j}];`));
    write.line(`${y}[${j}] ${element === 'int' ? '*= 3' : '/= 4.0'};`);
  });
  write.loops([i, p], [j, q])(() => write.line(`${a}[${i}][${j}] -= ${y}[${j}];`));
  write.loop(j, q, () =>
    write.loop(
      k,
      q,
      () => {
        write.line(`${b}[${j}][${k}] = ${element === 'int' ? '0' : '0.0'};`);
        write.loop(i, p, () => write.line(`${b}[${j}][${k}] += ${a}[${i}][${j}] * ${a}[${i}][${k}];`));
        if (write.dice.chance(60)) write.line(`${b}[${k}][${j}] = ${b}[${j}][${k}];`);
      },
      write.mostly(j, '0'),
    ),
  );
};

/** A matrix in one row. */
const flat: Shape = (write, { matrices, p, q, element }) => {
  const [a] = matrices;
  const [f, g] = [write.name('flat'), write.name('flat')];
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  // With a constant width rows lie over each other where they are longer.
  const width = write.dice.pick([q, q, '2', '8', '64']);
  const at = (row: string, column: string): string => `${row} * ${width} + ${column}`;
  for (const name of [f, g])
    write.line(`${element}[] ${name} = new ${element}[${p} * ${width} + ${write.mostly(q, '0')}];`);
  write.loops([i, p], [j, q])(() => write.line(`${f}[${at(i, j)}] ${write.dice.pick(['=', '+='])} ${a}[${i}][${j}];`));
  switch (write.dice.below(3)) {
    case 0:
      write.loops(
        [i, p],
        [j, q],
        [k, q],
      )(() => write.line(`${g}[${at(i, j)}] += ${f}[${at(i, k)}] * ${f}[${at(k, j)}];`));
      break;
    case 1:
      write.loop(
        i,
        p,
        () => write.loop(j, q, () => write.line(`${g}[${at(i, j)}] = ${f}[${at(i, j)} - 1] + ${f}[${at(i, j)}];`)),
        '1',
      );
      break;
    default:
      write.loops([i, p], [j, q])(() => write.line(`${f}[${at(i, j)}] += ${f}[${at(i, '0')}] + ${g}[${j}];`));
  }
  write.line(`yield ${write.dice.pick([f, g])};`);
};

export const matrixShapes: readonly Shape[] = [
  product,
  product,
  vectors,
  vectors,
  paths,
  triangle,
  triangle,
  triangle,
  tiles,
  copies,
  statistics,
  flat,
  flat,
];
