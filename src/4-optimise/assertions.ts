// Assertions of bounds, for those who work on the compiler: whatever a pass has taken to be in range, the program looks at
// where it happens, and traps if the compiler was wrong. Each access stays what it is to all passes, so that they do what
// they do without assertions. Lengths are in locals, which assertions read too: who hoists elements keeps their own length.

import type { Expression, Statement } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { rewriteDefaults, rewriteExpressions } from '../mir/rewrite.ts';

/** The program with an assertion at each access that is not checked. */
export function withAssertions(program: MirProgram): MirProgram {
  const { functions, initialiser, entry } = program;
  return {
    ...program,
    assertsBounds: true,
    functions: new Map([...functions].map(([id, fn]) => [id, inFunction(fn)])),
    initialiser: initialiser === null ? null : inFunction(initialiser),
    entry: entry === null ? null : inFunction(entry),
  };
}

function inFunction(fn: MirFunction): MirFunction {
  const { parameters } = rewriteDefaults(fn, assertValue);
  return { ...fn, parameters, body: rewriteExpressions(fn.body, assertValue, assertStatement) };
}

function assertValue(node: Expression): Expression {
  const isTaken = (node.kind === 'get-hoisted' || node.kind === 'get-element') && !node.checked;
  return isTaken ? { ...node, asserted: true } : node;
}

function assertStatement(node: Statement): Statement {
  const isTaken = node.kind === 'set-range' || (node.kind === 'set-hoisted' && !node.checked);
  return isTaken ? { ...node, asserted: true } : node;
}
