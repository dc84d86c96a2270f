// Loops of which two iterations fit into the lanes of a vector, or nearly do: two statements of which one reads what
// the other sets, in a branch perhaps; rows that are gone through from their end, or by pairs; a row of which one
// element is read again and again, which may be inside the loop or not; choices between elements; neighbours, where
// there are some, or some further on and further back.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

/** Seldom in another way than one by one upwards: nothing else makes vectors. */
const odd = 6;

/** Three rows along q, of vectors and matrices: two of them are the same one now and then. */
function rowsFor({ matrices, vectors }: ShapeArrays, i: string, { dice }: ShapeWriter): readonly string[] {
  const [, y, z] = vectors;
  const all = [y, z, ...matrices.map((matrix) => `${matrix}[${i}]`)];
  const left = [...all];
  return Array.from({ length: 3 }, () =>
    dice.chance(85) ? left.splice(dice.below(left.length), 1)[0]! : dice.pick(all),
  );
}

const operator = ({ dice }: ShapeWriter): string => dice.pick(['+', '-', '-']);

/** `u[j] += v[j]; w[j] = u[j - 1];`, and the same in a branch with `u[j + 1]`, and anything like these. */
const twoStatements: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const [i, j] = [write.name('i'), write.name('j')];
  const [u, v, w] = rowsFor(arrays, i, write) as [string, string, string];
  const kind = dice.pick(['behind', 'ahead', 'ahead', 'any']);
  const by = { behind: dice.pick([-1, -1, -2]), ahead: dice.pick([1, 1, 2]), any: dice.below(5) - 2 }[kind]!;
  const near = by === 0 ? j : by < 0 ? `${j} - ${-by}` : `${j} + ${by}`;
  const first = [
    `${u}[${j}] ${operator(write)}= ${v}[${j}];`,
    `${u}[${j}] = ${v}[${j}] ${operator(write)} ${factor(arrays, write)};`,
  ];
  const second = [
    `${w}[${j}] = ${u}[${near}] ${operator(write)} ${factor(arrays, write)};`,
    `${w}[${j}] ${operator(write)}= ${u}[${near}];`,
    ...(kind === 'any' ? [`${w}[${near}] = ${u}[${j}] ${operator(write)} ${v}[${j}];`] : []),
  ];
  const lines = [dice.pick(first), dice.pick(second)];
  if (kind === 'any' && dice.chance(60)) lines.reverse();
  const body = (): void => lines.forEach((line) => write.line(line));
  const isBranch = kind === 'ahead' ? dice.chance(80) : dice.chance(15);
  const branch = `if (${i} ${dice.pick(['> 0', '!= 1', '< 5', '>= 0'])})`;
  const from = by < 0 ? String(-by) : '0';
  const to = by > 0 ? `${q} - ${by}` : q;
  write.loop(i, p, () => write.loop(j, q, () => (isBranch ? write.block(branch, null, body) : body()), from, to, odd));
};

/** `u[j] = v[n - 1 - j];` */
const backwards: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const [i, j] = [write.name('i'), write.name('j')];
  const [u, v, w] = rowsFor(arrays, i, write) as [string, string, string];
  const back = dice.pick([`${q} - 1 - ${j}`, `${q} - ${j} - 1`, `${q} - 1 - ${j}`]);
  const line = dice.pick([
    `${u}[${j}] = ${v}[${back}] ${operator(write)} ${w}[${j}];`,
    `${u}[${j}] ${operator(write)}= ${v}[${back}];`,
    `${u}[${back}] = ${v}[${j}] ${operator(write)} ${w}[${back}];`,
  ]);
  write.loop(i, p, () => write.loop(j, q, () => write.guarded(line, i), '0', q, odd));
};

