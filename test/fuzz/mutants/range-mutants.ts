// Faults in what nests know of positions that are no sums of counters: clamped ones, such that go around, and indices
// out of tables.

import type { Mutant } from './mutants.ts';

const nests = 'src/4-optimise/nests';

export const rangeMutants: readonly Mutant[] = [
  {
    name: 'symbolic ranges: of two bounds the usual one is always the outer one',
    file: `${nests}/symbolic-ranges.ts`,
    from: `    { form: greater, isGreatest },`,
    to: `    { form: constantForm(1n << 20n), isGreatest },`,
  },
  {
    name: 'symbolic ranges: a remainder is never below 0',
    file: `${nests}/symbolic-ranges.ts`,
    from: `[[{ form: range.least, isGreatest: false }], isAtLeastOne];`,
    to: `[isAtLeastOne];`,
  },
  {
    name: 'symbolic ranges: what is known in front of a loop holds in it',
    file: `${nests}/reader.ts`,
    from: `    forget(inside, [loop]);`,
    to: ``,
  },
  {
    name: 'symbolic ranges: what a branch sets to anything stays what it was',
    file: `${nests}/statements.ts`,
    from: `if (joined === null) names.ranges.delete(local);`,
    to: `if (joined === null) return;`,
  },
  {
    name: 'symbolic ranges: an array that is read anywhere may be set',
    file: `${nests}/reader.ts`,
    from: `    if (own !== null) return this.#refuse('own', own);`,
    to: ``,
  },
  {
    name: 'symbolic ranges: the index of a row is what its variable holds later',
    file: `${nests}/lifted-subscripts.ts`,
    from: `if (index.kind === 'get-local' && !this.#isOfRow) return index;`,
    to: `if (index.kind === 'get-local') return index;`,
  },
  {
    name: 'symbolic ranges: lanes that are anywhere are next to each other',
    file: `${nests}/vectors.ts`,
    from: `return this.#isAnywhere(access) ? null : this.#loaded(node, access);`,
    to: `return this.#loaded(node, access);`,
  },
  {
    name: 'symbolic ranges: all copies of an iteration have the position of the last',
    file: `${nests}/copies.ts`,
    from: `new Map([...access.ranges].map(([local, range]) => [names.get(local) ?? local, range])),`,
    to: `access.ranges,`,
  },
  {
    name: 'symbolic ranges: an element at a position that changes stays in a variable',
    file: `${nests}/element-groups.ts`,
    from: ` && first.ranges === undefined;`,
    to: `;`,
  },
  {
    name: 'symbolic ranges: what changes in a loop is worked out in front of it',
    file: `${nests}/statements.ts`,
    from: `names.guards.length === guards.length && ![...read.keys()].some((local) => sets.has(local));`,
    to: `names.guards.length === guards.length && (read.size > 0 || sets.size > 0);`,
  },
  {
    name: 'wrapped positions: all are less than two periods away',
    file: `${nests}/wrapped-positions.ts`,
    from: `        [{ form: plus(add(add(period, period), greatest, -1n), -1n), isGreatest: false }],`,
    to: ``,
  },
  {
    name: 'wrapped positions: none is below 0',
    file: `${nests}/wrapped-positions.ts`,
    from: `        [{ form: isPositive ? least : add(least, period), isGreatest: false }],`,
    to: ``,
  },
  {
    name: 'scans: the greatest element is the least',
    file: `${nests}/scans.ts`,
    from: `extreme('int.max', greatest)`,
    to: `extreme('int.min', greatest)`,
  },
  {
    name: 'scans: elements may be of any size',
    file: `${nests}/conditions.ts`,
    from: `    ...scanned,`,
    to: ``,
    isMissed: 'a bound that wraps around is out of range, as its subscripts are; sums that are clamped are not drawn',
  },
];
