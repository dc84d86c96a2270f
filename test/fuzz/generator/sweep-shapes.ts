// Sweeps over matrices, made again and again: stencils from one matrix into another or in place, fields of which each
// goes on from the others, and buffers that change places behind each step.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeWriter } from './nest-shapes.ts';
import type { ElementType } from './nest-values.ts';

/** One sweep or more over the middle of a matrix, from another one or in place. */
const stencil: Shape = (write, arrays) => {
  const { matrices, p, q } = arrays;
  const [a, b] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  const inPlace = write.dice.chance(45);
  const from = write.mostly('1', '0', '2');
  const [last, lastRow] = [write.mostly(`${q} - 1`, q, `${q} - 2`), write.mostly(`${p} - 1`, p, `${p} - 2`)];
  const around = ['[I][J-1]', '[I][J+1]', '[I-1][J]', '[I+1][J]', '[I][J]', '[I-1][J-1]', '[I+1][J+1]', '[I-1][J+1]'];
  const count = write.dice.pick([2, 3, 4, 5, 5, 8]);
  const place = (text: string): string =>
    text.replace('I', i).replace('J', j).replaceAll('-1', ' - 1').replaceAll('+1', ' + 1');
  const sum = around
    .slice(0, count)
    .map((one) => `${a}${place(one)}`)
    .join(' + ');
  const sweep = (): void => {
    write.loop(
      i,
      p,
      () =>
        write.loop(
          j,
          q,
          () => write.guarded(`${inPlace ? a : b}[${i}][${j}] = ${factor(arrays, write)} * (${sum});`, i),
          from,
          last,
        ),
      from,
      lastRow,
    );
    if (inPlace) return;
    if (write.dice.chance(80))
      write.loop(
        i,
        p,
        () => write.loop(j, q, () => write.line(`${a}[${i}][${j}] = ${b}[${i}][${j}];`), from, last),
        from,
        lastRow,
      );
  };
  if (write.dice.chance(70)) write.again(sweep);
  else sweep();
};

/** Three fields, of which each goes on from the others. */
const fields: Shape = (write, { matrices, p, q, vectors: [x] }) => {
  const [ex, ey, hz] = matrices;
  const [i, j] = [write.name('i'), write.name('j')];
  write.again(() => {
    write.loop(j, q, () => write.line(`${ey}[0][${j}] = ${x}[0];`));
    write.loop(
      i,
      p,
      () => write.loop(j, q, () => write.line(`${ey}[${i}][${j}] -= (${hz}[${i}][${j}] - ${hz}[${i} - 1][${j}]);`)),
      '1',
    );
    write.loop(i, p, () =>
      write.loop(
        j,
        q,
        () => write.line(`${ex}[${i}][${j}] -= (${hz}[${i}][${j}] - ${hz}[${i}][${j} - 1]);`),
        write.mostly('1', '0'),
      ),
    );
    const change = `${ex}[${i}][${j} + 1] - ${ex}[${i}][${j}] + ${ey}[${i} + 1][${j}] - ${ey}[${i}][${j}]`;
    write.loop(
      i,
      p,
      () => write.loop(j, q, () => write.line(`${hz}[${i}][${j}] -= (${change});`), '0', `${q} - 1`),
      '0',
      `${p} - 1`,
    );
  });
};

/** What changes places, and what is read beside it. */
interface BufferNames {
  readonly names: readonly string[];
  readonly third: string;
}

/** Variables for the buffers: mostly new ones, so that what follows has its arrays, or fields of an object. */
function bufferNames(given: readonly string[], element: ElementType, type: string, write: ShapeWriter): BufferNames {
  const { dice } = write;
  if (given.length === 2 && dice.chance(35)) {
    const [one, other] = [write.name('pair'), write.name('pair')];
    const kind = `${element === 'int' ? 'Int' : 'Double'}${type.endsWith('[][]') ? 'Matrices' : 'Rows'}`;
    write.line(`${kind} ${one} = { now: ${given[0]}, next: ${given[1]} };`);
    // Two names of one object, or of two that have the same arrays.
    write.line(`${kind} ${other} = ${dice.pick([one, one, `{ now: ${one}.next, next: ${one}.now }`])};`);
    const own = [`${one}.now`, `${one}.next`];
    return {
      names: dice.pick([own, own, [`${one}.now`, `${other}.next`], [`${one}.now`, `${other}.now`]]),
      third: `${dice.pick([one, other, other])}.${dice.pick(['now', 'next'])}`,
    };
  }
  if (dice.chance(20)) return { names: given, third: given.at(-1)! };
  const names = given.map((array) => {
    const name = write.name('buffer');
    write.line(`${type} ${name} = ${array};`);
    return name;
  });
  // One that is longer than the other, and is in its place in every other step.
  if (!type.endsWith('[][]') && dice.chance(60))
    write.line(`${names[dice.below(2)]} = new ${element}[${names[0]}.length() + ${dice.below(3) + 1}];`);
  return { names, third: names.at(-1)! };
}

