// Faults in nests that work in linear memory: in where their arrays are there, and in vectors.

import type { Mutant } from './mutants.ts';

const nests = 'src/4-optimise/nests';

export const scratchMutants: readonly Mutant[] = [
  {
    name: 'packing: arrays that may be one are not compared',
    file: `${nests}/packing.ts`,
    from: `      if (relation === 'compare') distinct.set(`,
    to: `      if (relation === 'compare' && arrays.length > 9) distinct.set(`,
  },
  {
    name: 'packing: an array that is set is not copied back',
    file: `${nests}/packing.ts`,
    from: `all.filter(({ isWritten }) => isWritten)`,
    to: `all.filter(({ isWritten }) => isWritten).slice(1)`,
  },
  {
    name: 'packing: two arrays overlap by one element',
    file: `${nests}/packing.ts`,
    from: `    set(address, behind());`,
    to: `    set(address, arithmetic('-', behind(), int(8n, span)));`,
  },
  {
    name: 'packing: the rows of a matrix are as far apart as there are rows',
    file: `${nests}/packing.ts`,
    from: `array.lengths.slice(dimension + 1).map(read)`,
    to: `array.lengths.slice(dimension, -1).map(read)`,
  },
  {
    name: 'packing: subscripts below the variable wrap',
    file: `${nests}/emission.ts`,
    from: `    least.set(key, constant < known ? constant : known);`,
    to: `    least.set(key, known);`,
  },
  {
    name: 'packing: a pointer is set where one of its subscripts still moves',
    file: `${nests}/emission.ts`,
    from: `    const { before, pointers } = this.#scopeOf(forms);`,
    to: `    const { before, pointers } = this.#scopes[0]!;`,
  },
  {
    name: 'packing: the least room is reserved, whatever is needed',
    file: `src/5-emit/scratch.ts`,
    from: `m.if(m.i64.le_s(first, m.i64.const(0n)), m.i32.const(1), grow)`,
    to: `m.if(m.i64.le_s(first, m.i64.const(0n)), m.i32.const(1), m.i32.const(1))`,
    isMissed: 'arrays must be larger than a page, which makes programs slow: test/host/scratch.test.ts has them',
  },
  {
    name: 'vectors: a loop may need what the iteration before has set',
    file: `${nests}/dependences.ts`,
    from: `  const inStatements = inLanes === true && earlier.position >= later.position;`,
    to: `  const inStatements = inLanes === true && earlier.position > later.position + 9;`,
  },
  {
    name: 'vectors: an access to two elements is to the first alone',
    file: `${nests}/dependences.ts`,
    from: `return Array.from({ length: laneCount(type.element) }, (_, lane)`,
    to: `return Array.from({ length: 1 }, (_, lane)`,
  },
  {
    name: 'vectors: a local of which lanes differ is the same in both',
    file: `${nests}/vectors.ts`,
    from: `if (node.kind === 'set-local' && this.#varies(node.value)) this.#varying.add(node.local);`,
    to: ``,
  },
  {
    name: 'vectors: elements in the other order are not swapped',
    file: `src/5-emit/vectors.ts`,
    from: `const swapped = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];`,
    to: `const swapped = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];`,
  },
  {
    name: 'vectors: where a condition does not hold, the new value is taken',
    file: `${nests}/vectors.ts`,
    from: `this.#stored(node, access, select(value, load(wide, node.span, this.#accesses), condition))`,
    to: `this.#stored(node, access, select(load(wide, node.span, this.#accesses), value, condition))`,
  },
  {
    name: 'splitting: the element is not looked for inside the bounds',
    file: `${nests}/splitting.ts`,
    from: `pointsOf(loop, accesses).find((form) => isInside(form, loop, around))`,
    to: `pointsOf(loop, accesses).find(() => true)`,
  },
  {
    name: 'vectors: a branch is one statement',
    file: `${nests}/dependences.ts`,
    from: `    if (node.kind !== 'if') return [[node]];`,
    to: `    return [[node]];`,
  },
];
