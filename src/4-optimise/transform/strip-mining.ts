// Strip-mining: a counted loop in which a function can stop runs in strips. A strip has so many iterations that the
// cost of the work between two strips cannot be measured; inside a strip, the only test is the comparison of the
// variable with the end of the strip.
//
//   loop 1 while (i < n) #osr entry 1         loop 2 while (i < n) #weight 1024 #osr entry 1
//     total = (total + i)                       $stop = (i + select(((n - i) in 0..1024), (n - i), 1024))
//                                               loop 1 until not (i < $stop) #short
//                                                 total = (total + i)
//                                               if (i >= n) break 2
//
// If the variable may overflow, the end of the strip is a value that the variable has already passed, so the strip has
// one iteration. If it cannot overflow and no fuel is counted, one strip has all iterations of a call. A break leaves
// the outer loop, a continue continues the inner loop.
//
// Does not apply to loops that are not counted, and to loops that run to their end.
// Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 5.6.

import { booleanType, intType } from '../../language/types.ts';
import { all, arithmetic, inRange, getLocal, int } from '../../mir/builders.ts';
import { hasLoop, visitStatements } from '../../mir/children.ts';
import { liveOutsOf } from '../../mir/re-entry.ts';
import type { CountedLoop, Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext, PassSettings } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';

export const stripMining: Pass = {
  name: 'strip-mining',
  summary: 'counted loops run in strips, and a function stops between two of them alone',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => mapFunctions(program, context, (fn) => mineStrips(fn, context)),
};

function mineStrips(fn: MirFunction, { settings, remarks: all }: PassContext): MirFunction {
  // Where no limit stops a loop, there is nothing to say of it.
  const remarks = settings.countsFuel ? all : null;
  const isOutlined = liveOutsOf(fn) !== null;
  let lastLoop: LoopId = 0;
  let hasCounted = false;
  visitStatements(fn.body, (node) => {
    if (node.kind !== 'loop') return;
    lastLoop = Math.max(lastLoop, node.id);
    hasCounted ||= node.counted !== undefined;
    // A nest does not look in its inner loops; what a cold loop does is done there.
    const isUncounted = node.counted === undefined && node.isCold !== true;
    if (remarks !== null && isUncounted && stops(node, isOutlined)) remarkNoStrips(remarks, node);
  });
  if (!hasCounted) return fn;
  const miner = new StripMiner(fn.locals, settings, remarks, lastLoop);
  const mine = (node: Statement): Statement =>
    node.kind === 'loop' && node.counted !== undefined && stops(node, isOutlined)
      ? miner.mine(node, node.counted)
      : node;
  const body = rewriteBlocks(fn.body, (block) => block.map(mine));
  return { ...fn, locals: miner.locals, body };
}

function remarkNoStrips(remarks: Remarks, { body, step, span }: Loop): void {
  if (!hasLoop([...body, ...step])) remarks.add('noStrips', span, {});
}

/** Whether the function stops in the loop after many iterations. */
function stops({ osr, isShort, outlined }: Loop, isOutlined: boolean): boolean {
  return osr !== undefined || (isOutlined && isShort !== true && outlined === undefined);
}

/** The most iterations of a strip that is followed by a test of the fuel. */
const longestStrip = 1024;
const highest = 2n ** 63n - 1n;
const lowest = -(2n ** 63n);
/** A loop whose step is in a local and larger than this runs in strips of one iteration: it has few iterations. */
const largestStep = 2n ** 31n;

const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

class StripMiner {
  readonly locals: Local[];
  readonly #settings: PassSettings;
  readonly #remarks: Remarks | null;
  /** No strip contains another one, so all share their temporaries. */
  readonly #temporaries = new Map<string, LocalId>();
  #lastLoop: LoopId;

  constructor(locals: readonly Local[], settings: PassSettings, remarks: Remarks | null, lastLoop: LoopId) {
    this.locals = locals.slice();
    this.#settings = settings;
    this.#remarks = remarks;
    this.#lastLoop = lastLoop;
  }

  mine(loop: Loop, counted: CountedLoop): Loop {
    const { countsFuel, iterationsPerCall } = this.#settings;
    const { osr, lastEntry, span } = loop;
    const iterations =
      !countsFuel && cannotWrap(counted) ? iterationsPerCall : Math.min(longestStrip, iterationsPerCall);
    this.#remarks?.add('strips', span, { iterations: String(iterations) });
    const before: Statement[] = [];
    const limit = this.#limitOf(counted, before);
    const stop = this.#set('stop', this.#endOf(counted, limit, BigInt(iterations), before), before);
    const id = (this.#lastLoop += 1);
    const strip = stripOf(loop, counted, stop, id);
    const after = counted.limitStep === 0n ? limit : counted.limit;
    const isOver = compare(opposite[counted.comparison], variableOf(counted), after);
    const leave: Statement = {
      kind: 'if',
      arms: [{ condition: isOver, then: [{ kind: 'break', loop: id, span }] }],
      otherwise: [],
      span,
    };
    return {
      kind: 'loop',
      id,
      condition: loop.condition,
      testFirst: true,
      body: [...before, strip, leave],
      step: [],
      // If fuel is counted, the iterations of the strip are charged, so the outer loop has no weight.
      weight: countsFuel ? 0 : iterations,
      ...(osr === undefined ? {} : { osr, lastEntry }),
      span,
    };
  }

  /** The limit as an expression that may be evaluated several times. It cannot fail: the condition has evaluated it. */
  #limitOf({ limit }: CountedLoop, before: Statement[]): Expression {
    return limit.kind === 'int' || limit.kind === 'get-local' ? limit : this.#set('limit', limit, before);
  }

