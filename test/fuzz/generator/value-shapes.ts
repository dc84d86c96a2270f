// Nests that hand values on: in variables from one iteration to the next, in elements next to each other, from one nest
// to the next. What is set only sometimes is read behind; sums, least and greatest, neighbours, conditions, booleans.

import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

function number({ element }: ShapeArrays, write: ShapeWriter): string {
  return write.dice.pick(element === 'int' ? ['0', '7', '-3', '5'] : ['0.5', '-0.0', '2.25', '7.0']);
}

function condition(write: ShapeWriter, value: string, counter: string): string {
  return write.dice.pick([
    `${value} > 1`,
    `${value} < 0`,
    `${counter} % 3 == 1`,
    `${counter} % 2 == 0`,
    `${value} > 0 && ${counter} > 1`,
    `${counter} < 2`,
  ]);
}

/** A sum in a variable or an element, which the next nest works with. */
const chained: Shape = (write, arrays) => {
  const { matrices, p, q, element, vectors } = arrays;
  const [a, b] = matrices;
  const [x, y, z] = vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  const sum = write.name('s');
  write.line(`${element} ${sum} = ${number(arrays, write)};`);
  const terms = write.dice.pick([
    `${a}[${i}][${j}]`,
    `${a}[${i}][${j}] * ${y}[${j}]`,
    `${a}[${i}][${j}] + ${y}[${j}] + ${b}[${i}][${j}] - ${z}[${j}]`,
  ]);
  const line = write.dice.pick([`${sum} += ${terms};`, `${sum} = ${sum} + ${terms};`, `${sum} -= ${terms};`]);
  write.loop(i, p, () => write.loop(j, q, () => write.guarded(line, j)));
  write.loops(
    [i, p],
    [j, q],
  )(() => write.line(`${b}[${i}][${j}] ${write.dice.pick(['=', '+='])} ${a}[${i}][${j}] - ${sum};`));
  write.loop(i, p, () => write.line(`${x}[${i}] += ${b}[${i}][${write.mostly('0', `${q} - 1`)}] * ${sum};`));
  write.line(`yield ${sum};`);
};

/**
 * Set in front of an inner loop, read in it or behind it, and set again; or made of what an iteration one or two before
 * has set, in the next column perhaps: no two iterations may change places.
 */
const inParts: Shape = (write, arrays) => {
  const { matrices, p, q, element, vectors } = arrays;
  const [a, b, c] = matrices;
  const [, y, z] = vectors;
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  const sum = write.name('s');
  const isBack = write.dice.chance(50);
  const before = write.dice.pick([1, 1, 2]);
  const aside = write.dice.pick([' + 1', ' + 1', '', ' - 1']);
  const place = isBack
    ? `${c}[${i}][${j}]`
    : write.dice.pick([`${y}[${j}]`, `${y}[${j}]`, `${c}[${i}][${j}]`, `${c}[${j}][${i}]`, `${c}[0][${j}]`]);
  const other = isBack ? place : write.mostly(place, `${z}[${j}]`, `${y}[${j} - 1]`);
  const term = isBack
    ? `${c}[${i} - ${before}][${j}${aside}] * ${b}[${k}][${j}]`
    : write.dice.pick([`${a}[${i}][${k}] * ${b}[${k}][${j}]`, `${a}[${i}][${k}]`]);
  const body = (): void => {
    if (isBack && write.dice.chance(60)) return write.loop(k, q, () => write.line(`${place} += ${term};`));
    write.line(`${element} ${sum} = ${place};`);
    write.loop(k, q, () => write.line(`${sum} += ${term};`));
    write.line(`${other} = ${sum};`);
  };
  // Where the loop in the middle may be jammed, no other is.
  const columns: readonly [string, string, number] = isBack ? ['1', `${q} - 1`, 20] : ['0', q, 60];
  write.loop(i, p, () => write.loop(j, q, body, ...columns), isBack ? String(before) : '0');
};

