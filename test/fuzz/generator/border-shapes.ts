// Nests that look around each place, as far as a radius that is a variable: what lies outside is left out, or the
// nearest place inside is taken. Radius, size and border are now and then others than those of the loops, and may be
// huge.

import type { Shape, ShapeWriter } from './nest-shapes.ts';

/** An inner loop over distances from a place, or over the places themselves. */
function around(write: ShapeWriter, place: string, radius: string, size: string): readonly [head: string, at: string] {
  const { dice } = write;
  const d = write.name('d');
  const far = dice.pick([radius, radius, `${radius} - 1`, `2 * ${radius}`]);
  return dice.pick([
    [`for (int ${d} = -${radius}; ${d} <= ${radius}; ${d}++)`, `${place} + ${d}`],
    [`for (int ${d} = -${radius}; ${d} < ${radius} + 1; ${d}++)`, `${place} + ${d}`],
    [`for (int ${d} = -${radius}; ${d} <= ${far}; ${d}++)`, `${place} - ${d}`],
    [`for (int ${d} = 0; ${d} <= ${radius}; ${d}++)`, `${d} + ${place}`],
    [`for (int ${d} = 0; ${d} < 2 * ${radius} + 1; ${d}++)`, `${place} + ${d} - ${radius}`],
    [`for (int ${d} = ${place} - ${radius}; ${d} <= ${place} + ${radius}; ${d}++)`, d],
    [`for (int ${d} = -1; ${d} <= 1; ${d}++)`, `${place} + ${d}`],
    [`for (int ${d} = 0; ${d} < 3; ${d}++)`, `${place} + 2 * ${d} - 2`],
    [`for (int ${d} = 0; ${d} < 3; ${d}++)`, `${size} - 1 - ${place} - ${d}`],
  ] as const);
}

/** Takes a position inside, in one statement or two; or leaves out what is outside by `continue`. */
function inside(
  write: ShapeWriter,
  at: string,
  size: string,
): { readonly before: readonly string[]; readonly test: string } {
  const { dice } = write;
  const moved = (...before: readonly string[]): ReturnType<typeof inside> => ({ before, test: '' });
  const under = (test: string): ReturnType<typeof inside> => ({ before: [], test: `if (${test}) ` });
  return dice.pick([
    () => moved(`if (${at} < 0 || ${at} >= ${size}) continue;`),
    () => moved(`if (${at} < 0) continue;`, `if (${at} > ${size} - 1) continue;`),
    () => under(`${at} >= 0 && ${at} < ${size}`),
    () => under(`0 <= ${at} && ${size} > ${at}`),
    () => under(`!(${at} < 0 || ${at} >= ${size})`),
    () => moved(`${at} = ${at}.max(0).min(${size} - 1);`),
    () => moved(`if (${at} < 0) ${at} = 0;`, `if (${at} >= ${size}) ${at} = ${size} - 1;`),
    () => moved(`${at} = ${at} < 0 ? 0 : ${at} >= ${size} ? ${size} - 1 : ${at};`),
    () => moved(`if (${at} < 0) ${at} = -${at};`, `if (${at} >= ${size}) ${at} = 2 * ${size} - 2 - ${at};`),
  ])();
}

const borders: Shape = (write, { matrices, vectors, p, q, element }) => {
  const { dice } = write;
  const [a, b] = matrices;
  const [i, j, s, r] = [write.name('i'), write.name('j'), write.name('s'), write.name('r')];
  write.line(`int ${r} = ${dice.pick(['0', '1', '1', '2', '2', '3', '-1', `${q} - 1`, `${q} + 2`])};`);
  const sized = (side: string): string => {
    if (dice.chance(60)) return side;
    const size = write.name('size');
    const other = dice.chance(80)
      ? side
      : dice.pick([`${side} - 2`, '2', '9223372036854775807', '-9223372036854775807']);
    write.line(`int ${size} = ${other};`);
    return size;
  };
  const [rows, columns] = [sized(p), sized(q)];
  const from = dice.chance(80) ? b : a;
  const look = (place: string, size: string, body: (at: string) => void): void => {
    const [head, at] = around(write, place, r, size);
    const x = write.name('x');
    // A position may go along by itself, beside the counter of the loop.
    const goes = dice.chance(15);
    if (goes) write.line(`int ${x} = ${place} - ${r};`);
    write.block(head, null, () => {
      if (!goes) write.line(`int ${x} = ${at};`);
      // What it is then depends on numbers.
      const other = dice.pick([place, `${x} - 1`, '0']);
      const first = `if (${s} > ${dice.below(4)})`;
      if (dice.chance(15))
        write.line(
          dice.pick([`${first} ${x} = ${other};`, `${first} ${s} -= 1; else if (${x} >= 0) ${x} = ${other};`]),
        );
      const { before, test } = inside(write, x, size);
      for (const line of before) write.line(line);
      if (test === '') body(x);
      else write.scope.block(test.trimEnd(), () => body(x));
      if (goes) write.line(`${x} += ${dice.pick(['1', '1', '2'])};`);
      // What else a comparison does, and what is known behind a branch that may not be taken.
      if (dice.chance(8))
        write.line(
          dice.pick([
            `if (${x}++ >= 0) ${s} += ${x};`,
            `if (${s} > 3) ${s} -= 1; else if (${at} >= 0) ${x} = 0;`,
            `${x} = ${x}.max(${x}-- - 2);`,
          ]),
        );
      if (dice.chance(3)) write.line(`${r} = ${r} + 0;`);
      if (dice.chance(3)) write.line(`if (${s} > 50) break;`);
    });
  };
  const add = (what: string): void => write.line(`${s} ${dice.pick(['+=', '+=', '-='])} ${what};`);
  const isDeep = dice.chance(60);
  const line = (row: string): void => look(j, columns, (x) => add(`${from}[${row}][${x}]`));
  const pixel = (): void => {
    write.line(`${element} ${s} = ${dice.pick(['0', `${from}[${i}][${j}]`])};`);
    if (isDeep) look(i, rows, (y) => line(y));
    else if (dice.chance(60)) line(i);
    else look(i, rows, (y) => add(`${from}[${y}][${j}] * ${vectors[0]}[${y}]`));
    write.line(`${a}[${i}][${j}] = ${s};`);
  };
  write.loop(i, p, () => write.loop(j, q, pixel, '0', q, 5), '0', p, 5);
};

export const borderShapes: readonly Shape[] = [borders];
