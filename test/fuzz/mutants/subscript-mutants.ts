// Faults in what nests take subscripts for: those of matrices in one array, behind guards, in tiles, and in loops that
// are split; and in positions that go around.

import type { Mutant } from './mutants.ts';

const nests = 'src/4-optimise/nests';
const analysis = 'src/4-optimise/analysis';

export const subscriptMutants: readonly Mutant[] = [
  {
    name: 'flat matrices: rows are not counted',
    file: `${nests}/conditions.ts`,
    from: `[isInRange, ...(isGreatest ? listWholeRows(form, length, sizes, span) : [])]`,
    to: `[isInRange]`,
  },
  {
    name: 'flat matrices: what is multiplied with the size of a row counts once',
    file: `${nests}/delinearisation.ts`,
    from: `if (same >= 0) return put(same, constantForm(1n), factor);`,
    to: `if (same >= 0) return put(same, constantForm(1n), 1n);`,
  },
  {
    name: 'flat matrices: rows of rows are as long as the inner ones',
    file: `${nests}/emission.ts`,
    from: `getLocal(sizes.at(-1)!, intType, span)`,
    to: `getLocal(array.lengths.at(-1)!, intType, span)`,
    isMissed: 'an array must hold rows of rows, one behind another; nests are drawn with matrices of two dimensions',
  },
  {
    name: 'guards: a guard that lets the limit through does not',
    file: `${nests}/guards.ts`,
    from: `const by = isOpen === holds ? 1n : 0n;`,
    to: `const by = 1n;`,
  },
  {
    name: 'guards: behind an arm its condition holds',
    file: `${nests}/statements.ts`,
    from: `behind = this.guarded(behind, arm.condition, false);`,
    to: `behind = this.guarded(behind, arm.condition, true);`,
  },
  {
    name: 'guards: a row behind a guard is there in front of it',
    file: `${nests}/emission.ts`,
    from: `const value = isGuarded ? ifInRange(found) : found;`,
    to: `const value = found;`,
  },
  {
    name: 'guards: an element behind a guard is there in front of it',
    file: `${nests}/element-groups.ts`,
    from: `return first.within === undefined && `,
    to: `return `,
  },
  {
    name: 'guards: what is packed is there in front of a guard',
    file: `${nests}/packing.ts`,
    from: `  if ([...accesses.values()].some(({ within }) => within !== undefined)) return null;`,
    to: ``,
  },
  {
    name: 'tiles: the ends of two loops are one',
    file: `${nests}/references.ts`,
    from: "const key = `${call.function} ${known.map(keyOf).join(' ')}`;",
    to: `const key = call.function;`,
  },
  {
    name: 'splitting: the element may be in front of the loop',
    file: `${nests}/splitting.ts`,
    from: `return [before, behind].every(`,
    to: `return [behind].every(`,
  },
  {
    name: 'vectors: two of them have the end of one',
    file: `${nests}/jam.ts`,
    from: `plus(loop.end, BigInt(1 - inVectors))`,
    to: `plus(loop.end, BigInt(1 - lanes))`,
  },
  {
    name: 'vectors: nobody reads behind a loop what it sets',
    file: `${nests}/jam.ts`,
    from: `!carried.has(local) && context.isLiveBehind(local, loop)`,
    to: `!carried.has(local) && !own.has(local)`,
  },
  {
    name: 'inductive range checks: a position is where it was behind a continue',
    file: `${analysis}/iteration-walk.ts`,
    from: `this.#continued = joinStates(this.#least, this.#continued, copy(state));`,
    to: ``,
  },
  {
    name: 'inductive range checks: a field that is set by another name stays',
    file: `${analysis}/iteration-walk.ts`,
    from: `state.ranges.delete(other);
    if (key`,
    to: `void other;
    if (key`,
  },
  {
    name: 'inductive range checks: what is set in a branch is always set',
    file: `${analysis}/iteration-walk.ts`,
    from: `      state = this.#where(condition, false, state);
    }`,
    to: `      state = behind === null ? this.#where(condition, false, state) : null;
    }`,
  },
  {
    name: 'inductive range checks: the length is not asked for',
    file: `${analysis}/inductive-ranges.ts`,
    from: `inRange.push([highest, getLocal(access.hoisted.length, intType, span)]);`,
    to: `void highest;`,
  },
];
