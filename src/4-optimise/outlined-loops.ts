// Loops as functions of their own: which loops can be that, with which inputs and outputs, and the function.

import type { Expression, FunctionId, LocalId, Loop, OutlinedLoop, Statement } from '../mir/mir.ts';
import type { Local, MirFunction } from '../mir/program.ts';
import { booleanType } from '../language/types.ts';
import { visitAll, visitStatements } from '../mir/children.ts';
import { copyStatements } from '../mir/clone.ts';
import { isReturn } from '../mir/kinds.ts';
import { localsRead, localsSet } from '../mir/locals.ts';
import { findLiveLocals } from './analysis/liveness.ts';
import { frameOf } from './transform/depth.ts';

/** Whether the function never stops in the loops inside this loop. */
export function innerLoopsRunThrough(loop: Loop): boolean {
  let can = true;
  visitStatements([...loop.body, ...loop.step], (node) => {
    if (node.kind === 'loop') can &&= node.isShort === true || node.outlined !== undefined;
  });
  return can;
}

/** Whether the loop can be a function of its own. */
export function canOutline(loop: Loop, locals: readonly Local[]): boolean {
  let can = true;
  visitAll([loop], (node) => {
    // A growing text is represented by two locals, so it cannot be a live-out. A try sets only the locals of its
    // clauses.
    const setsText = node.kind !== 'try' && localsSet(node).some((local) => locals[local]!.type.kind === 'string');
    if (isReturn(node) || setsText) can = false;
  });
  return can;
}

/**
 * An outlined loop takes no more locals than this: engines take a thousand parameters, and each call passes all of
 * them.
 */
const mostInputs = 100;

/**
 * The inputs and outputs of the loop; null if there are too many. `conditions` stand in front of the loop;
 * `isReadBehind` says whether the function may read a local behind the loop.
 */
export function describeOutlined(
  loop: Loop,
  id: FunctionId,
  fn: MirFunction,
  conditions: readonly Expression[],
  isReadBehind: (local: LocalId) => boolean,
): OutlinedLoop | null {
  // The new function would have no type argument for `T`.
  if (fn.generic) return null;
  const assigned = new Set<LocalId>();
  visitAll([loop], (node) => {
    for (const local of localsSet(node)) assigned.add(local);
  });
  const needed = findLiveLocals({ ...fn, body: [loop] }).get(loop.id)!;
  const outputs = [...assigned]
    .filter((local) => isReadBehind(local) || needed.includes(local))
    .toSorted((a, b) => a - b);
  const tested: LocalId[] = [];
  visitAll(conditions, (node) => {
    tested.push(...localsRead(node));
  });
  const inputs = [...new Set([...needed, ...outputs, ...tested])].toSorted((a, b) => a - b);
  return inputs.length > mostInputs ? null : { function: id, inputs, outputs };
}

/** The function whose body is these statements: the loop in its versions. */
export function outlineLoop(statements: readonly Statement[], outlined: OutlinedLoop, fn: MirFunction): MirFunction {
  const numbers = new Map(outlined.inputs.map((local, index) => [local, index]));
  const locals = outlined.inputs.map((local) => fn.locals[local]!);
  const rename = (local: LocalId): LocalId => {
    if (!numbers.has(local)) numbers.set(local, locals.push(fn.locals[local]!) - 1);
    return numbers.get(local)!;
  };
  const { span } = statements[0]!;
  const body = [
    ...copyStatements(statements, rename),
    { kind: 'return-live-outs', locals: outlined.outputs.map(rename), hasMore: false, span } as const,
  ];
  const parameters = outlined.inputs.map((_, local) => ({ local, initialiser: null }));
  return {
    id: outlined.function,
    name: fn.name,
    parameters,
    locals,
    returns: booleanType,
    body,
    generic: false,
    outlinedFrom: fn.id,
    runsThrough: true,
    ...(fn.frameBytes === undefined ? {} : { frameBytes: frameOf(locals) }),
    span,
  };
}
