// Sweeps over matrices, made again and again: stencils from one matrix into another or in place, and fields of which
// each goes on from the others.

import { factor } from './matrix-shapes.ts';
import type { Shape } from './nest-shapes.ts';

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

export const sweepShapes: readonly Shape[] = [stencil, stencil, fields];
