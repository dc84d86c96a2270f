// Faults in what nests know of positions that are no sums of counters: clamped ones, such that go around, and indices
// out of tables.

import type { Mutant } from './mutants.ts';

const nests = 'src/4-optimise/nests';

export const rangeMutants: readonly Mutant[] = [
  {
    name: 'scans: what the nest reads besides the one element is like it',
    file: 'src/4-optimise/nests/references.ts',
    from: `if (scan.position !== null && keyOf(scan.position) !== keyOf(form)) scan.position = null;`,
    to: ``,
    isMissed:
      'two elements in one nest, of which one alone is out of range, are seldom drawn; a conformance case has them',
  },
  {
    name: 'scans: the element is the same while its position changes',
    file: 'src/4-optimise/nests/references.ts',
    from: `position: [...form.terms.keys()].every(this.isInvariant) ? form : null,`,
    to: `position: form,`,
  },
  {
    name: 'symbolic ranges: of two bounds the usual one is always the outer one',
    file: `${nests}/symbolic-ranges.ts`,
    from: `form: isGreatest ? add(chosen, left, -1n) : add(left, chosen, -1n),`,
    to: `form: constantForm(0n),`,
  },
  {
    name: 'symbolic ranges: a remainder is never below 0',
    file: `${nests}/symbolic-ranges.ts`,
    from: `[needed(extremeOf(range.least, this.#names.loops, false)), needed(greatest)];`,
    to: `[needed(greatest)];`,
  },
  {
    name: 'symbolic ranges: what is known in front of a loop holds in it',
    file: `${nests}/reader.ts`,
    from: `    forget(entered, [loop]);`,
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
    name: 'symbolic ranges: an extreme of the loops is the value in each iteration',
    file: `${nests}/symbolic-ranges.ts`,
    from: `[extremeOf(one, loops, isGreatest), extremeOf(other, loops, isGreatest)]`,
    to: `[one, other]`,
  },
  {
    name: 'symbolic ranges: elements that the nest sets may be read in front of a loop',
    file: `${nests}/statements.ts`,
    from: ` || this.#readsWhatIsSet(value)) return null;`,
    to: `) return null;`,
  },
  {
    name: 'wrapped positions: all are less than two periods away',
    file: `${nests}/wrapped-positions.ts`,
    from: `        plus(add(add(period, period), greatest, -1n), -1n),`,
    to: ``,
  },
  {
    name: 'wrapped positions: none is below 0',
    file: `${nests}/wrapped-positions.ts`,
    from: `        isPositive ? least : add(least, period),`,
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
