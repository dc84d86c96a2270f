// Faults in the passes that choose between numbers, hand them on to the next iteration and reorder operations.

import type { Mutant } from './mutants.ts';

const transform = 'src/4-optimise/transform';

export const numberMutants: readonly Mutant[] = [
  {
    name: 'branch simplification: which of two stands first is passed over',
    file: `${transform}/branch-simplification.ts`,
    from: `(comparison === '<') === isLeft ?`,
    to: `comparison === '<' ?`,
    isMissed: 'a choice must give what it compares, the second operand first, which chance alone does not draw',
  },
  {
    name: 'branch simplification: other branches of the same statement are left out',
    file: `${transform}/branch-simplification.ts`,
    from: `const set = arms.length === 0 ? onlySet(arm!.then) : null;`,
    to: `const set = onlySet(arm!.then);`,
    isMissed: 'each of several branches must set the same number and do nothing else',
  },
  {
    name: 'predictive commoning: nothing else in the loop sets the array',
    file: `${transform}/predictive-commoning.ts`,
    from: `if (inArray.some((other) => isWrite(other) && other.base !== base)) continue;`,
    to: ``,
    isMissed: 'a loop must read neighbours and set the same array at a place that moves in another way',
  },
  {
    name: 'predictive commoning: arrays that the loop sets are not compared',
    file: `${transform}/predictive-commoning.ts`,
    from: `if (!isWrite(other) || other.elements === source.elements`,
    to: `if (isWrite(other) || other.elements === source.elements`,
    isMissed: 'a loop must read neighbours in an array and set the same one by another name',
  },
  {
    name: 'predictive commoning: what is sometimes set is always set',
    file: `${transform}/predictive-commoning.ts`,
    from: `return others.length === 0 && write.always ? write : null;`,
    to: `return others.length === 0 ? write : null;`,
    isMissed: 'a loop must read what the iteration before set under a condition',
  },
  {
    name: 'predictive commoning: locals are handed on in the order of loops that count up',
    file: `${transform}/predictive-commoning.ts`,
    from: `Number(step > 0n ? one.offset`,
    to: `Number(step !== 0n ? one.offset`,
    isMissed: 'a loop that counts down must read three neighbours, with no store between',
  },
  {
    name: 'reassociation: sums of doubles may have any order',
    file: `${transform}/reassociation.ts`,
    from: `'int.min', 'int.max']);`,
    to: `'int.min', 'int.max', '+(double,double)']);`,
    isMissed: 'a loop must sum several doubles into a local in one chain, and their roundings must differ',
  },
  {
    name: 'reassociation: what has effects may have any order',
    file: `${transform}/reassociation.ts`,
    from: `  if (!mayBeOrdered(operands, registry)) return node;`,
    to: ``,
  },
  {
    name: 'loop idioms: elements that were written are read again',
    file: `${transform}/loop-idioms.ts`,
    from: `...(overlap === null ? [] : [overlap]),`,
    to: ``,
    isMissed: 'a loop of dozens of iterations must copy within an array, to indices a little further on',
  },
  {
    name: 'loop idioms: counters stay where they were',
    file: `${transform}/loop-idioms.ts`,
    from: `arithmetic('+', getLocal(local, intType, span), count)`,
    to: `getLocal(local, intType, span)`,
    isMissed: 'a loop must do nothing but copy or fill dozens of elements',
  },
  {
    name: 'silent-store elimination: the smaller of both is the larger',
    file: `${transform}/silent-store-elimination.ts`,
    from: `['int.min', '<'],`,
    to: `['int.min', '>'],`,
    isMissed: 'a loop must come back to elements that keep the least of what it offers them',
  },
  {
    name: 'inductive range checks: a position without a value in front of the loop is looked at there',
    file: 'src/4-optimise/analysis/inductive-ranges.ts',
    from: `      if (this.#ifAllHold(kept, sizes) !== null) continue;`,
    to: ``,
  },
  {
    name: 'constant propagation: a local that is set twice is the constant that it is first',
    file: 'src/4-optimise/transform/constant-propagation.ts',
    from: `node.kind === 'set-local' && !found.has(local) ?`,
    to: `node.kind === 'set-local' ?`,
  },
  {
    name: 'constant folding: a comparison of equals holds',
    file: 'src/4-optimise/constant-folding.ts',
    from: `'<': (left, right) => left < right,`,
    to: `'<': (left, right) => left <= right,`,
  },
  {
    name: 'constant folding: the first branch is taken, whatever its condition',
    file: 'src/4-optimise/constant-folding.ts',
    from: `condition.kind !== 'boolean' || condition.value);`,
    to: `condition.kind !== 'boolean' || true);`,
  },
  {
    name: 'complete unrolling: the last iteration is left out',
    file: 'src/4-optimise/transform/complete-unrolling.ts',
    from: `return values.flatMap((value) =>`,
    to: `return values.slice(0, -1).flatMap((value) =>`,
  },
  {
    name: 'peephole: masks that differ are taken for one',
    file: `${transform}/peephole.ts`,
    from: `other.kind === 'get-local' && one.local === other.local;`,
    to: `other.kind === 'get-local';`,
  },
  {
    name: 'peephole: the bits of the other value are chosen',
    file: `${transform}/peephole.ts`,
    from: `bitwise('&', bitwise('^', one, two), mask), two);`,
    to: `bitwise('&', bitwise('^', one, two), mask), one);`,
    isMissed: 'a mask and its complement must choose between two values, which chance alone does not draw',
  },
  {
    name: 'multiplication: one more than a power of two is one less',
    file: 'src/5-emit/multiplication.ts',
    from: `operation: isSum ? 'add' : 'sub' };`,
    to: `operation: isSum ? 'sub' : 'sub' };`,
  },
  {
    name: 'multiplication: the low half is shifted by as much as the whole',
    file: 'src/5-emit/multiplication.ts',
    from: `const product = shiftedProduct(node, 32);`,
    to: `const product = shiftedProduct(node, 64);`,
    isMissed: 'a factor must be next to a power of two beyond 32 bits, and the product be masked to 32',
  },
  {
    name: 'short texts: a choice of constants takes the first',
    file: 'src/5-emit/string-builder.ts',
    from: `otherwise: packedText(text.otherwise),`,
    to: `otherwise: packedText(text.then),`,
  },
  {
    name: 'bounds check elimination: the last of several steps is the first',
    file: 'src/4-optimise/analysis/index-groups.ts',
    from: `return [at(least, low), at(exact.last, high)];`,
    to: `return [at(least, low), at(least, high)];`,
  },
  {
    name: 'bounds check elimination: loops in steps make an iteration',
    file: 'src/4-optimise/analysis/index-groups.ts',
    from: `const reached = isExact ? [exact!.isReached] : [];`,
    to: `const reached = isExact ? [exact!.isReached].slice(1) : [];`,
    isMissed: 'a loop must go in steps from an index in range to a limit below 0, and read ahead',
  },
];
