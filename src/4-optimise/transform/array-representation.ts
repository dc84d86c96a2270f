// Array representation: an array whose length never changes is represented by its elements alone. This saves an object
// for each array and a load for each access.
//
//   int[] a = [1]; double[] d = [];  d.push(0.5)
//   arrays: counted                  arrays: elements, counted double
// Two arrays of a type may be assigned to the same variable, so all arrays of a type have the same representation: the
// elements alone if nothing in the whole program resizes an array of the type. The runtime itself appends to arrays of
// texts and of json values, so these arrays keep a count.
//
// Without this pass every array keeps a count, which is always correct.
//
// Source: the choice of data representations by whole-program analysis, as Weeks, "Whole-Program Compilation in MLton"
// (2006), has it for tuples and datatypes.

import { typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { typesAt } from '../../library/effects.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { ArrayRepresentation, MirProgram } from '../../mir/program.ts';
import { functionsOf } from '../analysis/analyses.ts';
import type { Pass } from '../pass.ts';

/** The element types of the arrays to which the runtime itself appends. */
const resizedByRuntime: readonly Type[] = [{ kind: 'string' }, { kind: 'json' }];

export const arrayRepresentation: Pass = {
  name: 'array-representation',
  summary: 'arrays that nothing resizes are nothing but their elements',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program) => {
    const resized = [...findResized(program), ...resizedByRuntime.map(typeKey)];
    const counted: ArrayRepresentation = { kind: 'counted' };
    return {
      ...program,
      arrays: { byElement: new Map(resized.map((key) => [key, counted])), others: { kind: 'elements' } },
    };
  },
};

/** The keys of the element types of the arrays that something in the program may resize. */
export function findResized(program: MirProgram): ReadonlySet<string> {
  const { registry, structs } = program;
  const keys = new Set<string>();
  const fieldsOf = (struct: string): readonly Type[] => structs.get(struct)?.fields.map(({ type }) => type) ?? [];
  for (const fn of functionsOf(program)) {
    visitAll(nodesOf(fn), (node) => {
      for (const location of effectsOf(node, registry).writes) {
        if (location.kind !== 'length') continue;
        for (const type of typesAt(location.type, location.depth, fieldsOf))
          if (type.kind === 'array') keys.add(typeKey(type.element));
      }
    });
  }
  return keys;
}