/** A variable that an iteration sets perhaps, or an inner loop that perhaps makes none, and that is read behind. */
const sometimes: Shape = (write, arrays) => {
  const { matrices, p, q, element, vectors } = arrays;
  const [a] = matrices;
  const [x, y] = vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  const kept = write.name('t');
  write.line(`${element} ${kept} = ${number(arrays, write)};`);
  const sums = (): void => write.line(`${y}[${j}] += ${a}[${i}][${j}]${write.dice.pick(['', ` * ${kept}`])};`);
  switch (write.dice.below(5)) {
    case 4:
      write.loop(i, p, () => {
        const at = write.name('at');
        write.line(`int ${at} = ${i};`);
        const other = write.dice.pick(['0', `${i} - 1`, `${p} - 1 - ${i}`]);
        write.line(`if (${condition(write, `${x}[${i}]`, i)}) ${at} = ${other};`);
        write.loop(j, q, () => write.line(`${y}[${j}] += ${a}[${at}][${j}];`));
      });
      break;
    case 0:
      write.loop(i, p, () => {
        write.line(`if (${condition(write, `${x}[${i}]`, i)}) ${kept} = ${x}[${i}];`);
        if (write.dice.chance(30)) write.line(`else ${kept} = ${number(arrays, write)};`);
        write.loop(j, q, sums);
      });
      break;
    case 1:
      write.loop(i, p, () => {
        const value = write.dice.pick([`${a}[${i}][${j}]`, `${x}[${i}]`]);
        write.loop(
          j,
          q,
          () => {
            write.line(`${kept} = ${value};`);
            write.line(`${y}[${write.dice.pick([j, '0'])}] += ${kept};`);
          },
          '0',
          write.dice.pick([q, i, '0', write.lengthOf(q), write.lengthOf(q)]),
        );
        write.line(`${x}[${i}] ${write.dice.pick(['=', '+='])} ${kept};`);
      });
      break;
    case 2:
      write.loop(i, p, () => {
        const value = write.dice.pick([`${x}[${i}]`, element === 'int' ? i : `${i}.toDouble()`]);
        write.line(`if (${condition(write, `${x}[${i}]`, i)}) ${kept} = ${value};`);
        write.loop(j, q, () => write.line(`${y}[${j}] += ${a}[${i}][${j}];`));
      });
      break;
    default:
      write.loop(i, p, () =>
        write.loop(j, q, () => {
          write.line(`${y}[${j}] += ${a}[${i}][${j}];`);
          write.line(`if (${condition(write, `${a}[${i}][${j}]`, j)}) ${kept} = ${a}[${i}][${j}];`);
        }),
      );
  }
  write.line(`yield ${kept};`);
};

/** An element that a loop leaves in place, among those that it goes through; a row that is only looked up. */
const inTheWay: Shape = (write, { matrices, p, q, element, vectors }) => {
  const [a, b] = matrices;
  const [x, y] = vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  const row = write.name('r');
  const still = write.dice.pick(['0', '2', `${q} - 1`, i]);
  write.loop(i, p, () => {
    if (write.dice.chance(35))
      write.line(
        `${element}[] ${row} = ${write.dice.pick([a, b])}[${write.dice.pick([`${i} + 1`, `${i} - 1`, i, `${p} - ${i}`])}];`,
      );
    write.loop(j, q, () => {
      switch (write.dice.below(6)) {
        case 0:
          return write.line(`${a}[${i}][${still}] += ${a}[${i}][${j}];`);
        case 1:
          return write.line(`${y}[${j}] = ${y}[${still}] + ${a}[${i}][${j}];`);
        case 2:
          return write.line(`${y}[${still}] += ${y}[${j}] * ${a}[${i}][${j}];`);
        case 3:
          return write.line(`${b}[${i}][${j}] = ${a}[${i}][${still}] + ${x}[${i}];`);
        default:
          return write.line(`${y}[${j}] += ${a}[${i}][${j}];`);
      }
    });
  });
};

