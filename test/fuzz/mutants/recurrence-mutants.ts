// Faults in what a nest hands on from iteration to iteration.

import type { Mutant } from './mutants.ts';

const commoning = 'src/4-optimise/nests/commoning.ts';

export const recurrenceMutants: readonly Mutant[] = [
  {
    name: 'commoning: what else sets the element is not looked at',
    file: commoning,
    from: `areApart(group, other, loop, around, context)`,
    to: `areApart(group, group, loop, around, context)`,
  },
  {
    name: 'commoning: elements that move side by side are not told from others',
    file: commoning,
    from: `one.subscripts.every((form, dimension) => add(form, other.subscripts[dimension]!, -1n).terms.size === 0)`,
    to: `one.subscripts.every((form, dimension) => add(form, other.subscripts[dimension]!, -1n).terms.size >= 0)`,
  },
  {
    name: 'commoning: what is set sometimes is handed on',
    file: commoning,
    from: `return write !== undefined && others.length === 0 && statements.has(write);`,
    to: `return write !== undefined && others.length === 0 && statements.size > 0;`,
  },
  {
    name: 'commoning: the first of two values that an element gets is handed on',
    file: commoning,
    from: `return write !== undefined && others.length === 0 && statements.has(write);`,
    to: `return write !== undefined && others.length >= 0 && statements.has(write);`,
  },
  {
    name: 'commoning: an element that is read behind being set is what it was',
    file: commoning,
    from: `isWrite.lastIndexOf(false) < write);`,
    to: `isWrite.length > 0);`,
  },
  {
    name: 'commoning: loops go up by one',
    file: commoning,
    from: `plus(localForm(variable), goesUp ? step : -step);`,
    to: `plus(localForm(variable), goesUp || step > 0n ? 1n : -1n);`,
  },
  {
    name: 'commoning: the first iteration gets what the second one has',
    file: commoning,
    from: `const access = movedTo(group.first, loop, 'first');`,
    to: `const access = movedTo(movedTo(group.first, loop, 'next'), loop, 'first');`,
  },
  {
    name: 'commoning: values are handed on in the wrong order',
    file: commoning,
    from: `return ordered;`,
    to: `return ordered.length > 0 ? found : [];`,
  },
];
