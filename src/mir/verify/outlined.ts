// Outlined loops: the inputs and outputs agree at the call and in the function.

import { liveOutsOf } from '../re-entry.ts';
import type { OutlinedLoop, ReturnLiveOuts } from '../mir.ts';
import type { MirFunction } from '../program.ts';
import type { Node } from '../children.ts';
import { visitAll } from '../children.ts';
import { localsSet } from '../locals.ts';
import { booleanType } from '../../language/types.ts';
import { isSame, parameterTypes } from './function-verifier.ts';
import type { FunctionVerifier } from './function-verifier.ts';

/** Where a loop is handed to its function: parameter by parameter, result by result. */
export function verifyOutlined(v: FunctionVerifier, node: Node, { function: id, inputs, outputs }: OutlinedLoop): void {
  for (const local of [...inputs, ...outputs]) if (v.localType(node, local) === null) return;
  const fn = v.program.functions.get(id);
  if (fn === undefined) return v.fault(node, `there is no function ${id}`);
  const liveOuts = liveOutsOf(fn);
  if (liveOuts === null) return v.fault(node, `${id} is no outlined loop`);
  if (inputs.length !== fn.parameters.length)
    return v.fault(node, `${id} takes ${fn.parameters.length} inputs, not ${inputs.length}`);
  const taken = parameterTypes(fn);
  inputs.forEach((local, index) => {
    if (!isSame(v.fn.locals[local]!.type, taken[index]!))
      v.fault(node, `input ${index + 1} is not of the type that ${id} takes`);
  });
  if (outputs.some((local) => !inputs.includes(local))) return v.fault(node, 'an output is no input');
  v.noteCall(id);
  const given = outputs.map((local) => fn.parameters[inputs.indexOf(local)]!.local);
  if (given.length !== liveOuts.length || given.some((local, index) => local !== liveOuts[index]))
    v.fault(node, `${id} gives back other locals than the outputs`);
}

/** At the end of such a function, or where it says that there is more to do. */
export function verifyReturnLiveOuts(v: FunctionVerifier, node: ReturnLiveOuts): void {
  const { fn } = v;
  if (node.hasMore === (fn.body.at(-1) === node) || liveOutsOf(fn) === null)
    v.fault(node, 'it is not the end of an outlined loop');
  if (!isSame(fn.returns, booleanType)) v.fault(node, 'it does not say whether the loop is over');
  for (const local of node.locals) if (v.localType(node, local) === null) return;
  for (const local of setParameters(fn)) {
    if (!node.locals.includes(local)) v.fault(node, `it sets parameter ${local}, and does not give it back`);
  }
}

/** The parameters that a function sets. */
function setParameters({ parameters, body }: MirFunction): ReadonlySet<number> {
  const found = new Set<number>();
  visitAll(body, (node) => {
    for (const local of localsSet(node))
      if (parameters.some((parameter) => parameter.local === local)) found.add(local);
  });
  return found;
}
