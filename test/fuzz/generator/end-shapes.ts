// Nests whose first and last iterations are not like the others: positions that go around at the ends or stay there,
// neighbours behind conditions on counters, one branch or the other; some one off, or with a size that is another.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeWriter } from './nest-shapes.ts';

/** A position near a counter that is in range at the ends of its side too; now and then of another one. */
function near(counter: string, side: string, by: number, { dice }: ShapeWriter): string {
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
  // Positions in variables, which are in range behind conditions, and now and then become others.
  const hasPositions = isGuarded && dice.chance(50);
  const [y, x] = [write.name('y'), write.name('x')];
  const isOfRow = hasPositions && dice.chance(40);
  const row = (): void => write.line(`int ${y} = ${i} + ${dice.below(4) - 1};`);
  const positions = (): void => {
    if (!isOfRow) row();
    write.line(`int ${x} = ${j} + ${dice.below(4) - 1};`);
    const changed = [`if (${s} > 2) ${y} = ${i};`, `${x} = ${x} + 1;`, `${x} -= ${by()};`];
    const inside = [
      `if (${y} >= 0 && ${y} < ${p} && ${x} >= 0 && ${x} < ${q}) ${s} += ${from}[${y}][${x}];`,
      `if (${x} < 0 || ${x} >= ${q}) ${s} -= 1; else ${s} += ${from}[${i}][${x}];`,
      `if (0 <= ${y} && ${p} > ${y}) ${s} -= ${from}[${y}][${j}];`,
      `${s} += ${from}[${y}.max(0).min(${p} - 1)][${x}.max(0).min(${q} - 1)];`,
    ];
    for (let left = 2; left > 0; left--) write.line(dice.pick(dice.chance(12) ? changed : inside));
    if (!dice.chance(15)) return;
    // One that is worked out from what becomes another before it is compared.
    const [z, w] = [write.name('z'), write.name('w')];
    write.line(`int ${z} = ${i}; int ${w} = ${z} - 1; ${z} = ${z} + 2;`);
    write.line(`if (${w} >= 0 && ${w} < ${p}) ${s} += ${from}[${w}][${j}];`);
  };
  const inner = (): void => {
    if (!isGuarded) for (const line of columns) write.line(line);
    write.line(`${element} ${s} = ${isGuarded ? `${from}[${i}][${j}]` : sum};`);
    if (hasPositions) positions();
    for (let left = isGuarded ? 3 : dice.below(2); left > 0; left--) write.line(dice.pick(guarded));
    for (const line of set) write.line(line);
  };
  const nest = (): void =>
    write.loop(
      i,
      p,
      () => {
        if (!isGuarded) for (const line of rows) write.line(line);
        if (isOfRow) row();
        write.loop(j, q, inner, '0', q, 5);
      },
      '0',
      p,
      5,
    );
  if (dice.chance(70)) write.again(nest);
  else nest();
};

/** A loop by itself, to a variable or to the length of an array, which it may change. */
const line: Shape = (write, { vectors, p, q, element }) => {
  const { dice } = write;
  const [to, from] = dice.chance(80) ? [vectors[1], vectors[2]] : [vectors[0], vectors[0]];
  const [i, s] = [write.name('i'), write.name('s')];
  const side = dice.pick([`${from}.length()`, `${to}.length()`, q, p]);
  const by = (): number => dice.pick([1, 1, 1, 2]);
  const left = (): string => near(i, side, -by(), write);
  const right = (): string => near(i, side, by(), write);
  const statements: readonly (() => string)[] = [
    () => `${s} += ${from}[${left()}] - ${from}[${right()}];`,
    () => `${s} -= ${i} > 0 ? ${from}[${i} - 1] : ${from}[${i}];`,
    () => `${s} += ${i} < ${side} - 1 ? ${from}[${i} + 1] : 3;`,
    () => `if (${i} == 0 || ${i} == ${side} - 1) ${s} = 1; else ${s} += ${from}[${i} - 1] - ${from}[${i} + 1];`,
    () => `if (${i} >= 2) ${to}[${i} - 2] = ${s};`,
    () => `if (${i} + 1 < ${side} && ${s} > 1) ${s} -= ${from}[${i} + 1];`,
    () => `${to}[${left()}] = ${s};`,
    () => `int ${write.name('k')} = ${right()};`,
  ];
  const changes: readonly (() => string)[] = [
    () => `if (${i} == 1 && ${from}.length() < 9) ${from}.push(2);`,
    () => `if (${i} > 0) ${from} = ${dice.pick(vectors)};`,
    () => `if (${i} == ${side} - 1) ${from} = [1, 2, 3];`,
  ];
  const body = Array.from({ length: dice.below(3) + 1 }, () => dice.pick(statements)());
  if (dice.chance(15)) body.push(dice.pick(changes)());
  const begin = dice.pick(['0', '0', '0', '1']);
  // A clause sees how far it came.
  const isSeen = dice.chance(30);
  if (isSeen) body.push(`${s} += 12 / (${dice.pick([i, `${i} - 1`, `${side} - 1 - ${i}`, `${side} - 2 - ${i}`])});`);
  const head = `for (${isSeen ? '' : 'int '}${i} = ${begin}; ${i} < ${side}; ${i}++) {`;
  const loop = `${head} ${element} ${s} = ${from}[${i}]; ${body.join(' ')} ${to}[${i}] = ${s}; }`;
  write.line(isSeen ? `int ${i} = 5; try { ${loop} } catch (e) { yield ${i}; }` : loop);
};

/** Both, as often as such loops are written. */
const ends: Shape = (write, arrays) => (write.dice.chance(15) ? line : neighbours)(write, arrays);

export const endShapes: readonly Shape[] = [ends];
