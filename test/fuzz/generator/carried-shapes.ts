// Nests whose innermost loop hands values on in locals: the neighbour before, two of them in a chain, what was worked
// out a step ago, to be read before it is set or behind; some nearly do: what is handed on comes out of itself, is set
// sometimes only, or twice, or changes places with another.

import { factor } from './matrix-shapes.ts';
import type { Shape, ShapeArrays, ShapeWriter } from './nest-shapes.ts';

interface Walk {
  readonly names: readonly string[];
  /** Elements beside each other. */
  readonly places: readonly string[];
  /** What can be set. */
  readonly targets: readonly string[];
  readonly counted: string;
}

/** What a local is set to at the end of an iteration. */
function nextOf(at: number, { names, places }: Walk, arrays: ShapeArrays, write: ShapeWriter): string {
  const { dice } = write;
  const [name, other] = [names[at]!, names[at + 1] ?? names[0]!];
  const [place, second] = [dice.pick(places), dice.pick(places)];
  const by = factor(arrays, write);
  if (dice.chance(8)) return dice.pick([`${name} * ${by} + ${place}`, `${place} - ${name}`]);
  if (at + 1 < names.length && dice.chance(70)) return other;
  return dice.pick([
    place,
    place,
    place,
    `${place} - ${second}`,
    `${by} * ${place}`,
    `${place} > 1 ? ${second} : ${place}`,
    other,
    by,
  ]);
}

/** What is done with the locals. */
function useOf({ names, places, targets, counted }: Walk, arrays: ShapeArrays, write: ShapeWriter): string {
  const { dice } = write;
  const [name, place, target] = [dice.pick(names), dice.pick(places), dice.pick(targets)];
  const by = factor(arrays, write);
  return dice.pick([
    `${target} = ${name};`,
    `${target} = ${name} + ${place};`,
    `${target} = ${by} * (${names.join(' + ')} + ${place});`,
    `${target} = ${name} > ${place} ? ${place} : ${name};`,
    `${target} -= ${by} * ${name};`,
    `if (${name} != ${place}) ${target} = ${name};`,
    `if (${place} > ${name}) ${counted}++;`,
    `${counted} = ${counted} + (${place} == ${name} ? 1 : 0);`,
  ]);
}

const handedOn: Shape = (write, arrays) => {
  const { dice } = write;
  const { matrices, vectors, p, q, element } = arrays;
  const [a, b, c] = matrices;
  const [, y] = vectors;
  const [i, j, counted] = [write.name('i'), write.name('j'), write.name('counted')];
  const isDeclaredInside = dice.chance(75);
  const names = Array.from({ length: dice.pick([1, 1, 2, 2, 3]) }, () => write.name('held'));
  const first = write.mostly('1', '0');
  const places = [`${a}[${i}][${j}]`, `${a}[${i}][${j} + 1]`, `${b}[${i}][${j}]`, `${y}[${j}]`];
  const walk: Walk = { names, places, targets: [`${c}[${i}][${j}]`, `${c}[${i}][${j}]`, places[0]!], counted };
  const declare = (): void => {
    for (const [at, name] of names.entries())
      write.line(
        `${element} ${name} = ${dice.pick([factor(arrays, write), isDeclaredInside ? `${a}[${i}][${at}]` : '1'])};`,
      );
  };
  write.line(`int ${counted} = 0;`);
  if (!isDeclaredInside) declare();
  const local = dice.chance(40) ? write.name('v') : null;
  const body = (): void => {
    const own: Walk = local === null ? walk : { ...walk, places: [local, local, ...places] };
    if (local !== null) write.line(`${element} ${local} = ${dice.pick(places)};`);
    const uses = Array.from({ length: dice.pick([1, 1, 2, 2, 3]) }, () => useOf(own, arrays, write));
    const sets = names.map((name, at) => {
      const set = `${name} = ${nextOf(at, own, arrays, write)};`;
      return dice.chance(6) ? `if (${dice.pick(places)} > 1) ${set}` : set;
    });
    if (dice.chance(20)) sets.reverse();
    if (dice.chance(5)) sets.push(`${names[0]!} = ${dice.pick(places)};`);
    // Before what is done with them now and then, or in the middle of it.
    const at = dice.chance(75) ? uses.length : dice.below(uses.length + 1);
    for (const line of [...uses.slice(0, at), ...sets, ...uses.slice(at)]) write.line(line);
  };
  const rows = (): void =>
    write.loop(i, p, () => {
      if (isDeclaredInside) declare();
      write.loop(j, q, body, first, dice.chance(85) ? `${q} - 1` : q, 6);
      if (dice.chance(30)) write.line(`${vectors[0]}[${i}] = ${dice.pick(names)};`);
    });
  if (dice.chance(75)) write.steps(p, rows, [`${c}[0][0]`]);
  else rows();
  write.line(`yield ${counted};`);
  if (!isDeclaredInside) for (const name of names) write.line(`yield ${name};`);
};

export const carriedShapes: readonly Shape[] = [handedOn];
