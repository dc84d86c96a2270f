// Constant propagation: a local that is set once, by a constant, is that constant wherever it is read; what follows from
// it is worked out, and branches that are never taken are left out.
//
//   int width = 400;                         width = 400
//   … (x + 1) % width …                      … (x + 1) % 400 …
//
// A remainder by a constant is a product, a loop between constants is known to be short, and arguments of inlined calls
// become known. So is what inlining has made of constants: `x << (32 - 7)`. A variable has been set wherever it can be read, so that one set is enough. Does not apply to doubles and
// large ints, which are cheaper in a variable, and to what the compiler has added.
// Source: constant propagation; Muchnick, "Advanced Compiler Design and Implementation", section 12.6.

import { visitAll } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Constant, Expression, LocalId } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { hasConstants, withConstantsFolded } from '../constant-folding.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

/** Ints from here on do not fit an instruction. */
const large = 1n << 31n;

export const constantPropagation: Pass = {
  name: 'constant-propagation',
  summary: 'locals that are set once, by a constant, are constants, and what is made of constants alone is one',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) => mapFunctions(program, context, withLocalConstants),
};

/** The function with the constants in place of such locals. */
export function withLocalConstants(fn: MirFunction): MirFunction {
  const constants = constantsOf(fn);
  if (constants.size === 0 && !hasConstants(fn.body)) return fn;
  const value = (node: Expression): Expression => {
    const constant = node.kind === 'get-local' ? constants.get(node.local) : undefined;
    return constant === undefined ? node : { ...constant, type: node.type, span: node.span };
  };
  return { ...fn, body: withConstantsFolded(fn.body, value) };
}

function constantsOf({ body, parameters, locals }: MirFunction): ReadonlyMap<LocalId, Constant> {
  const found = new Map<LocalId, Constant | null>(parameters.map(({ local }) => [local, null]));
  visitAll(body, (node) => {
    for (const local of localsSet(node)) {
      const value = node.kind === 'set-local' && !found.has(local) ? smallConstant(node.value) : null;
      found.set(local, value?.type.kind === locals[local]!.type.kind ? value : null);
    }
  });
  return new Map([...found].flatMap(([local, value]) => (value === null ? [] : [[local, value]])));
}

function smallConstant(node: Expression): Constant | null {
  if (node.kind === 'boolean') return node;
  return node.kind === 'int' && node.value < large && node.value >= -large ? node : null;
}
