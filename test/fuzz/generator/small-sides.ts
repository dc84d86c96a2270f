// Filters: a square of constant sides around each element, with weights from a literal, whose rows are not always
// equally long; with sides in variables, and conditions that are decided once the loops are written out. And nests of a
// literal.

import { factor } from './matrix-shapes.ts';
import type { Shape } from './nest-shapes.ts';

/** `for (int d = 0; d < side; d++) for (int e = -1; e <= 1; e++) u[i][j] += v[i + d - 1][j + e] * w[d][e + 1];` */
const filter: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, p, q, element } = arrays;
  const [u, v] = dice.chance(85) ? [matrices[0], matrices[1]] : [dice.pick(matrices), dice.pick(matrices)];
  const [i, j, d, e, side, weights, count] = ['i', 'j', 'd', 'e', 'side', 'weights', 'count'].map((name) =>
    write.name(name),
  ) as [string, string, string, string, string, string, string];
  const rows = Array.from({ length: 3 }, () => {
    const length = dice.chance(92) ? 3 : dice.pick([2, 4]);
    return `[${Array.from({ length }, () => factor(arrays, write)).join(', ')}]`;
  });
  write.line(`${element}[][] ${weights} = [${rows.join(', ')}];`);
  write.line(`int ${side} = ${dice.pick(['3', '3', '2'])};`);
  write.line(`int ${count} = 0;`);
  if (dice.chance(20)) write.line(`if (${p} > 3) ${side} = 3;`);
  const decided = dice.pick([
    null,
    `if (${d} == 1 && ${e} == 0) continue;`,
    `if (${e} < 0 || ${d} > 1) ${count}++;`,
    `if (${d} < ${side} - 1) ${count} += ${d} <= 1 ? 1 : 3; else ${count} += 5;`,
    `if (${side} < 3) ${count} += 7; else if (${side} <= ${d}) ${count} += 11; else if (${d} != ${side}) ${count}++;`,
    `${count} += ${d} >= 1 && ${e} != 1 ? 2 : ${i};`,
  ]);
  const [first, comparison, last, step] = dice.chance(15) ? ['1', '>=', '-1', '--'] : ['-1', '<=', '1', '++'];
  const inner = `for (int ${e} = ${first}; ${e} ${comparison} ${last}; ${e}${step})`;
  const body = (): void => {
    if (decided !== null) write.line(decided);
    write.line(`${u}[${i}][${j}] += ${v}[${i} + ${d} - 1][${j} + ${e}] * ${weights}[${d}][${e} + 1];`);
  };
  const square = (): void =>
    write.scope.block(`for (int ${d} = 0; ${d} < ${side}; ${d}++)`, () => write.scope.block(inner, body));
  const columns = (): void => write.loop(j, q, square, '1', `${q} - 1`, 6);
  write.loop(i, p, columns, '1', `${p} - 1`, 6);
  write.line(`yield ${count};`);
  write.line(`yield ${weights}[2];`);
};

/** `out[k] += literal[k][l];`, where the literal may have a row that is too short. */
const literals: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, element } = arrays;
  const [i, k, l, side, literal, out] = ['i', 'k', 'l', 'side', 'literal', 'out'].map((name) => write.name(name)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const rows = Array.from({ length: 5 }, () => {
    const length = dice.chance(85) ? 5 : dice.pick([4, 6]);
    return `[${Array.from({ length }, () => factor(arrays, write)).join(', ')}]`;
  });
  write.line(`${element}[][] ${literal} = [${rows.join(', ')}];`);
  write.line(`${element}[] ${out} = new ${element}[5];`);
  write.line(`int ${side} = 5;`);
  write.line(`if (${p} > 7) ${side} = 4;`);
  const line = `${out}[${dice.pick([k, l])}] += ${literal}[${k}][${l}] * ${factor(arrays, write)};`;
  const inner = (): void => write.scope.block(`for (int ${l} = 0; ${l} < ${side}; ${l}++)`, () => write.line(line));
  write.loop(i, p, () => write.scope.block(`for (int ${k} = 0; ${k} < ${side}; ${k}++)`, inner), '0', p, 6);
  write.line(`yield ${out};`);
};

export const smallSides: readonly Shape[] = [filter, literals];
