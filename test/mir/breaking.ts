// Scripts as Mir in which a test breaks something by hand.

import { expect, it } from 'vitest';
import type { Node } from '../../src/mir/children.ts';
import type { Expression, Statement } from '../../src/mir/mir.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { rewriteExpressions } from '../../src/mir/rewrite.ts';
import { verify } from '../../src/mir/verify.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { booleanType, doubleType, intType, stringType } from '../../src/language/types.ts';
import { mirOf } from '../optimise/lowering.ts';

/** By the kind of a node: what is to stand in its place. */
export type Changes = { readonly [Kind in Node['kind']]?: (node: Extract<Node, { readonly kind: Kind }>) => Node };

/** How a script becomes Mir: as lowering makes it, behind the passes, or behind those with fuel counted. */
export type Stage = 'lowered' | 'optimised' | 'with fuel';

/** The Mir of a script, which is well formed. */
export function wellFormed(text: string, stage: Stage): MirProgram {
  const lowered = mirOf(text);
  if (stage === 'lowered') return lowered;
  const guards = stage === 'with fuel' ? { use: true, depth: true } : {};
  return runPasses(lowered, settingsOf({ guards }), { optimise: true });
}

/** A function with its nodes changed. */
function changed(fn: MirFunction, changes: Changes): MirFunction {
  const change = <Kind extends Node>(node: Kind): Kind => {
    const of = changes[node.kind] as ((node: Node) => Node) | undefined;
    return (of === undefined ? node : of(node)) as Kind;
  };
  return { ...fn, body: rewriteExpressions(fn.body, change<Expression>, change<Statement>) };
}

/** The program with nodes changed in all of its functions. */
export function withChanges(program: MirProgram, changes: Changes): MirProgram {
  return withFunctions(program, (fn) => changed(fn, changes));
}

/** The program with each of its functions made anew. */
export function withFunctions(program: MirProgram, change: (fn: MirFunction) => MirFunction): MirProgram {
  const { entry, initialiser, functions } = program;
  return {
    ...program,
    functions: new Map([...functions].map(([id, fn]) => [id, change(fn)])),
    entry: entry === null ? null : change(entry),
    initialiser: initialiser === null ? null : change(initialiser),
  };
}

/** What is found once the script's nodes have been changed. */
export function faultsOf(text: string, changes: Changes, stage: Stage = 'lowered'): string {
  const options = { countsFuel: stage === 'with fuel' };
  return verify(withChanges(wellFormed(text, stage), changes), options).join('\n');
}

/** A script, what is changed in it, and what is found then. */
export type Rule = readonly [script: string, changes: Changes, fault: string];

/** A test for each rule: nothing is wrong before, and the fault is found behind the change. */
export function finds(rules: readonly Rule[], stage: Stage = 'lowered'): void {
  it.each(rules)('%s', (script, changes, fault) => {
    expect(verify(wellFormed(script, stage))).toEqual([]);
    expect(faultsOf(script, changes, stage)).toContain(fault);
  });
}

// Nodes that do not fit, and scripts that several tests begin with

export const { span } = wellFormed('yield 1;', 'lowered').entry!;
export const one: Expression = { kind: 'int', value: 1n, type: intType, span };
export const half: Expression = { kind: 'double', value: 0.5, type: doubleType, span };
export const yes: Expression = { kind: 'boolean', value: true, type: booleanType, span };
export const text: Expression = { kind: 'string', value: 'a', type: stringType, span };
export const nothing: Expression = { kind: 'null', type: stringType, span };

export const struct = 'type P { int x; double y; }\n';

export const rows = `double f(double[][] m, int n) {
  double t = 0.0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) t += m[i][j];
  return t;
}
yield f([[1.0]], 1);`;
