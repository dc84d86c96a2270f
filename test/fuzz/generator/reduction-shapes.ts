// Nests that keep the greatest, the least, sums and counts of what they go through, in any order of loops, around other
// work or not; some nearly do: what is kept is read as well, set otherwise, or chosen in two ways.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

interface Kept {
  readonly name: string;
  readonly type: 'int' | 'double';
}

/** Beginnings that are greater or less than all that comes, the same as some of it, zeros, or no number. */
function beginning(type: Kept['type'], { dice }: ShapeWriter): string {
  return dice.pick(
    type === 'int'
      ? ['0', '1', '-1', '1000000', '-9223372036854775807', '9223372036854775807']
      : ['0.0', '0.0', '-0.0', '-1.0', '1e9', '-1e9', '0.0 / 0.0', '-1.0 / 0.0', '1.0 / 0.0'],
  );
}

/** A value of the element's type, of which some are never -0. */
function valueOf(places: readonly string[], arrays: ShapeArrays, write: ShapeWriter): string {
  const { dice } = write;
  const [a, b] = [dice.pick(places), dice.pick(places)];
  const by = factor(arrays, write);
  return dice.pick([
    a,
    a,
    `-${a}`,
    `${a} - ${b}`,
    `${a} * ${by}`,
    `(${a} - ${b}).abs()`,
    `(${a} - ${b}).abs()`,
    `${a} * ${a}`,
    `${a} * ${a} + ${b} * ${b}`,
    `${a} * ${a} + ${b}`,
    ...(arrays.element === 'int' ? [`(${a} & ${b})`] : [`${a} / ${b}`, `Math.sqrt(${a} * ${a})`, `${a} * 0.0`]),
  ]);
}

/** How a value goes into what is kept; mostly one way in the whole nest. */
function step({ name, type }: Kept, value: string, condition: string, { dice }: ShapeWriter): () => string {
  const greater = [
    `if (${value} > ${name}) ${name} = ${value};`,
    `if (${name} < ${value}) { ${name} = ${value}; }`,
    `${name} = ${value} > ${name} ? ${value} : ${name};`,
  ];
  const less = [`if (${value} < ${name}) ${name} = ${value};`, `${name} = ${name} > ${value} ? ${value} : ${name};`];
  const odd = [`if (${value} >= ${name}) ${name} = ${value};`, `${name} = ${name} > ${value} ? ${name} : ${value};`];
  const both = [
    [`${name} = ${name}.max(${value});`, `${name} = (${value}).max(${name});`],
    [`${name} = ${name}.min(${value});`],
    greater,
    less,
    odd,
    [`${name} += ${value};`],
    [`${name} -= ${value};`],
    [`if (${condition}) ${name} += ${value};`],
    [`if (${condition}) ${name} = ${name}.max(${value});`],
  ];
  const ints = [[`${name}++;`], [`if (${condition}) ${name}++;`], [`${name} ^= ${value};`], [`${name} |= ${value};`]];
  const more = [[`${name} &= ${value};`], [`${name} *= ${value};`], [`${name} += ${value}; ${name} -= 3;`]];
  const doubles = [[`${name} = ${name} * 0.5 + ${value};`], [`${name} = ${value} - ${name};`], [`${name} += 1.0;`]];
  const ways = dice.pick([...both, ...both, ...(type === 'int' ? [...ints, ...more] : doubles)]);
  return () => dice.pick(ways);
}

const kept: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q, element } = arrays;
  const [i, j] = [write.name('i'), write.name('j')];
  const all = Array.from({ length: dice.pick([1, 1, 2, 3]) }, (): Kept => ({
    name: write.name('kept'),
    type: element,
  }));
  for (const { name, type } of all) write.line(`${type} ${name} = ${beginning(type, write)};`);
  const [a, b, c] = matrices;
  const places = [
    `${a}[${i}][${j}]`,
    `${a}[${i}][${j}]`,
    `${b}[${i}][${j}]`,
    `${vectors[1]}[${j}]`,
    `${vectors[0]}[${i}]`,
  ];
  const lines = all.flatMap((one) => {
    const value = valueOf(places, arrays, write);
    const local = dice.chance(30) ? write.name('v') : null;
    const condition = dice.pick([`${places[0]} > 1`, `${places[3]} < ${places[1]}`, `${j} != 2`, `${i} > 1`]);
    const make = step(one, local ?? value, condition, write);
    const steps = Array.from({ length: dice.pick([1, 1, 1, 2]) }, make);
    return [...(local === null ? [] : [`${element} ${local} = ${value};`]), ...steps];
  });
  const [first] = all as [Kept, ...(readonly Kept[])];
  if (dice.chance(50)) lines.splice(dice.below(lines.length + 1), 0, `${c}[${i}][${j}] = ${places[0]} + ${places[3]};`);
  if (dice.chance(8)) lines.push(`${c}[${i}][${j}] += ${first.name};`);
  if (dice.chance(8)) lines.push(dice.pick([`${first.name} = 1;`, `if (${i} == 2) ${first.name} = 2;`]));
  const isAnew = dice.chance(25);
  // Rows behind one in which enough is found are not looked at.
  const isLeft = dice.chance(20);
  const nest = (): void => {
    if (dice.chance(70))
      return write.loop(i, p, () => {
        if (isAnew) write.line(`${first.name} = ${beginning(element, write)};`);
        write.loop(j, q, () => lines.forEach((line) => write.line(line)));
        if (isAnew) write.line(`${vectors[0]}[${i}] = ${first.name};`);
        if (isLeft) write.line(`if (${first.name} > ${dice.pick(['0', '2', '9'])}) break;`);
      });
    write.loops([i, p], [j, q])(() => lines.forEach((line) => write.line(line)));
  };
  const ends = [`${first.name} > 2`, `${first.name} < ${first.name} - 1`, `!(${first.name} < 9)`];
  if (dice.chance(60)) write.steps(`${a}.length().min(4)`, nest, [`${vectors[0]}[0]`, `${c}[0][0]`], ends);
  else nest();
  // The sign of a zero is seen too.
  for (const { name, type } of all)
    write.line(type === 'int' ? `yield ${name};` : `yield \`\${${name}} \${1.0 / ${name}}\`;`);
};