  /** `variable + min(limit - variable, step * iterations)`, an unsigned minimum: the variable is below the limit. */
  #endOf(counted: CountedLoop, limit: Expression, iterations: bigint, before: Statement[]): Expression {
    const goesUp = counted.comparison.startsWith('<');
    const variable = variableOf(counted);
    const distance = this.#set(
      'distance',
      goesUp ? arithmetic('-', limit, variable) : arithmetic('-', variable, limit),
      before,
    );
    const advance = this.#advanceOf(counted, distance, iterations, before);
    const end = arithmetic(goesUp ? '+' : '-', variable, advance);
    const isSafe = staysInRange(counted, limit);
    return isSafe === null ? end : select(isSafe, end, int(goesUp ? lowest : highest, limit.span));
  }

  /** How far the variable goes in a strip. */
  #advanceOf(
    { comparison, step, limitStep }: CountedLoop,
    distance: Expression,
    iterations: bigint,
    before: Statement[],
  ): Expression {
    const { span } = distance;
    if (limitStep !== 0n) {
      const both = smaller(distance, int(iterations * 2n, span));
      return operate('>>>', [arithmetic('+', both, int(1n, span)), int(1n, span)]);
    }
    const whole = comparison === '<' || comparison === '>' ? iterations : iterations - 1n;
    if (step.kind === 'int') return smaller(distance, int(sizeOf(step.value) * whole, span));
    return smaller(distance, this.#set('most', arithmetic('*', step, int(whole, span)), before));
  }

  #set(name: string, value: Expression, before: Statement[]): Expression {
    const known = this.#temporaries.get(name);
    const local = known ?? this.locals.push({ name, type: intType, origin: 'temporary' }) - 1;
    this.#temporaries.set(name, local);
    before.push({ kind: 'set-local', local, value, span: value.span });
    return getLocal(local, intType, value.span);
  }
}

/** The loop of one strip, which has at least one iteration. */
function stripOf(loop: Loop, counted: CountedLoop, stop: Expression, outer: LoopId): Loop {
  const { id, span } = loop;
  const leaveOuter = (nodes: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(
      nodes,
      (node) => node,
      (node) => (node.kind === 'break' && node.loop === id ? { ...node, loop: outer } : node),
    );
  const { variable, comparison, step } = counted;
  return {
    ...(loop.weight === undefined ? {} : { weight: loop.weight }),
    kind: 'loop',
    id,
    condition: compare(comparison, variableOf(counted), stop),
    testFirst: false,
    body: leaveOuter(loop.body),
    step: leaveOuter(loop.step),
    counted: { variable, comparison, limit: stop, step, limitStep: 0n, start: null },
    isShort: true,
    span,
  };
}

/** Whether no step can overflow. */
function cannotWrap({ comparison, step, limitStep }: CountedLoop): boolean {
  const isOpen = comparison === '<' || comparison === '>';
  return step.kind === 'int' && (limitStep !== 0n || (isOpen && sizeOf(step.value) === 1n));
}

/** The test that no step overflows; null if none can. */
function staysInRange(counted: CountedLoop, limit: Expression): Expression | null {
  const { step } = counted;
  const { span } = limit;
  if (cannotWrap(counted)) return null;
  if (step.kind !== 'int')
    return all([
      inRange(arithmetic('-', step, int(1n, span)), int(largestStep, span)),
      compare('<=', limit, int(highest - largestStep, span)),
    ]);
  const last = step.value > 0n ? highest - step.value : lowest - step.value;
  if (limit.kind === 'int' && (step.value > 0n ? limit.value <= last : limit.value >= last)) return null;
  return compare(step.value > 0n ? '<=' : '>=', limit, int(last, span));
}

function variableOf({ variable, limit }: CountedLoop): Expression {
  return getLocal(variable, intType, limit.span);
}

function sizeOf(step: bigint): bigint {
  return step < 0n ? -step : step;
}

/** The unsigned minimum. */
function smaller(one: Expression, other: Expression): Expression {
  return select(inRange(one, other), one, other);
}

function select(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'select', condition, then, otherwise, type: intType, span: condition.span };
}

function operate(symbol: string, operands: readonly [Expression, Expression]): Expression {
  return { kind: 'operate', operator: `${symbol}(int,int)`, operands, type: intType, span: operands[0].span };
}

function compare(symbol: CountedLoop['comparison'], left: Expression, right: Expression): Expression {
  return {
    kind: 'operate',
    operator: `${symbol}(int,int)`,
    operands: [left, right],
    type: booleanType,
    span: left.span,
  };
}
