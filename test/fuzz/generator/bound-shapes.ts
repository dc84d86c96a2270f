// Nests with loops that begin or end where an element of an array says: segments of a row, mostly in order, distances
// from either end, bounds that are worked out of elements, in a local or in the head of the loop; some arrays of bounds
// are set on the way, or begin outside, and some bounds have no order.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

/** A loop over `k` inside one over `i`, and perhaps one over `j` in between, by bounds in an array. */
interface Bounded {
  readonly start: string;
  readonly sum: string;
  readonly i: string;
  readonly k: string;
  readonly j: string | null;
}

/** Limits far outside. */
const far = ['-1', '1000', '-9223372036854775807', '9223372036854775807'];

/** An array of bounds, one longer than a side, from 0 up to another side. */
function bounds(write: ShapeWriter, { p, q }: ShapeArrays): string {
  const { dice } = write;
  const [name, k] = [write.name('start'), write.name('k')];
  write.line(`int[] ${name} = new int[${p} + 1];`);
  const next = dice.pick([
    `(${name}[${k}] + ${k} * ${dice.pick([1, 3, 5])} % ${dice.pick([2, 3, 4])}).min(${q})`,
    `(${name}[${k}] + ${k} * ${dice.pick([1, 3, 5])} % ${dice.pick([2, 3, 4])}).min(${q})`,
    `${k}.min(${q})`,
    `${k} * 5 % (${q} + 1)`,
  ]);
  write.line(`for (int ${k} = 0; ${k} < ${p}; ${k}++) ${name}[${k} + 1] = ${next};`);
  write.costs.push({ n: p === 'n' ? 1 : 0, m: p === 'm' ? 1 : 0 });
  if (dice.chance(15)) write.line(`${name}[${dice.pick([p, `${p} / 2`, '0'])}] = ${dice.pick([q, '0', ...far])};`);
  return name;
}

/** The head of a loop by bounds, in front of which locals may have these, that are added to `held`. */
function headOf(write: ShapeWriter, bounded: Bounded, held: string[], { q }: ShapeArrays): string {
  const { dice } = write;
  const { start, i, k } = bounded;
  const [from, to] = [`${start}[${i}]`, `${start}[${i} + 1]`].map((bound) => {
    if (!dice.chance(30)) return bound;
    const name = write.name('bound');
    write.line(`int ${name} = ${bound};`);
    held.push(name);
    return name;
  }) as [string, string];
  const segment = `for (int ${k} = ${from}; ${k} < ${to}; ${k}++)`;
  return dice.pick([
    segment,
    segment,
    segment,
    segment,
    `for (int ${k} = ${from}; ${k} <= ${to} - 1; ${k}++)`,
    `for (int ${k} = ${to} - 1; ${k} >= ${from}; ${k}--)`,
    `for (int ${k} = ${q} - 1; ${k} >= ${from}; ${k}--)`,
    `for (int ${k} = 0; ${k} < ${to}; ${k}++)`,
    `for (int ${k} = ${from}; ${k} < ${q}; ${k}++)`,
    `for (int ${k} = ${from}; ${to} > ${k}; ${k} += ${dice.pick([1, 2, 3])})`,
    `for (int ${k} = ${from}.max(${i}); ${k} < ${to}.min(${q}); ${k}++)`,
    `for (int ${k} = (${i} - ${from}).max(0); ${k} <= (${i} + ${to}).min(${q} - 1); ${k}++)`,
    `for (int ${k} = ${from}; ${k} < ${from} + 2; ${k}++)`,
  ]);
}

/** What is done in an iteration; `held` have bounds of the loop. */
function bodyOf(
  write: ShapeWriter,
  { start, sum, i, k, j }: Bounded,
  held: readonly string[],
  arrays: ShapeArrays,
): void {
  const { dice } = write;
  const [a, b, c] = arrays.matrices;
  const [x, y, z] = arrays.vectors;
  const by = factor(arrays, write);
  const row = j ?? i;
  const away = dice.chance(80) ? '' : dice.pick([' + 1', ' - 1']);
  const kinds = [
    `${sum} += ${y}[${k}] * ${by};`,
    `${sum} += ${a}[${i}][${k}${away}] * ${y}[${k}];`,
    `${y}[${k}] = ${y}[${k}${away}] * ${by} + ${x}[${i}];`,
    `${z}[${k}] += ${y}[${k}${away}];`,
    `${a}[${i}][${k}] -= ${by} * ${b}[${i}][${k}${away}];`,
    `${c}[${row}][${k}] += ${a}[${i}][${k}] * ${x}[${row}];`,
    `${c}[${i}][${k}] = ${y}[${k}] > ${z}[${k}] ? ${by} : ${y}[${k}];`,
    `if (${y}[${k}] > ${by}) ${sum} += ${k};`,
  ];
  for (let line = dice.pick([1, 1, 2]); line > 0; line--) write.line(dice.pick(kinds));
  if (dice.chance(3)) write.line(`${start}[${i}] = ${start}[${i} + 1];`);
  for (const bound of held)
    if (dice.chance(15)) write.line(`if (${y}[${k}] > ${by}) ${bound} = ${bound} ${dice.pick(['- 1', '+ 1', '/ 2'])};`);
}

const between: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q, element, vectors } = arrays;
  const [a] = arrays.matrices;
  const [x, y] = vectors;
  const [i, j, k, sum] = ['i', 'j', 'k', 'sum'].map((name) => write.name(name)) as [string, string, string, string];
  const start = bounds(write, arrays);
  const isDeclaredInside = dice.chance(70);
  const hasLoopBetween = dice.chance(30);
  const bounded: Bounded = { start, sum, i, k, j: hasLoopBetween ? j : null };
  const declare = (): void => write.line(`${element} ${sum} = ${dice.pick(['0', factor(arrays, write)])};`);
  if (!isDeclaredInside) declare();
  const carried = dice.chance(15) ? write.name('held') : null;
  if (carried !== null) write.line(`int ${carried} = ${dice.pick(['0', '1', `${start}[0]`])};`);
  const inner = (): void => {
    const held: string[] = [];
    if (carried !== null) {
      // It goes on from where another iteration has set it, up to where this one does.
      write.line(`int ${k} = ${carried};`);
      write.line(`${carried} = ${dice.pick([`${start}[${i} + 1]`, `${start}[${i}]`, `(${i} + 2).min(${q})`, i])};`);
      const end = dice.pick([carried, carried, `${carried}.max(${i})`, q]);
      return write.block(`while (${k} < ${end})`, q, () => {
        bodyOf(write, bounded, held, arrays);
        write.line(`${k}++;`);
      });
    }
    write.block(headOf(write, bounded, held, arrays), q, () => bodyOf(write, bounded, held, arrays));
  };
  const rows = (): void =>
    write.loop(i, p, () => {
      if (isDeclaredInside) declare();
      // A loop that goes all along a row.
      const l = write.name('l');
      const others = [`${sum} += ${a}[${i}][${l}] * ${y}[${l}];`, `${x}[${i}] += ${y}[${l}] * ${a}[${i}][${l}];`];
      if (dice.chance(35)) write.loop(l, q, () => write.line(dice.pick(others)), '0', q, 5);
      if (hasLoopBetween) write.loop(j, p, inner, '0', p, 5);
      else inner();
      if (dice.chance(60)) write.line(`${x}[${i}] = ${sum};`);
    });
  if (dice.chance(75)) write.again(rows);
  else rows();
  if (!isDeclaredInside) write.line(`yield ${sum};`);
};

export const boundShapes: readonly Shape[] = [between];