/** `u[j] += v[2 * j] - v[2 * j + 1];` */
const pairs: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const [i, j, half] = [write.name('i'), write.name('j'), write.name('half')];
  const [u, v, w] = rowsFor(arrays, i, write) as [string, string, string];
  const line = dice.pick([
    `${u}[${j}] ${operator(write)}= ${v}[2 * ${j}] ${operator(write)} ${v}[2 * ${j} + 1];`,
    `${u}[${j}] = ${v}[2 * ${j} + 1] ${operator(write)} ${w}[${j}];`,
    `${u}[2 * ${j}] = ${v}[${j}] ${operator(write)} ${w}[2 * ${j} + 1];`,
  ]);
  write.line(`int ${half} = ${q} / 2;`);
  write.loop(i, p, () => write.loop(j, q, () => write.line(line), '0', half, odd));
};

/** `u[j] = u[k] + v[j];` */
const oneElement: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const [i, j, k, at] = ['i', 'j', 'k', 'at'].map((name) => write.name(name)) as [string, string, string, string];
  const [u, v] = rowsFor(arrays, dice.pick(['0', k]), write) as [string, string, string];
  write.line(`int ${at} = ${dice.pick([`${q} / 2`, `${p} - 1`, '1'])};`);
  // One bound too near leaves the element out.
  const isNear = dice.chance(40);
  const read = isNear ? k : dice.pick([k, k, `${k} + 1`, at, at, `${q} - 1`, '0']);
  const from = isNear ? dice.pick(['0', '1', '2']) : dice.pick(['0', '0', '1', k, at]);
  const to = isNear ? dice.pick([q, `${q} - 1`]) : dice.pick([q, q, `${q} - 1`, k, `${k} + 1`, at]);
  const line = `${u}[${j}] = ${u}[${read}] ${operator(write)} ${v}[${j}];`;
  const inner = (): void => write.loop(j, q, () => write.line(line), from, to, odd);
  const side = isNear ? q : dice.pick([p, q]);
  const outer = (): void => write.loop(k, side, inner, '0', read === `${k} + 1` ? `${side} - 1` : side, odd);
  if (dice.chance(40)) write.loop(i, p, outer);
  else outer();
};

/** `if (u[j] < v[j]) u[j] = w[j];` */
const choices: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q, element } = arrays;
  const [i, j, t] = ['i', 'j', 't'].map((name) => write.name(name)) as [string, string, string];
  const [u, v, w] = rowsFor(arrays, i, write).map((row) => `${row}[${j}]`) as [string, string, string];
  const comparison = dice.pick(['<', '<=', '>', '>=', '==', '!=']);
  const bits = element === 'int' ? [`${u} = (${v} & ${w}) ^ ~${u};`, `${u} = ${v} | -${w};`] : [`${u} = -${v} / ${w};`];
  const lines = dice.pick([
    [`if (${u} ${comparison} ${v}) ${u} = ${w};`],
    [`${element} ${t} = ${v};`, `if (${t} ${comparison} ${u}) ${t} = ${w};`, `${w} = ${t};`],
    [`if (${u} ${comparison} ${v}) ${u} = ${w};`, `else if (${u} ${comparison} ${w}) ${u} = ${v};`],
    // Where the first condition holds the second one does too.
    [`if (${v} > 1) ${u} = ${w};`, `else if (${v} > 0) { ${u} = 2; ${w} = ${v}; }`, `else ${w} = 1;`],
    [`${u} = ${v} ${comparison} ${w} ? ${v} : ${w};`],
    [`${u} = ${v} ${comparison} ${w} && ${u} != ${v} ? ${v} : ${u};`],
    [`${u} = (${v}).min(${w});`, `${w} = (${u}).max(${v});`],
    [`${u} = (${v} - ${w}).abs();`],
    bits,
  ]);
  const last = write.name('last');
  const isKept = dice.chance(30);
  if (isKept) write.line(`${element} ${last} = 1;`);
  const kept = isKept ? [`${last} = ${v};`, `${w} = ${last} ${operator(write)} ${u};`] : lines;
  write.loop(i, p, () => write.loop(j, q, () => kept.forEach((line) => write.line(line)), '0', q, odd));
  if (isKept) write.line(`yield ${last};`);
};