/** Elements next to each other in one loop: read, handed on, set by another name or under a condition. */
const neighbours: Shape = (write, arrays) => {
  const { matrices, p, q, vectors } = arrays;
  const [, y, z] = vectors;
  const [a, b] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const [from, to] = [write.dice.pick(['1', '1', '2', '0']), write.dice.pick([`${q} - 1`, `${q} - 2`, q])];
  const inMatrix = write.dice.chance(40);
  const [source, target] = inMatrix
    ? [`${a}[${i}]`, `${write.dice.pick([a, b, b])}[${i}]`]
    : [y, write.dice.pick([y, z, z])];
  const sum = write.dice.pick([
    '[J-1] + [J] + [J+1]',
    '[J+1] - [J]',
    '[J-1] + [J]',
    '[J] + [J-1] - [J-2]',
    '[J+1] + [J+2]',
  ]);
  const value = sum
    .replaceAll('[J', `${source}[${j}`)
    .replaceAll('-1]', ' - 1]')
    .replaceAll('+1]', ' + 1]')
    .replaceAll('-2]', ' - 2]')
    .replaceAll('+2]', ' + 2]');
  const down = write.dice.chance(35);
  const head = down
    ? `for (int ${j} = ${to} - 1; ${j} >= ${from}; ${j}--)`
    : `for (int ${j} = ${from}; ${j} < ${to}; ${j}++)`;
  const line = write.block.bind(write, head, q, () => {
    const extra = write.dice.below(5);
    if (extra === 0) write.line(`${source}[${q} - 1 - ${j}] += ${number(arrays, write)};`);
    if (extra === 1)
      write.line(`if (${condition(write, `${source}[${j}]`, j)}) ${source}[${j}] = ${number(arrays, write)};`);
    write.line(`${target}[${j}] ${write.dice.pick(['=', '=', '+='])} ${value};`);
    if (extra === 2) write.line(`if (${condition(write, `${target}[${j}]`, j)}) ${source}[${j}] = ${target}[${j}];`);
  });
  if (inMatrix) write.loop(i, p, line);
  else if (write.dice.chance(60)) write.again(line);
  else line();
};

/** The least and the greatest, with where they are, however they are written. */
const extremes: Shape = (write, arrays) => {
  const { matrices, p, q, element, vectors } = arrays;
  const [a] = matrices;
  const [x, y] = vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  const [best, at, v] = [write.name('best'), write.name('at'), write.name('v')];
  const comparison = write.dice.pick(['<', '>', '<=', '>=']);
  const value = `${a}[${i}][${j}]`;
  const isInRow = write.dice.chance(60);
  // What goes with the best so far, and the best of before, in any order.
  const second = write.dice.chance(30) ? write.name('second') : null;
  const before = second === null ? '' : write.dice.pick([`${second} = ${best};`, `${second} = ${v};`]);
  const where = `${at} = ${write.dice.pick([i, j, j, `${at} + 1`, '7'])};`;
  const both = write.dice.pick([
    `${before} ${best} = ${v}; ${where}`,
    `${where} ${before} ${best} = ${v};`,
    `${best} = ${v}; ${before} ${where}`,
  ]);
  const declare = (): void => {
    write.line(`${element} ${best} = ${number(arrays, write)};`);
    if (second !== null) write.line(`${element} ${second} = ${number(arrays, write)};`);
    write.line(`int ${at} = -1;`);
  };
  const others = second === null ? [] : [second];
  if (!isInRow) declare();
  write.loop(i, p, () => {
    if (isInRow) declare();
    write.loop(j, q, () => {
      switch (write.dice.below(9)) {
        case 0:
          return write.line(`${best} = (${best}).${write.dice.pick(['min', 'max'])}(${value});`);
        case 1:
          return write.line(`if (${value} ${comparison} ${best}) ${best} = ${value};`);
        case 2:
          return write.line(`if (${best} ${comparison} ${value}) ${best} = ${value};`);
        case 3:
          return write.line(
            `${best} = ${best} ${comparison} ${value} ? ${write.dice.pick([`${best} : ${value}`, `${value} : ${best}`])};`,
          );
        case 4:
          return write.line(
            `if (${value} < -1) ${best} = ${value}; else if (${value} ${comparison} ${best}) ${best} = ${value};`,
          );
        case 5:
          write.line(`if (${value} ${comparison} ${best}) ${best} = ${value};`);
          return write.line(`if (${value} == ${best}) ${at} = ${j};`);
        default: {
          write.line(`${element} ${v} = ${value};`);
          const sides = write.dice.pick([
            [v, best],
            [best, v],
          ]);
          return write.line(`if (${sides.join(` ${comparison} `)}) { ${both} }`);
        }
      }
    });
    if (isInRow) write.line(`${x}[${i}] ${write.dice.pick(['=', '+='])} ${[best, at, ...others].join(' + ')};`);
  });
  if (!isInRow) write.line(`yield \`${[best, at, ...others].map((name) => `\${${name}}`).join(' ')}\`;`);
  write.loop(j, q, () => write.line(`${y}[${j}] = (${y}[${j}]).max(${a}[${write.mostly('0', `${p} - 1`)}][${j}]);`));
};