/** What nearly goes on in any order: by two operators, from what comes, by halves, or beginning anew in between. */
const nearly: Shape = (write, { matrices: [a, b, c], vectors: [, y], p, q, element }) => {
  const { dice } = write;
  const [i, j, name] = [write.name('i'), write.name('j'), write.name('kept')];
  const places = [`${a}[${i}][${j}]`, `${b}[${i}][${j}]`, `${y}[${j}]`];
  const [v, w] = [dice.pick(places), dice.pick(places)];
  const [begin, ...lines] = dice.pick(
    element === 'int'
      ? [
          ['5', `${name} = ${v} - ${name};`],
          ['5', `${name} += ${v};`, `${name} ^= ${w};`],
          // A bit that all have in common is left.
          ['-1', `${name} &= ${v} | 64;`],
        ]
      : [
          ['-0.5', `${name} = ${name}.max(${v});`, `${name} = ${name}.min(${w});`],
          ['0.5', `if (${v} > ${name}) ${name} = ${v};`, `if (${w} < ${name}) ${name} = ${w};`],
          ['0.5', `if (${i} % 2 == 1) { ${name} = 2; ${c}[${i}][${j}] = 3; }`, `${name} = ${name} * 0.5 + ${v};`],
          ['0.5', `${name} = ${name} * 0.5 + ${v} / 3.0;`],
          ['-1e9', `${name} = ${name}.max(-100 - ${v} * ${w});`],
        ],
  );
  if (dice.chance(40)) lines.push(`${c}[${i}][${j}] += ${dice.chance(40) ? name : w};`);
  write.line(`${element} ${name} = ${begin};`);
  write.loop(i, p, () => write.loop(j, q, () => lines.forEach((line) => write.line(line)), '0', q, 6), '0', p, 6);
  write.line(`yield ${name};`);
};

/** The greatest or the least, which is a zero of one sign or the other: which of them is kept is seen at its sign. */
const zeros: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q, element } = arrays;
  if (element === 'int') return kept(write, arrays);
  const [i, j, name, v] = ['i', 'j', 'kept', 'v'].map((one) => write.name(one)) as [string, string, string, string];
  const [begin, comparison, method, other] = dice.pick([
    ['-1e9', '>', 'max', 'min'],
    ['1e9', '<', 'min', 'max'],
  ] as const);
  const [a, b, c] = matrices;
  const y = vectors[1];
  // One sign in front, the other behind: all that is combined begins with the wrong zero.
  const isInOrder = dice.chance(50);
  if (isInOrder) write.loop(j, q, () => write.line(`${y}[${j}] = ${dice.pick([`${j} - 3.5`, `3.5 - ${j}`])};`));
  const places = [`${a}[${i}][${j}]`, `${b}[${i}][${j}]`, `${y}[${j}]`];
  const zero = `${isInOrder ? `${y}[${j}]` : dice.pick(places)} * 0.0`;
  const among = isInOrder ? zero : `(${dice.pick(places)}).${other}(${zero})`;
  const value = dice.pick([zero, `${zero} - 0.0`, among, `${among} * 0.5`, `${among} - 0.0`]);
  const lines = dice.pick([
    [`if (${value} ${comparison} ${name}) ${name} = ${value};`],
    [`double ${v} = ${value};`, `if (${v} ${comparison} ${name}) ${name} = ${v};`],
    [`${name} = ${name}.${method}(${value});`],
  ]);
  if (dice.chance(40)) lines.push(`${c}[${i}][${j}] -= 0.5;`);
  write.line(`double ${name} = ${begin};`);
  write.loop(i, p, () => write.loop(j, q, () => lines.forEach((line) => write.line(line)), '0', q, 6), '0', p, 6);
  write.line(`yield \`\${${name}} \${1.0 / ${name}}\`;`);
};

export const reductionShapes: readonly Shape[] = [kept, kept, zeros, zeros, nearly, nearly];
