// Yields of imported files that stay in the module: `yield value;` becomes a call `collect(value);` of a function of
// the file that is compiled. Values of other types than its parameter go to the host as ever.

import type { CheckedProgram, FunctionId } from '../2-check/typed-tree.ts';
import type { Type } from '../language/types.ts';
import { sameType, voidType } from '../language/types.ts';
import type * as mir from '../mir/mir.ts';

export interface Collector {
  readonly function: FunctionId;
  /** Of its parameter. */
  readonly type: Type;
}

/** Throws TypeError where there is no such function. */
export function findCollector({ name: file, functions }: CheckedProgram, name: string): Collector {
  const fn = functions.get(`#${name}`);
  if (fn === undefined) throw new TypeError(`the option yieldsTo: ${file} has no function ${name}`);
  const [parameter, ...others] = fn.parameters;
  if (parameter === undefined || others.length > 0 || fn.returns.kind !== 'void')
    throw new TypeError(`the option yieldsTo: ${name} is no function that takes one value and returns nothing`);
  return { function: fn.id, type: fn.locals[parameter.local]!.type };
}

/** Whether a function is of the file that is compiled, and not of one that it imports. */
export function isOfEntryFile(id: FunctionId): boolean {
  return id.startsWith('#');
}

/** The statement for `yield value`, which has been lowered. */
export function lowerYield(
  collector: Collector | null,
  node: mir.Statement & { readonly kind: 'yield' },
): mir.Statement {
  const { value, span } = node;
  if (collector === null || !sameType(value.type, collector.type)) return node;
  const call: mir.Call = {
    kind: 'call',
    function: collector.function,
    arguments: [value],
    typeArgument: null,
    type: voidType,
    span,
  };
  return { kind: 'evaluate', expression: call, span };
}
