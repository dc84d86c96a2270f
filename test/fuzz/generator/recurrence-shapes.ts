// Recurrences: elements that come out of those right before them in the same row, column or vector, forwards or back,
// one or two places on, with others that are set in between, sometimes only, or more than once.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';
import type { Side } from './nest-values.ts';

/** How a recurrence goes along a side. */
interface Walk {
  readonly counter: string;
  /** The place so many steps before. */
  readonly before: (steps: number) => string;
  /** The place as far from the other end. */
  readonly mirrored: string;
  readonly write: (body: () => void) => void;
}

function walkAlong(side: Side, write: ShapeWriter): Walk {
  const { dice } = write;
  const counter = write.name('j');
  const by = dice.pick([1, 1, 1, 2]);
  const isDown = dice.chance(30);
  const reach = by * 2;
  const [first, last] = [write.mostly(`${reach}`, '1', '0'), write.mostly(`${side} - ${reach}`, `${side} - 1`, side)];
  const step = by === 1 ? (isDown ? '--' : '++') : ` ${isDown ? '-' : '+'}= ${by}`;
  const up = `for (int ${counter} = ${first}; ${counter} < ${side}; ${counter}${step})`;
  const down = `for (int ${counter} = ${last} - 1; ${counter} >= 0; ${counter}${step})`;
  return {
    counter,
    before: (steps) => (steps === 0 ? counter : `${counter} ${isDown ? '+' : '-'} ${by * steps}`),
    mirrored: `${side} - 1 - ${counter}`,
    write: (body) => write.block(isDown ? down : up, side, body),
  };
}

/** Statements of a recurrence in elements, each found by its place along the walk. */
function recur(
  walk: Walk,
  [at, other]: readonly [(place: string) => string, (place: string) => string],
  arrays: ShapeArrays,
  write: ShapeWriter,
): void {
  const { dice } = write;
  const { counter, before, mirrored } = walk;
  const [here, last, earlier] = [0, 1, 2].map((steps) => at(before(steps))) as [string, string, string];
  const f = (): string => factor(arrays, write);
  const value = dice.pick([
    `${f()} * ${last} + ${other(counter)}`,
    `${f()} * ${last} - ${f()} * ${earlier}`,
    `${last} + ${other(counter)} - ${other(before(1))}`,
    `(${last} + 1).min(${here})`,
    `${here} > 0 ? ${last} : ${earlier}`,
    `${f()} * ${other(before(1))}`,
  ]);
  const set = dice.pick([`${here} = ${value};`, `${here} = ${value};`, `${here} -= ${value};`]);
  const more = [
    `${last} = ${here} + 1;`,
    `${at(mirrored)} = ${dice.pick(['1', last, here])};`,
    `${other(counter)} = ${f()} * ${last};`,
    `if (${here} > 1) ${here} = 2;`,
    `if (${here} < ${last}) ${other(counter)} = ${last};`,
    `${other(mirrored)} -= ${earlier};`,
    `${at('0')} = ${here};`,
  ];
  const lines = [set, ...Array.from({ length: dice.pick([0, 0, 0, 1, 1, 2]) }, () => dice.pick(more))];
  if (dice.chance(20)) lines.reverse();
  for (const line of lines) write.guarded(line, counter);
}

/** Along the rows of a matrix, or down its columns. */
const inMatrix: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, p, q } = arrays;
  const [a, b] = matrices;
  const isDown = dice.chance(25);
  const i = write.name('i');
  const walk = walkAlong(isDown ? p : q, write);
  const place = (array: string) => (at: string) => (isDown ? `${array}[${at}][${i}]` : `${array}[${i}][${at}]`);
  const sweep = (): void => {
    write.loop(i, isDown ? q : p, () => {
      if (dice.chance(30)) write.line(`${place(a)('0')} = ${i};`);
      walk.write(() => recur(walk, [place(a), place(dice.chance(85) ? b : a)], arrays, write));
    });
  };
  if (dice.chance(75)) write.again(sweep);
  else sweep();
};

/** In a vector, again and again. */
const inVector: Shape = (write, arrays) => {
  const { q } = arrays;
  const [, x, y] = arrays.vectors;
  const walk = walkAlong(q, write);
  const element = (array: string) => (at: string) => `${array}[${at}]`;
  write.steps(q, () => walk.write(() => recur(walk, [element(x), element(y)], arrays, write)), [`${x}[0]`]);
};

/** Sums of all that is above and before. */
const tables: Shape = (write, arrays) => {
  const [a, b] = arrays.matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  write.again(() =>
    write.loop(
      i,
      arrays.p,
      () =>
        write.loop(
          j,
          arrays.q,
          () => write.guarded(`${a}[${i}][${j}] = ${b}[${i}][${j}] + ${a}[${i} - 1][${j}] + ${a}[${i}][${j} - 1];`, j),
          '1',
        ),
      write.mostly('1', '0'),
    ),
  );
};

/** The same in a triangle, whose rows go on by themselves where the shortest of several ends. */
const triangularRecurrence: Shape = (write, arrays) => {
  const { matrices, vectors, p } = arrays;
  const [a, b] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const last = write.dice.pick([
    `${a}[${i}][${j} - 1]`,
    `${a}[${i}][${j} - 1]`,
    `${b}[${i}][${j} - 1] - ${b}[${i}][${j}]`,
  ]);
  const line = `${a}[${i}][${j}] = ${last} * ${factor(arrays, write)} + ${vectors[0]}[${j}];`;
  write.loop(i, p, () => write.loop(j, p, () => write.line(line), '1', write.mostly(i, `${i} + 1`), 5));
};

export const recurrenceShapes: readonly Shape[] = [
  inMatrix,
  inMatrix,
  inMatrix,
  inVector,
  tables,
  triangularRecurrence,
];
