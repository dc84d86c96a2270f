// Fuel of loops: if nothing in a short counted loop can fail, wait or be observed before the loop ends, all its
// iterations are charged at once. The distance that the variable has moved gives their number.
//
//   loop 1 until not (i < $stop) #short       $begin = i
//     total = (total + i)                     loop 1 until not (i < $stop) #short #weight 0
//                                               total = (total + i)
//                                             charge (i - $begin)
//
// A jump out of the loop that skips this charge gets a charge of its own in front of it.
//
// Does not apply to loops that call, allocate or check anything, and to loops whose step is in a local. Strip-mining
// has made short loops of the long ones before; a long loop without polls would run without a bound.
// Source: gas metering by basic blocks, applied to loops with a known trip count.

import type { LibraryRegistry } from '../../library/registry.ts';
import { intType } from '../../language/types.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { hasLoop } from '../../mir/children.ts';
import { effectsOf, every, isSilent } from '../../mir/effects.ts';
import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopFuel: Pass = {
  name: 'loop-fuel',
  summary: 'iterations of loops in which nothing can fail are charged at once',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) =>
    context.settings.countsFuel
      ? mapFunctions(program, context, (fn) => (hasLoop(fn.body) ? chargeAtOnce(fn, program.registry) : fn))
      : program,
};

function chargeAtOnce(fn: MirFunction, registry: LibraryRegistry): MirFunction {
  const locals = fn.locals.slice();
  // No such loop contains another one, so all share one local.
  let begin: LocalId | null = null;
  const charge = (node: Statement): readonly Statement[] => {
    if (node.kind !== 'loop' || node.isShort !== true || !isSilentLoop(node, registry)) return [node];
    const { counted, span } = node;
    if (counted === undefined || counted.step.kind !== 'int') return [node];
    begin ??= locals.push(temporary) - 1;
    const variable = getLocal(counted.variable, intType, span);
    const iterations = iterationsSince(counted, counted.step.value, getLocal(begin, intType, span));
    const units = arithmetic('*', iterations, int(BigInt(node.weight ?? 1), span));
    return [
      { kind: 'set-local', local: begin, value: variable, span },
      { ...withChargedExits(node, units), weight: 0 },
      { kind: 'charge', units, span },
    ];
  };
  const body = rewriteBlocks(fn.body, (block) => block.flatMap(charge));
  return begin === null ? fn : { ...fn, locals, body };
}

const temporary: Local = { name: 'begin', type: intType, origin: 'temporary' };

/** Whether nothing can observe the loop before its end. */
function isSilentLoop({ body, step }: Loop, registry: LibraryRegistry): boolean {
  return every([...body, ...step], (node) => isSilent(effectsOf(node, registry)));
}

/** `|variable - begin| / step` */
function iterationsSince({ variable, limit }: CountedLoop, step: bigint, begin: Expression): Expression {
  const { span } = limit;
  const now = getLocal(variable, intType, span);
  const distance = step > 0n ? arithmetic('-', now, begin) : arithmetic('-', begin, now);
  const size = step > 0n ? step : -step;
  if (size === 1n) return distance;
  return { kind: 'operate', operator: '/(int,int)', operands: [distance, int(size, span)], type: intType, span };
}

function withChargedExits(loop: Loop, units: Expression): Loop {
  const charge = (node: Statement): Statement => {
    const isJump = node.kind === 'break' || node.kind === 'continue' || node.kind === 'return';
    if (!isJump || (node.kind !== 'return' && node.loop === loop.id)) return node;
    return { kind: 'block', statements: [{ kind: 'charge', units, span: node.span }, node], span: node.span };
  };
  return { ...loop, body: rewriteExpressions(loop.body, (node) => node, charge) };
}
