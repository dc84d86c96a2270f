// Global constant propagation: replaces each read of a global that nothing sets by the constant that initialises it.
//
//   int size = 8;                     (nothing sets it)
//   return (#prefix.size * x)         return (8 * x)
//
// Does not apply to texts, since each constant would be another object, to null, and to globals that a function sets,
// even if that function is never called.
// Source: interprocedural constant propagation; Muchnick, "Advanced Compiler Design and Implementation", section 19.3.

import type { Constant, Expression, GlobalId } from '../../mir/mir.ts';
import type { Global, MirFunction } from '../../mir/program.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const globalConstantPropagation: Pass = {
  name: 'global-constant-propagation',
  summary: 'globals that nothing sets are constants',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) => {
    const constants = findConstants(program.globals, functionsOf(program));
    return constants.size === 0 ? program : mapFunctions(program, context, (fn) => withConstants(fn, constants));
  },
};

/** The globals that none of the functions sets, with their values. */
export function findConstants(
  globals: ReadonlyMap<GlobalId, Global>,
  functions: readonly MirFunction[],
): ReadonlyMap<GlobalId, Constant> {
  const constants = new Map<GlobalId, Constant>();
  for (const { id, value } of globals.values())
    if (value?.kind === 'int' || value?.kind === 'double' || value?.kind === 'boolean') constants.set(id, value);
  for (const fn of functions) {
    if (constants.size === 0) break;
    visitAll(nodesOf(fn), (node) => void (node.kind === 'set-global' && constants.delete(node.global)));
  }
  return constants;
}

/** The function with the constants in place of the reads of their globals. */
export function withConstants(fn: MirFunction, constants: ReadonlyMap<GlobalId, Constant>): MirFunction {
  let reads = false;
  visitAll(fn.body, (node) => (reads ||= node.kind === 'get-global' && constants.has(node.global)));
  if (!reads) return fn;
  const constantOf = (node: Expression): Expression => {
    const constant = node.kind === 'get-global' ? constants.get(node.global) : undefined;
    return constant === undefined ? node : { ...constant, type: node.type, span: node.span };
  };
  return { ...fn, body: rewriteExpressions(fn.body, constantOf) };
}
