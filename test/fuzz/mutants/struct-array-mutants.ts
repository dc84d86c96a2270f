// Faults in arrays of structs that become an array for each field.

import type { Mutant } from './mutants.ts';

const splittable = 'src/4-optimise/analysis/splittable-arrays.ts';
const nulls = 'src/4-optimise/analysis/null-places.ts';
const filled = 'src/4-optimise/analysis/filled-arrays.ts';
const accesses = 'src/4-optimise/transform/split-accesses.ts';

export const structArrayMutants: readonly Mutant[] = [
  {
    name: 'structure of arrays: structs whose fields are set are copied',
    file: splittable,
    from: `    if (node.kind === 'set-field') this.#changed.add(node.struct);`,
    to: ``,
  },
  {
    name: 'structure of arrays: structs that are compared are copied',
    file: splittable,
    from: `    this.#keepObjects(left.type);`,
    to: ``,
  },
  {
    name: 'structure of arrays: structs that an array is searched for are copied',
    file: splittable,
    from: `'clear', 'copy']`,
    to: `'clear', 'copy', 'contains']`,
  },
  {
    name: 'structure of arrays: a fill costs as much as the struct has fields',
    file: splittable,
    from: ` || node.function === 'T[].fill'`,
    to: ``,
  },
  {
    name: 'structure of arrays: a literal that reads the element sets its fields one after another',
    file: accesses,
    from: `isPlain && isStable(one.value`,
    to: `one.value.kind === 'get-element' || isStable(one.value`,
  },
  {
    name: 'structure of arrays: fields are stored in the order in which they are written',
    file: accesses,
    from: `      fields[one.field] = kept.value;`,
    to: `      fields[at] = kept.value;`,
  },
  {
    name: 'structure of arrays: an array is looked up behind what changes who holds it',
    file: accesses,
    from: `return isQuiet;`,
    to: `return true;`,
  },
  {
    name: 'null places: what is pushed is never null',
    file: nulls,
    from: `return isNullable(value.type) ? [{ to:`,
    to: `return value.kind === 'get-local' ? [{ to:`,
  },
  {
    name: 'null places: the elements of new arrays are never null',
    file: nulls,
    from: `    if (lengths === 1) this.#places.add(rootOf(made));`,
    to: `    if (lengths === 1) return;`,
  },
  {
    name: 'filled arrays: from any index on',
    file: filled,
    from: `start?.kind !== 'int' || start.value !== 0n`,
    to: `start?.kind !== 'int'`,
  },
  {
    name: 'filled arrays: an iteration may end before the element is set',
    file: filled,
    from: `!body.slice(0, at).some((node) => jumps(node, loop, 'continue'))`,
    to: `true`,
  },
  {
    name: 'filled arrays: the loop may end early',
    file: filled,
    from: `!body.some((node) => jumps(node, loop, 'break'))`,
    to: `true`,
  },
  {
    name: 'filled arrays: the length may change before the loop',
    file: filled,
    from: `isSame(limit, [...between, loop])`,
    to: `isSame(limit, [])`,
  },
  {
    name: 'filled arrays: elements may be read meanwhile',
    file: filled,
    from: `countReads([loop], array) === (isLength ? 2 : 1)`,
    to: `countReads([loop], array) > 0`,
  },
  {
    name: 'structure of arrays: an element is replaced while a variable has it',
    file: splittable,
    from: `!(this.#held.has(array) && this.#replaced.has(array))`,
    to: `true`,
  },
  {
    name: 'structure of arrays: an array owns what comes from elsewhere',
    file: splittable,
    from: `((isPush && !isNew(value)) || `,
    to: `((isPush && value === array) || `,
  },
  {
    name: 'structure of arrays: an array owns what it gives away',
    file: splittable,
    from: `      if (!isField || part !== node.object) this`,
    to: `      if (node.kind === 'call') this`,
  },
  {
    name: 'structure of arrays: a value is worked out in front of the test of the index',
    file: accesses,
    from: `const tests = arePure([value], this.#registry) ? []`,
    to: `const tests = value.kind !== 'null' ? []`,
  },
  {
    name: 'element cursors: the index may change meanwhile',
    file: accesses,
    from: ` && !isIn(changed, inner)`,
    to: ` && changed.size >= 0`,
  },
  {
    name: 'element cursors: an index that is not tested at once is never tested',
    file: accesses,
    from: `place.checked && testedBy === null`,
    to: `!place.checked && testedBy === null`,
  },
  {
    name: 'element cursors: variables that are set twice',
    file: 'src/4-optimise/analysis/element-cursors.ts',
    from: `sets.get(local) !== 1 || `,
    to: ``,
  },
];
