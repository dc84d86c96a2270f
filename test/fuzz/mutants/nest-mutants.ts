// Faults in unroll and jam: in what it knows of dependences and of scalars, in its conditions and in its code.

import type { Mutant } from './mutants.ts';

const nests = 'src/4-optimise/nests';
const transform = 'src/4-optimise/transform';

export const nestMutants: readonly Mutant[] = [
  {
    name: 'unroll and jam: a row of a matrix is no array of one dimension',
    file: `${nests}/dependences.ts`,
    from: `'compare' : 'unknown'`,
    to: `'compare' : 'different'`,
  },
  {
    name: 'unroll and jam: arrays of one class are not compared',
    file: `${nests}/conditions.ts`,
    from: `of distinct.values()) {`,
    to: `of [...distinct.values()].slice(1)) {`,
  },
  {
    name: 'unroll and jam: an inner loop may come to an element in another order',
    file: `${nests}/dependences.ts`,
    from: `    if (isSatisfiable([...constraints, isBefore])) return true;`,
    to: `    void isBefore;`,
  },
  {
    name: 'unroll and jam: parts in a loop change places',
    file: `${nests}/dependences.ts`,
    from: `if (p !== q) return p > q;`,
    to: `if (p !== q) return false;`,
  },
  {
    name: 'unroll and jam: an earlier part never needs what a later one did',
    file: `${nests}/dependences.ts`,
    from: `  if (earlier.at > later.at) return true;`,
    to: ``,
  },
  {
    name: 'unroll and jam: the last iteration of a loop depends on nothing',
    file: `${nests}/dependences.ts`,
    from: `...atMost(end, -1)]`,
    to: `...atMost(end, -2)]`,
  },
  {
    name: 'unroll and jam: distances have the wrong sign',
    file: `${nests}/dependences.ts`,
    from: `? equal(left, right, Number(-constant / factor))`,
    to: `? equal(left, right, Number(constant / factor))`,
  },
  {
    name: 'unroll and jam: the last copy depends on nothing',
    file: `${nests}/dependences.ts`,
    from: `most: copies - 1 }`,
    to: `most: copies - 2 }`,
  },
  {
    name: 'unroll and jam: an iteration depends on none of those right before it',
    file: `${nests}/dependences.ts`,
    from: `(distance < 1n ||`,
    to: `(distance < 2n ||`,
    isMissed: 'a loop must be jammed of which an inner one comes to what the iteration before set, in another order',
  },
  {
    name: 'unroll and jam: subscripts with a constant between them never meet',
    file: `${nests}/dependences.ts`,
    from: `? difference / coefficient : null`,
    to: `? null : null`,
  },
  {
    name: 'unroll and jam: what one branch sets is set',
    file: `${nests}/scalars.ts`,
    from: `if (ends.every((end) => end.has(local))) set.add(local);`,
    to: `set.add(local);`,
  },
  {
    name: 'unroll and jam: every inner loop makes an iteration',
    file: `${nests}/scalars.ts`,
    from: `flowThrough(part.parts, new Set(set), exposed)`,
    to: `flowThrough(part.parts, set, exposed)`,
  },
  {
    name: 'unroll and jam: what is read behind a loop is private',
    file: `${nests}/jam.ts`,
    from: `filter((local) => !isPrivate(local))`,
    to: `filter((local) => exposed.has(local) && !isPrivate(local))`,
  },
  {
    name: 'unroll and jam: the first copy sets what is read behind it',
    file: `${nests}/jam.ts`,
    from: `index === copies - 1 ? []`,
    to: `index === 0 ? []`,
  },
  {
    name: 'unroll and jam: what is left of a triangle begins one too far',
    file: `${nests}/jam.ts`,
    from: `first: localForm(reached), end`,
    to: `first: plus(localForm(reached), 1n), end`,
  },
  {
    name: 'unroll and jam: a jammed loop makes an iteration too many',
    file: `${nests}/jam.ts`,
    from: `BigInt(1 - copies)`,
    to: `BigInt(2 - copies)`,
  },
  {
    name: 'unroll and jam: loops that begin elsewhere are merged',
    file: `${nests}/jam.ts`,
    from: `(isFixed(inner.first) && isFixed(inner.end))`,
    to: `isFixed(inner.end)`,
  },
  {
    name: 'unroll and jam: a jammed loop is charged once',
    file: `${nests}/jam.ts`,
    from: `    weight: loop.weight * copies,`,
    to: ``,
  },
  {
    name: 'unroll and jam: constant subscripts are never negative',
    file: `${nests}/conditions.ts`,
    from: `form.terms.size === 0 && form.constant >= 0n`,
    to: `form.terms.size === 0`,
  },
  {
    name: 'unroll and jam: subscripts never go down while a loop goes up',
    file: `${nests}/extremes.ts`,
    from: `goesUp === (coefficient > 0n === isGreatest)`,
    to: `goesUp === isGreatest`,
  },
  {
    name: 'unroll and jam: a row that is put into a local is there',
    file: `${nests}/conditions.ts`,
    from: `const access = accesses.get(node) ?? rows.get(node);`,
    to: `const access = accesses.get(node);`,
  },
  {
    name: 'unroll and jam: limits are not reached',
    file: `${nests}/reader.ts`,
    from: `direction === '<=' ? 1n : -1n`,
    to: `direction === '<=' ? 0n : -1n`,
  },
  {
    name: 'unroll and jam: what is set under a condition is set',
    file: `${nests}/promotion.ts`,
    from: `(group.isSure || !group.isWritten) &&`,
    to: ``,
  },
  {
    name: 'unroll and jam: what a loop only sets is not loaded in front of it',
    file: `${nests}/promotion.ts`,
    from: `if (beginsWithRead || !loadsLate)`,
    to: `if (beginsWithRead)`,
  },
  {
    name: 'unroll and jam: what is only read is set by nobody',
    file: `${nests}/element-groups.ts`,
    from: `!(group.isWritten || other.isWritten)`,
    to: `!group.isWritten`,
  },
  {
    name: 'unroll and jam: what is left of a loop begins anew',
    file: `${nests}/emission.ts`,
    from: `if (!isRoot && continues !== true)`,
    to: `if (!isRoot)`,
  },
  {
    name: 'unroll and jam: rows are looked up in front of the loop that goes through them',
    file: `${nests}/emission.ts`,
    from: `needed.every((local) => variables.has(local))`,
    to: `needed.slice(1).every((local) => variables.has(local))`,
  },
  {
    name: 'unroll and jam: a loop with longer steps goes on by one',
    file: `${nests}/jam.ts`,
    from: `!loop.goesUp || loop.step !== 1n || hasFewer(loop, copies)`,
    to: `!loop.goesUp || hasFewer(loop, copies)`,
  },
  {
    name: 'unroll and jam: a loop that goes down goes up',
    file: `${nests}/jam.ts`,
    from: `!loop.goesUp || loop.step !== 1n || hasFewer(loop, copies)`,
    to: `loop.step !== 1n || hasFewer(loop, copies)`,
  },
  {
    name: 'unroll and jam: a variable that is set twice has its first value',
    file: `${nests}/statements.ts`,
    from: `value.type.kind === 'int' && isOnly`,
    to: `value.type.kind === 'int'`,
  },
  {
    name: 'unroll and jam: loops of all copies have the bounds of the first',
    file: `${nests}/copies.ts`,
    from: `...copyBounds(part, difference)`,
    to: `...part`,
  },
  {
    name: 'unroll and jam: of subscripts with the same terms one is looked at',
    file: `${nests}/conditions.ts`,
    from: `known === undefined || form.constant > known.form.constant === isGreatest`,
    to: `known === undefined`,
  },
  {
    name: 'unroll and jam: what has a length is there',
    file: `${nests}/conditions.ts`,
    from: `conditions.push(not(isNull(elementsOf(array, 0, span))));`,
    to: `void array;`,
    isMissed: 'what is missing must be measured alone, by an inner loop whose variable stands in no subscript',
  },
  {
    name: 'unroll and jam: what a loop sets is not stored behind it',
    file: `${nests}/promotion.ts`,
    from: `if (isWritten) behind.push(`,
    to: `if (isWritten && loadsLate) behind.push(`,
  },
  {
    name: 'unroll and jam: nothing that was worked out in front of a nest is read in it',
    file: `${transform}/unroll-and-jam.ts`,
    from: `(begun.has(local) || !exposed.has(local)) &&`,
    to: ``,
  },
];
