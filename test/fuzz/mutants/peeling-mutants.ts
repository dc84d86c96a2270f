// Faults in loop peeling: which iterations are like others, what expressions are there, and when a loop is too short.

import type { Mutant } from './mutants.ts';

const ends = 'src/4-optimise/nests/loop-ends.ts';
const peeling = 'src/4-optimise/transform/loop-peeling.ts';
const copies = 'src/4-optimise/loop-copies.ts';

export const peelingMutants: readonly Mutant[] = [
  {
    name: 'loop peeling: no clause sees the counter',
    file: 'src/4-optimise/analysis/liveness.ts',
    from: `this.behindLoops.set(node.id, after | this.#atFailure);`,
    to: `this.behindLoops.set(node.id, after);`,
  },
  {
    name: 'loop peeling: an array that the loop replaces has the length of the first',
    file: peeling,
    from: `changes.locals.has(length.local) || changes.mayResize(length.array)`,
    to: `changes.mayResize(length.array)`,
  },
  {
    name: 'loop peeling: an array that the loop makes longer has its length from before',
    file: peeling,
    from: `changes.locals.has(length.local) || changes.mayResize(length.array)`,
    to: `changes.locals.has(length.local)`,
    isMissed: 'what makes an array longer is not short, so that nothing is peeled off such a loop',
  },
  {
    name: 'loop peeling: a loop may be as short as what is peeled',
    file: ends,
    from: `    operator: '>(int,int)',
    operands: [toExpression(head.end, span), int(head.first + ends.first + ends.last, span)],`,
    to: `    operator: '>(int,int)',
    operands: [toExpression(head.end, span), int(head.first + ends.first + ends.last - 2n, span)],`,
  },
  {
    name: 'loop peeling: a loop goes around at its end, whatever the size',
    file: ends,
    from: `if (beyond.terms.size > 0 || beyond.constant < 0n) return null;`,
    to: `if (beyond.terms.size > 0 && beyond.constant < 0n) return null;`,
  },
  {
    name: 'loop peeling: what is below 0 goes around',
    file: ends,
    from: `below: around(times), above: around(0n)`,
    to: `below: around(1n), above: around(0n)`,
  },
  {
    name: 'loop peeling: a position goes around one too late',
    file: ends,
    from: `at: plus(size, -by.constant), below`,
    to: `at: plus(size, 1n - by.constant), below`,
  },
  {
    name: 'loop peeling: at most is less',
    file: ends,
    from: `plus(position, isLess === isClosed ? 1n : 0n)`,
    to: `plus(position, isLess === isClosed ? 0n : 0n)`,
  },
  {
    name: 'loop peeling: a comparison of the counter with something is one of that with the counter',
    file: ends,
    from: `symbol.startsWith('<') === (coefficient === 1n)`,
    to: `symbol.startsWith('<')`,
  },
  {
    name: 'loop peeling: the last iterations are told one too far',
    file: ends,
    from: `iteration.by > inFront.constant;`,
    to: `iteration.by >= inFront.constant;`,
  },
  {
    name: 'loop peeling: the loop begins at its first value',
    file: peeling,
    from: `value: int(first + ends.first, span)`,
    to: `value: int(first + ends.first * 0n, span)`,
  },
  {
    name: 'loop peeling: the last iterations change places',
    file: peeling,
    from: `by: ends.last - BigInt(at)`,
    to: `by: 1n + BigInt(at)`,
  },
  {
    name: 'loop peeling: all copies share their locals',
    file: copies,
    from: `if (!shared.has(local) && !names.has(local))`,
    to: `if (!shared.has(local) && !names.has(local) && local < 0)`,
  },
  {
    name: 'loop peeling: what is handed on has another name in each copy',
    file: copies,
    from: `const shared = new Set([...atIteration, ...behind]);`,
    to: `const shared = new Set(behind);`,
  },
  {
    name: 'vectors: what is behind an else if does not look at the first condition',
    file: 'src/4-optimise/nests/vectors.ts',
    from: `const taken = name(both(left, holds));`,
    to: `const taken = name(both(mask, holds));`,
  },
  {
    name: 'vectors: an else is taken where a condition held',
    file: 'src/4-optimise/nests/vectors.ts',
    from: `left = name(both(left, laneWise('!(boolean)', [taken], type, span)));`,
    to: `left = name(both(left, taken));`,
  },
  {
    name: 'forward substitution: what is set elsewhere too is what it was set to first',
    file: 'src/4-optimise/nests/forward-substitution.ts',
    from: `this.#sets.get(made.local) === 1`,
    to: `this.#sets.has(made.local)`,
  },
  {
    name: 'forward substitution: what is set in the nest is a position',
    file: 'src/4-optimise/nests/forward-substitution.ts',
    from: `is &&= counters.has(part.local) || !this.#sets.has(part.local)`,
    to: `is &&= counters.size > 0`,
  },
];