/** What can be reached, and which cells live: matrices of booleans. */
const booleans: Shape = (write, { matrices, p, q }) => {
  const [a] = matrices;
  const [r, next] = [write.name('is'), write.name('is')];
  const [i, j, k] = ['i', 'j', 'k'].map((name) => write.name(name)) as [string, string, string];
  for (const name of [r, next]) write.line(`boolean[][] ${name} = new boolean[${p}][${q}];`);
  write.loops([i, p], [j, q])(() => write.line(`${r}[${i}][${j}] = ${condition(write, `${a}[${i}][${j}]`, j)};`));
  switch (write.dice.below(3)) {
    case 0:
      write.loop(k, q, () =>
        write.loop(i, p, () =>
          write.loop(j, q, () =>
            write.line(`${r}[${i}][${j}] = ${r}[${i}][${j}] || (${r}[${i}][${k}] && ${r}[${k}][${j}]);`),
          ),
        ),
      );
      break;
    case 1: {
      const count = write.name('c');
      write.again(() => {
        write.loop(
          i,
          p,
          () =>
            write.loop(
              j,
              q,
              () => {
                write.line(`int ${count} = 0;`);
                for (const one of ['- 1][J]', '+ 1][J]', '][J - 1]', '][J + 1]'])
                  write.line(`if (${r}[${i} ${one.replace('J', j)}) ${count}++;`);
                write.line(`${next}[${i}][${j}] = ${count} == 2 || (${count} == 1 && ${r}[${i}][${j}]);`);
              },
              '1',
              `${q} - 1`,
            ),
          '1',
          `${p} - 1`,
        );
        write.loops([i, p], [j, q])(() => write.line(`${r}[${i}][${j}] = ${next}[${i}][${j}];`));
      });
      break;
    }
    default:
      write.loops(
        [i, p],
        [j, q],
      )(() => write.line(`if (${r}[${i}][${j}] != ${next}[${i}][${j}]) ${a}[${i}][${j}] += 1;`));
  }
  write.line(`yield ${write.dice.pick([r, next])};`);
};

/** The length of what two rows have in common, as two rows of a table hand it on; prefix sums. */
const tables: Shape = (write, { matrices, p, q, element, vectors }) => {
  const [a, b] = matrices;
  const [, y, z] = vectors;
  const [i, j] = [write.name('i'), write.name('j')];
  switch (write.dice.below(3)) {
    case 0:
      return write.loop(
        i,
        p,
        () =>
          write.loop(
            j,
            q,
            () => {
              const best = write.dice.pick([
                `(${a}[${i} - 1][${j}]).min(${a}[${i}][${j} - 1])`,
                `(${a}[${i} - 1][${j} - 1]).max(${a}[${i} - 1][${j}])`,
              ]);
              write.line(`${a}[${i}][${j}] = ${best} + ${b}[${i}][${j}];`);
            },
            '1',
          ),
        '1',
      );
    case 1:
      return write.loop(i, p, () => {
        write.line(`${z}[0] = ${a}[${i}][0];`);
        write.loop(j, q, () => write.line(`${z}[${j}] = (${z}[${j} - 1]).min(${y}[${j}]) + ${a}[${i}][${j}];`), '1');
        write.loop(j, q, () => write.line(`${y}[${j}] = ${z}[${j}];`));
      });
    default: {
      const kept = write.name('t');
      write.loop(i, p, () => {
        write.line(`${element} ${kept} = ${a}[${i}][0];`);
        write.loop(j, q, () => {
          write.line(`${b}[${i}][${j}] = ${kept};`);
          write.line(`${kept} += ${a}[${i}][${j}];`);
        });
      });
    }
  }
};

export const valueShapes: readonly Shape[] = [
  chained,
  chained,
  chained,
  inParts,
  inParts,
  inParts,
  sometimes,
  sometimes,
  sometimes,
  sometimes,
  inTheWay,
  inTheWay,
  neighbours,
  neighbours,
  neighbours,
  extremes,
  extremes,
  extremes,
  booleans,
  booleans,
  booleans,
  tables,
];