/** `if (j > 0) u[j] += v[j - 1];`; now and then the guard lets one too many through, or the wrong ones. */
const guardedNeighbours: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, p, q } = arrays;
  const [i, j] = [write.name('i'), write.name('j')];
  const [u, v, w] = rowsFor(arrays, i, write) as [string, string, string];
  const guarded = (guard: string, value: string): readonly string[] => {
    const set = `${u}[${j}] ${operator(write)}= ${value};`;
    if (dice.chance(85)) return [`if (${guard}) ${set}`];
    return [`if (${guard}) ${u}[${j}] = ${w}[${j}];`, `else ${set}`];
  };
  const before = guarded(`${j} ${write.mostly('>', '>=')} 0`, `${v}[${j} - 1] ${operator(write)} ${v}[${j}]`);
  const behind = guarded(`${j} ${write.mostly('<', '<=')} ${q} - 1`, `${v}[${j} + 1] ${operator(write)} ${w}[${j}]`);
  const above = guarded(`${i} ${write.mostly('>', '>=')} 0`, `${matrices[0]}[${i} - 1][${j}]`);
  const lines = dice.pick([before, behind, above, [...before, ...behind], [...above, ...before]]);
  write.loop(i, p, () => write.loop(j, q, () => lines.forEach((line) => write.line(line)), '0', q, odd));
};

/** What is further on in a row, and what is further back: set meanwhile where the row is the one that is set. */
const aheadAndBehind: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q } = arrays;
  const [i, j] = [write.name('i'), write.name('j')];
  const [u, v, w] = rowsFor(arrays, i, write) as [string, string, string];
  const from = dice.chance(40) ? u : v;
  const ahead = dice.pick([1, 2, 2, 2, 3, 4, 5]);
  const behind = dice.chance(50) ? ahead : dice.pick([0, 1, 2, 3, 4, 6]);
  const near = `${from}[${j} + ${ahead}] ${operator(write)} ${from}[${j} - ${behind}]`;
  const line = dice.pick([
    `${u}[${j}] = ${near};`,
    `${u}[${j}] = ${near} ${operator(write)} ${from}[${j}];`,
    `${u}[${j}] ${operator(write)}= ${near} ${operator(write)} ${w}[${j}];`,
  ]);
  write.loop(i, p, () =>
    write.loop(j, q, () => write.line(line), String(behind), write.mostly(`${q} - ${ahead}`, q, i, `2 * ${i}`), odd),
  );
};

/** Neighbours some further apart than lanes, in rows with room for many iterations, which the nest leaves alone. */
const farNeighbours: Shape = (write, arrays) => {
  const { dice } = write;
  const { p, q, element, vectors } = arrays;
  const [i, j, k, t] = ['i', 'j', 'k', 't'].map((name) => write.name(name)) as [string, string, string, string];
  const [far, sums] = [write.name('far'), write.name('sums')];
  for (const name of [far, sums]) write.line(`${element}[] ${name} = new ${element}[${q} + 20];`);
  const value = element === 'int' ? `${k} % 7 - 3` : `(${k} % 7 - 3) * 0.3`;
  write.line(`for (int ${k} = 0; ${k} < ${q} + 20; ${k}++) ${far}[${k}] = ${value};`);
  const offsets = Array.from({ length: dice.pick([2, 2, 3, 4]) }, () => dice.below(9));
  const sum = offsets.map((by) => `${far}[${j} + ${by}]`).join(` ${operator(write)} `);
  write.loop(i, p, () =>
    write.line(`for (int ${j} = ${dice.pick(['0', '0', '1'])}; ${j} < ${q} + 12; ${j}++) ${sums}[${j}] += ${sum};`),
  );
  write.loop(t, q, () => write.line(`${vectors[1]}[${t}] += ${sums}[${t}];`));
};

export const laneShapes: readonly Shape[] = [
  aheadAndBehind,
  aheadAndBehind,
  farNeighbours,
  farNeighbours,
  twoStatements,
  twoStatements,
  twoStatements,
  backwards,
  pairs,
  oneElement,
  oneElement,
  oneElement,
  choices,
  guardedNeighbours,
];
