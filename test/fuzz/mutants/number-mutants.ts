// Faults in the passes that choose between numbers, hand them on to the next iteration and reorder operations.

import type { Mutant } from './mutants.ts';

const transform = 'src/4-optimise/transform';

export const numberMutants: readonly Mutant[] = [
  {
    name: 'branch simplification: which of two stands first is passed over',
    file: `${transform}/branch-simplification.ts`,
    from: `(comparison === '<') === isLeft ?`,
    to: `comparison === '<' ?`,
  },
  {
    name: 'branch simplification: other branches of the same statement are left out',
    file: `${transform}/branch-simplification.ts`,
    from: `const set = arms.length === 0 ? onlySet(arm!.then) : null;`,
    to: `const set = onlySet(arm!.then);`,
  },
  {
    name: 'predictive commoning: nothing else in the loop sets the array',
    file: `${transform}/predictive-commoning.ts`,
    from: `if (inArray.some((other) => isWrite(other) && other.base !== base)) continue;`,
    to: ``,
  },
  {
    name: 'predictive commoning: two arrays are never the same',
    file: `${transform}/predictive-commoning.ts`,
    from: `other.elements === source.elements || other.kind`,
    to: `other.elements !== source.elements || other.kind`,
  },
  {
    name: 'predictive commoning: what is sometimes set is always set',
    file: `${transform}/predictive-commoning.ts`,
    from: `return others.length === 0 && write.always ? write : null;`,
    to: `return others.length === 0 ? write : null;`,
  },
  {
    name: 'predictive commoning: locals are handed on in the order of loops that count up',
    file: `${transform}/predictive-commoning.ts`,
    from: `Number(step > 0n ? one.offset`,
    to: `Number(step !== 0n ? one.offset`,
  },
  {
    name: 'reassociation: sums of doubles may have any order',
    file: `${transform}/reassociation.ts`,
    from: `'int.min', 'int.max']);`,
    to: `'int.min', 'int.max', '+(double,double)']);`,
  },
  {
    name: 'reassociation: what has effects may have any order',
    file: `${transform}/reassociation.ts`,
    from: `  if (!mayBeOrdered(operands, registry)) return node;`,
    to: ``,
  },
];