/** A name of a row, and one more of that. */
function rowOf(matrix: string, element: ElementType, write: ShapeWriter): string {
  const [row, other] = [write.name('row'), write.name('row')];
  write.line(`${element}[] ${row} = ${matrix}[${write.dice.pick(['0', '1'])}];`);
  if (write.dice.chance(30)) return row;
  write.line(`${element}[] ${other} = ${row};`);
  return other;
}

/** Two buffers that change places behind each step, or three that are handed on; rows or matrices. */
const buffers: Shape = (write, { matrices, vectors: [, x, y], element, p, q }) => {
  const { dice } = write;
  const areRows = dice.chance(40);
  const given = areRows ? [x, y] : matrices.slice(0, dice.chance(70) ? 2 : 3);
  const type = `${element}${areRows ? '[]' : '[][]'}`;
  const { names, third: c } = bufferNames(given, element, type, write);
  const [a, b] = names as readonly [string, string];
  const [i, j, held] = [write.name('i'), write.name('j'), write.name('held')];
  // From step to step.
  const carried = dice.chance(25) ? write.name('carried') : null;
  if (carried !== null) write.line(`${element} ${carried} = 3;`);
  const value = element === 'int' ? '' : dice.pick(['0.25 * ', '', '0.5 * ']);
  const work = (counter: string): void => {
    if (areRows) {
      const last = carried ?? dice.pick([`${a}[${i} + 1]`, counter, `${b}[${i}]`, `${c}[${i}]`, '3']);
      const sum = `${a}[${i} - 1] + ${a}[${i}] + ${last}`;
      return write.loop(i, q, () => write.guarded(`${b}[${i}] = ${value}(${sum});`, i), '1', `${q} - 1`);
    }
    const at = (of: string, k: string, l: string): string => `${of}[${i}${k}][${j}${l}]`;
    const row = dice.chance(40) ? `${rowOf(dice.pick([a, c]), element, write)}[${j}]` : null;
    const last =
      carried ?? row ?? dice.pick([at(a, '', ''), at(c, '', ''), `${counter} * 2`, at(b, '', ''), at(c, ' - 1', '')]);
    const sum = `${at(a, ' - 1', '')} + ${at(a, ' + 1', '')} - ${at(a, '', ' - 1')} + ${last}`;
    const inside = (): void => write.guarded(`${at(b, '', '')} = ${value}(${sum});`, i);
    write.loop(i, p, () => write.loop(j, q, inside, '1', write.mostly(`${q} - 1`, q)), '1', `${p} - 1`);
  };
  const isOutside = dice.chance(30);
  if (isOutside) write.line(`${type} ${held} = ${dice.pick(names)};`);
  const handOn = (): void => {
    write.line(`${isOutside ? '' : `${type} `}${held} = ${names[0]};`);
    for (const [at, name] of names.slice(1).entries()) write.line(`${names[at]} = ${name};`);
    write.line(`${names.at(-1)} = ${write.mostly(held, a, b)};`);
  };
  const isLast = dice.chance(75);
  const measured = `${dice.pick(names)}.length()`;
  const limit = areRows ? `${measured} - ${dice.below(4)}` : `${measured}.min(5)`;
  const step = (counter: string): void => {
    if (!isLast) handOn();
    work(counter);
    if (isLast) handOn();
    if (dice.chance(15)) work(counter);
    if (carried !== null) write.line(`${carried} = ${carried} * 2 - ${counter};`);
  };
  write.steps(
    limit,
    step,
    names.map((name) => `${name}[0]${areRows ? '' : '[0]'}`),
  );
  for (const name of isOutside ? [...names, held] : names) write.line(`yield ${name};`);
};

export const sweepShapes: readonly Shape[] = [stencil, stencil, fields, buffers, buffers, buffers, buffers];
