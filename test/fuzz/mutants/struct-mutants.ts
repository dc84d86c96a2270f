// Faults in what becomes of structs that a variable alone holds.

import type { Mutant } from './mutants.ts';

const file = 'src/4-optimise/transform/struct-replacement.ts';

export const structMutants: readonly Mutant[] = [
  {
    name: 'struct replacement: a literal that reads the variable sets its fields one after another',
    file,
    from: `|| readsOne(value, fields)`,
    to: ``,
  },
  {
    name: 'struct replacement: a clause sees half of a literal that failed',
    file,
    from: `(this.#catches && !arePure`,
    to: `(values.length < 0 && !arePure`,
  },
  {
    name: 'struct replacement: a variable that is set to another has fields of its own',
    file,
    from: ` && (others.length === 0 || !isChanged)`,
    to: ``,
  },
];
