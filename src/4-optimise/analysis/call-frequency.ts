// Which functions run a few times only: those that no loop calls, no recursion and not the host. The text of the
// program bounds how often they run.
//
// Source: the frequencies of functions in profile-free interprocedural optimisation, as "executed once" in GCC's
// ipa-profile (Hubička, "Profile driven optimisations in GCC", 2005).

import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { calleeOf } from '../../mir/locals.ts';
import type { FunctionId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { functionsOf } from './analyses.ts';
import type { Recursion } from './recursion.ts';

/** The entry, and each function that is called outside of loops by one of these alone. */
export function calledOutsideLoops(program: MirProgram, recursion: Recursion): ReadonlySet<MirFunction> {
  const { functions, exports, entry } = program;
  const often = new Set<FunctionId>([...recursion.recursive(), ...exports.map(({ function: id }) => id)]);
  const note = (nodes: readonly Node[]): void =>
    visitAll(nodes, (node) => {
      const callee = calleeOf(node);
      if (callee !== null) often.add(callee);
    });
  for (const { body } of functionsOf(program))
    visitAll(body, (node) => {
      if (node.kind === 'loop') note([node]);
    });
  // A set goes on to what is added to it meanwhile.
  for (const id of often) {
    const fn = functions.get(id);
    if (fn !== undefined) note(nodesOf(fn));
  }
  const seldom = [...functions].filter(([id]) => !often.has(id)).map(([, fn]) => fn);
  return new Set([...seldom, ...(entry === null ? [] : [entry])]);
}
