// Parts: loops taken out of their function. A loop inside another is mostly short, and stays where it is without a look
// at how long it runs; where it turns out to be long, a function that consists of this loop alone does it, which an
// engine can replace by its optimised code meanwhile.

import type {
  MirFunction,
  CountedLoop,
  Expression,
  FunctionId,
  Local,
  LocalId,
  Loop,
  OutlinedLoop,
  Statement,
} from '../../mir/mir.ts';
import { booleanType, intType } from '../../language/types.ts';
import { copyStatements } from '../../mir/clone.ts';
import { findLiveLocals } from '../analysis/liveness.ts';
import { arithmetic, fits, getLocal, int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';

/**
 * Loops of more turns than this part of those that a function makes are done by their part: what its call costs does
 * not show then.
 */
const shortCall = 4;

/** Whether the loop only does what a function of its own can do for it. */
export function canOutline(loop: Loop, locals: readonly Local[]): boolean {
  let can = true;
  visitAll([loop], (node) => {
    // Texts that grow are no plain locals.
    if (
      node.kind === 'return' ||
      node.kind === 'finish' ||
      (node.kind === 'set-local' && locals[node.local]!.type.kind === 'string')
    )
      can = false;
  });
  return can;
}

/**
 * More than so many locals do not go into a part: engines take a thousand parameters, and every call hands all of them
 * over.
 */
const mostInputs = 100;

/**
 * Which locals go in and out; null where those are too many. `conditions` stand in front of the loop; `isReadElsewhere`
 * says whether the function reads a local outside it.
 */
export function describeOutlined(
  loop: Loop,
  id: FunctionId,
  fn: MirFunction,
  conditions: readonly Expression[],
  isReadElsewhere: (local: LocalId) => boolean,
): OutlinedLoop | null {
  // Nothing would say what stands for `T` in the function of the loop.
  if (fn.generic) return null;
  const assigned = new Set<LocalId>();
  visitAll([loop], (node) => {
    if (node.kind === 'set-local') assigned.add(node.local);
    if (node.kind === 'call-outlined') for (const local of node.outlined.outputs) assigned.add(local);
    if (node.kind === 'loop') for (const local of node.outlined?.outputs ?? []) assigned.add(local);
  });
  const needed = findLiveLocals({ ...fn, body: [loop] }).get(loop.id)!;
  const outputs = [...assigned]
    .filter((local) => isReadElsewhere(local) || needed.includes(local))
    .toSorted((a, b) => a - b);
  const tested: LocalId[] = [];
  visitAll(conditions, (node) => {
    if (node.kind === 'get-local') tested.push(node.local);
  });
  const inputs = [...new Set([...needed, ...outputs, ...tested])].toSorted((a, b) => a - b);
  return inputs.length > mostInputs ? null : { function: id, inputs, outputs };
}

/** The function that does the statements, which are the loop in its versions. */
export function outlineLoop(statements: readonly Statement[], part: OutlinedLoop, fn: MirFunction): MirFunction {
  const numbers = new Map(part.inputs.map((local, index) => [local, index]));
  const locals = part.inputs.map((local) => fn.locals[local]!);
  const rename = (local: LocalId): LocalId => {
    if (!numbers.has(local)) numbers.set(local, locals.push(fn.locals[local]!) - 1);
    return numbers.get(local)!;
  };
  const { span } = statements[0]!;
  const body = [
    ...copyStatements(statements, rename),
    { kind: 'return-live-outs', locals: part.outputs.map(rename), span } as const,
  ];
  const parameters = part.inputs.map((_, local) => ({ local, initialiser: null }));
  return {
    id: part.function,
    name: fn.name,
    parameters,
    locals,
    returns: booleanType,
    body,
    generic: false,
    runsThrough: true,
    ...(fn.takesDepth === true ? { takesDepth: true } : {}),
    ...(fn.chargesFuel === true ? { chargesFuel: true } : {}),
    span,
  };
}

/** Whether the loop has few turns before it, and at least one; a step that is a local is looked at besides. */
export function isShort(counted: CountedLoop, limit: Expression, turnsInARow: number): Expression {
  const shortLoop = BigInt(Math.ceil(turnsInARow / shortCall));
  const { span } = limit;
  const variable = getLocal(counted.variable, intType, span);
  const distance = counted.comparison.startsWith('<')
    ? arithmetic('-', limit, variable)
    : arithmetic('-', variable, limit);
  const step =
    counted.step.kind === 'int'
      ? int((counted.step.value < 0n ? -counted.step.value : counted.step.value) * shortLoop, span)
      : arithmetic('*', counted.step, int(shortLoop, span));
  return fits(distance, step);
}
