// Sums along rows, each with its own: rows that lanes are made of.

import { factor, sign } from './matrix-shapes.ts';
import type { Shape } from './nest-shapes.ts';

/** Each row with each row, of one matrix or of several: products, distances, sums of two products. */
const rowsWithRows: Shape = (write, arrays) => {
  const {
    matrices,
    p,
    q,
    element,
    vectors: [x, y, z],
  } = arrays;
  const [a, b, c] = matrices;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  const [one, other] = [`${a}[${i}][${k}]`, `${b}[${j}][${k}]`];
  const difference = write.name('d');
  const body = write.dice.pick([
    [`${one} * ${other}`],
    [`${one} * ${other} * ${factor(arrays, write)}`],
    [`(${one} - ${other}) * (${one} - ${other})`],
    [`${element} ${difference} = ${one} - ${other};`, `${difference} * ${difference} + ${difference}`],
    [`(${one} - ${other}).abs() * ${y}[${k}]`],
    [`${one} * ${other} + ${b}[${i}][${k}] * ${a}[${j}][${k}]`],
    [`${z}[${k}] * ${other} - ${c}[${j}][${k}]`],
    [`${element} ${difference} = ${z}[${k}];`, `${difference} * ${other}`],
  ]);
  const sum = write.name('s');
  const isHeld = write.dice.chance(50);
  const target = write.dice.chance(85) ? `${x}[${j}]` : `${c}[${i}][0]`;
  write.loop(i, p, () =>
    write.loop(
      j,
      p,
      () => {
        if (isHeld) write.line(`${element} ${sum} = ${factor(arrays, write)};`);
        write.loop(
          k,
          q,
          () => {
            for (const line of body.slice(0, -1)) write.line(line);
            write.guarded(`${isHeld ? sum : target} ${sign(write)}= ${body.at(-1)!};`, k);
          },
          '0',
          write.mostly(q, `${q} - 1`),
          8,
        );
        if (isHeld) write.line(`${target} = ${sum};`);
      },
      '0',
      write.mostly(p, `${i} + 1`),
      8,
    ),
  );
};

export const rowShapes: readonly Shape[] = [rowsWithRows];
