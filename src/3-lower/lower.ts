// The third room: a checked program becomes Mir. What the language leaves implicit is spelled out here, one file a
// topic, and nothing is decided that a pass could decide: every program takes this way, optimised or not.

import type { CheckedFunction, CheckedProgram } from '../2-check/typed-tree.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { FunctionLowering } from './function-lowering.ts';
import { findCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { lowerExpression } from './expressions.ts';
import { lowerStatements } from './statements.ts';

/** What lowering may be asked for. */
export interface LowerOptions {
  /** The name of the function that takes what imported files yield. */
  readonly yieldsTo?: string | undefined;
}

/** The Mir of a checked program without errors. Throws TypeError for a function `yieldsTo` that cannot take yields. */
export function lower(program: CheckedProgram, { yieldsTo }: LowerOptions = {}): MirProgram {
  const { initialiser, entry } = program;
  const collector = yieldsTo === undefined ? null : findCollector(program, yieldsTo);
  return {
    ...program,
    functions: new Map([...program.functions].map(([id, fn]) => [id, lowerFunction(fn, false, collector)])),
    initialiser: initialiser === null ? null : lowerFunction(initialiser),
    entry: entry === null ? null : lowerFunction(entry),
    // Counted arrays are right for every program; a pass may choose better.
    arrays: { byElement: new Map(), others: { kind: 'counted' } },
  };
}

/** The Mir of a function; `isRuntime` is that of the runtime, whose accesses are right by construction. */
export function lowerFunction(fn: CheckedFunction, isRuntime = false, collector: Collector | null = null): MirFunction {
  const dispatch = { expression: lowerExpression, statements: lowerStatements };
  const lowering = new FunctionLowering(fn, isRuntime, dispatch, collector);
  const parameters = fn.parameters.map(({ local, initialiser }) => ({
    local,
    initialiser: initialiser === null ? null : lowering.expression(initialiser),
  }));
  const body = lowering.statements(fn.body);
  return { ...fn, parameters, body, locals: lowering.locals };
}
