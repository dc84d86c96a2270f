// Nests over intervals, as dynamic programming has them: each is worked out from shorter ones, whose ends lie within
// it, from the last beginning to the first. The greatest or the least is kept in place, in front of the inner loop and
// behind it, from neighbours that are done or, now and then, are not.

import type { Shape } from './nest-shapes.ts';

/** The best of an interval, from its neighbours and from what it can be divided into. */
const divided: Shape = (write, { matrices: [a, b], p, vectors: [x] }) => {
  const { dice } = write;
  const [i, j, k] = [write.name('i'), write.name('j'), write.name('k')];
  const other = dice.chance(75) ? a : b;
  const kind = dice.pick(['max', 'max', 'min']);
  const kept = `${a}[${i}][${j}]`;
  const best = (value: string): string => `${kept} = ${kept}.${dice.chance(92) ? kind : 'min'}(${value});`;
  const neighbour = (): string =>
    dice.pick([
      `${a}[${i}][${j} - 1]`,
      `${a}[${i} + 1][${j}]`,
      `${a}[${i} + 1][${j} - 1]`,
      `${a}[${i}][${j} - 1] + ${x}[${i}]`,
      `${other}[${j}][${i}]`,
      `${a}[${j}][${i}] + ${x}[${i}]`,
      ...(dice.chance(25) ? [`${a}[${i}][${dice.pick([`${j} / 2`, '0', i])}]`, `${a}[${i} + 1][0]`] : []),
    ]);
  const statement = (): void => {
    const guard = dice.chance(30) ? `if (${i} < ${j} - 1) ` : '';
    const plain = dice.chance(85) ? best(neighbour()) : `${kept} = ${kept} ${dice.pick(['+', '-'])} ${neighbour()};`;
    write.line(guard + plain);
  };
  const low = dice.pick([`${i} + 1`, `${i} + 1`, `${i} + 1`, i, '0']);
  const high = dice.pick([j, j, j, `${j} + 1`, `${j} + 1`, p]);
  const inner = (): void => {
    const value = dice.pick([
      `${a}[${i}][${k}] + ${a}[${k} + 1][${j}]`,
      `${a}[${i}][${k}] + ${a}[${k} + 1][${j}]`,
      `${a}[${i}][${k}] + ${x}[${k}]`,
      `${other}[${k}][${j}] - ${x}[${i}]`,
    ]);
    write.loop(k, p, () => write.line(best(value)), low, high, 5);
  };
  const from = dice.pick([`${i} + 1`, `${i} + 1`, `${i} + 1`, `${i} + 2`, i, i]);
  const down = `for (int ${i} = ${write.mostly(`${p} - 1`, `${p} - 2`, p)}; ${i} >= 0; ${i}--)`;
  const up = `for (int ${i} = 0; ${i} < ${p}; ${i}++)`;
  write.block(dice.chance(80) ? down : up, p, () => {
    write.loop(
      j,
      p,
      () => {
        for (let count = dice.below(4); count > 0; count--) statement();
        inner();
        for (let count = dice.below(2); count > 0; count--) statement();
      },
      from,
      p,
      5,
    );
  });
};

export const intervalShapes: readonly Shape[] = [divided];
