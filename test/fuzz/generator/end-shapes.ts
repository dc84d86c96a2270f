// Nests whose first and last iterations are not like the others: positions that go around at the ends or stay there,
// neighbours behind conditions on counters, one branch or the other; some one off, or with a size that is another.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeWriter } from './nest-shapes.ts';
import type { Side } from './nest-values.ts';

/** A position near a counter that is in range at the ends of its side too; now and then of another one. */
function near(counter: string, side: Side, by: number, { dice }: ShapeWriter): string {
  const moved = by < 0 ? `${counter} - ${-by}` : `${counter} + ${by}`;
  const others = [side === 'n' ? 'm' : 'n', `(${side} - 2)`, `(${side} - 3)`];
  const size = dice.chance(10) ? dice.pick(others) : side;
  const around = [
    `(${moved} + ${size}) % ${size}`,
    `(${counter} + ${size} ${by < 0 ? '-' : '+'} ${Math.abs(by)}) % ${size}`,
  ];
  const last = `${size} - ${dice.pick([1, 1, 1, 2])}`;
  return dice.pick(
    by < 0
      ? [
          ...around,
          ...around,
          `(${moved}).max(0)`,
          // What is below 0 stays there.
          `((${moved}) % ${size}).abs()`,
          `${counter} == 0 ? ${last} : ${moved}`,
          `${counter} > ${-by - 1} ? ${moved} : 0`,
          `${counter} >= ${-by} ? ${moved} : ${counter}`,
        ]
      : [
          ...around,
          `(${moved}) % ${size}`,
          `(${moved}) % ${size}`,
          `(${moved}).min(${size} - 1)`,
          `${counter} == ${last} ? 0 : ${moved}`,
          `${counter} < ${size} - ${by} ? ${moved} : ${counter}`,
          `${size} - 1 > ${counter} ? ${moved} : ${size} - 1`,
        ],
  );
}

const neighbours: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q, element } = arrays;
  const [a, b, c] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const names = ['up', 'down', 'left', 'right'].map((name) => write.name(name)) as [string, string, string, string];
  const [up, down, left, right] = names;
  const by = (): number => dice.pick([1, 1, 1, 2]);
  const rows = [`int ${up} = ${near(i, p, -by(), write)};`, `int ${down} = ${near(i, p, by(), write)};`];
  const columns = [`int ${left} = ${near(j, q, -by(), write)};`, `int ${right} = ${near(j, q, by(), write)};`];
  const from = dice.chance(75) ? b : a;
  const sum = dice.pick([
    `${from}[${up}][${j}] + ${from}[${down}][${j}] - ${from}[${i}][${left}] - ${from}[${i}][${right}]`,
    `${from}[${up}][${left}] + ${from}[${i}][${j}] + ${from}[${down}][${right}]`,
    `${from}[${i}][${left}] - ${vectors[1]}[${right}]`,
  ]);
  const s = write.name('s');
  const value = factor(arrays, write);
  const guarded = [
    `if (${i} > 0) ${s} -= ${from}[${i} - 1][${j}];`,
    `if (${i} < ${p} - 1) ${s} += ${from}[${i} + 1][${j}];`,
    `if (${j} > 0 && ${s} > 1) ${s} += ${from}[${i}][${j} - 1];`,
    `if (${j} + 1 < ${q}) ${s} -= ${from}[${i}][${j} + 1];`,
    `if (${j} == 0 || ${j} == ${q} - 1) ${s} = ${value};`,
    `if (${j} != 1) ${s} += 1; else ${s} -= 1;`,
    `if (${q} - 2 <= ${j}) ${s} = -${s};`,
  ];
  const set = dice.pick([
    [`${a}[${i}][${j}] = ${s};`],
    [`if (${s} > 2) ${a}[${i}][${j}] = ${s}; else ${a}[${i}][${j}] = ${value};`],
    [`if (${s} > 2) { ${a}[${i}][${j}] = ${s}; ${c}[${i}][${j}] += 1; } else if (${s} < 0) ${c}[${i}][${j}] = ${s};`],
    // Where the first condition holds the others do too.
    [`if (${s} > 1) ${a}[${i}][${j}] = ${s};`, `else if (${s} > 0) ${a}[${i}][${j}] = ${value};`],
    [
      `if (${s} > 1) ${c}[${i}][${j}] = ${value};`,
      `else if (${s} > -1) { ${a}[${i}][${j}] = ${s}; ${c}[${i}][${j}] -= 1; }`,
      `else ${a}[${i}][${j}] = 2;`,
    ],
    [
      `if (${c}[${i}][${j}] > 1) { if (${s} > 3) ${a}[${i}][${j}] = ${s}; else ${a}[${i}][${j}] = 1; }`,
      `else ${a}[${i}][${j}] -= ${s};`,
    ],
  ]);
  const isGuarded = dice.chance(45);
  const inner = (): void => {
    if (!isGuarded) for (const line of columns) write.line(line);
    write.line(`${element} ${s} = ${isGuarded ? `${from}[${i}][${j}]` : sum};`);
    for (let left = isGuarded ? 3 : dice.below(2); left > 0; left--) write.line(dice.pick(guarded));
    for (const line of set) write.line(line);
  };
  const nest = (): void =>
    write.loop(
      i,
      p,
      () => {
        if (!isGuarded) for (const line of rows) write.line(line);
        write.loop(j, q, inner, '0', q, 5);
      },
      '0',
      p,
      5,
    );
  if (dice.chance(70)) write.again(nest);
  else nest();
};

export const endShapes: readonly Shape[] = [neighbours];
