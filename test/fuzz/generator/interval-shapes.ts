// Nests over intervals, as dynamic programming has them: each is worked out from shorter ones, whose ends lie within
// it, from the last beginning to the first. The greatest or the least is kept in place, in front of the inner loop and
// behind it, from neighbours that are done or, now and then, are not. And triangles whose first or last iteration is
// empty.

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

/** Loops of which the first or the last iteration has nothing to do, with the row behind or in front of its own. */
const empty: Shape = (write, { matrices: [a, b], p, q, vectors: [x] }) => {
  const { dice } = write;
  const [i, j, k] = [write.name('i'), write.name('j'), write.name('k')];
  const isAbove = dice.chance(65);
  const near = dice.pick(['1', '1', '1', '1', '2']);
  const row = isAbove ? `${j} + ${near}` : `${j} - ${near}`;
  const [low, high] = isAbove
    ? [dice.pick([`${j} + 1`, `${j} + 1`, `${j} + 1`, `${j} + 2`, j]), dice.chance(85) ? p : `${p} - 1`]
    : ['0', dice.pick([j, j, j, `${j} - 1`, `${j} + 1`])];
  const operator = dice.pick(['+=', '+=', '-=']);
  const other = dice.chance(85) ? b : a;
  const value = dice.pick([`${other}[${row}][${i}]`, `${x}[${row}]`, `${other}[${row}][${i}] * ${x}[${row}]`]);
  const statement = (): void =>
    write.line(`${a}[${k}][${i}] ${operator} ${dice.chance(90) ? value : `${b}[${k}][${i}]`};`);
  const columns = (body: () => void): void => write.loop(i, q, body);
  const rows = (body: () => void): void => write.loop(j, p, body, '0', p, 40);
  const inner = (body: () => void): void => write.loop(k, p, body, low, high, 10);
  const between = (): void => (dice.chance(10) ? write.line(`${x}[${j}] ${operator} 1;`) : undefined);
  dice.pick([
    () => columns(() => rows(() => (between(), inner(statement)))),
    () => rows(() => inner(() => columns(statement))),
    () => rows(() => (between(), columns(() => inner(statement)))),
    () => rows(() => (inner(() => columns(statement)), inner(() => columns(statement)))),
  ])();
};

export const intervalShapes: readonly Shape[] = [divided, empty];
