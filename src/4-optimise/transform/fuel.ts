// Fuel: counts the work of a program, so that the program stops in time. If limits are compiled in, every call of a
// function of the script uses a unit, and so does every finished iteration of a loop. The host grants a number of
// units, and the program asks the host for more. Otherwise only functions with OSR entries and outlined loops count,
// and they count only the iterations of loops.
//
//   loop 1 while (i < n) #osr entry 1          loop 1 while (i < n) #osr entry 1
//     total = (total + i)                        total = (total + i)
//                                              step
//                                                charge 1
//                                                if out-of-fuel
//                                                  poll
//                                                  osr-exit 1
//
// Between two iterations a function that is out of fuel polls, and leaves the loop if it can: by the OSR entry of the
// loop; in an outlined loop by a return of the live-outs; in a loop that has an outlined form by a call of that form.
// A function that makes calls polls at its beginning too, so the text of the program bounds the number of calls between
// two polls. A leaf function need not poll, since its caller does. In a do-while loop, the order is: charge, test of
// the condition, poll.
//
// Functions on a path of the call graph from one recursive function to another pass the fuel on to each other, as a
// parameter and a second result: a global would be loaded and stored in every call, and each call would wait for the
// store of the one before.
//
// Short loops do not poll. Source: gas metering; for the polls, safepoints as in Agesen, "GC points in a threaded
// environment", 1998.

import { booleanType } from '../../language/types.ts';
import { int, not } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import { liveOutsOf } from '../../mir/re-entry.ts';
import type { LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { isEndless, reachesEnd } from '../../mir/reachability.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const fuel: Pass = {
  name: 'fuel',
  summary: 'calls and iterations are charged, and functions poll or stop when they are out of fuel',
  isRequired: true,
  keeps: ['recursion', 'ranges'],
  run: (program, context) => {
    const { countsFuel, iterationsPerCall } = context.settings;
    if (!countsFuel) return mapFunctions(program, context, (fn) => countIterations(fn, iterationsPerCall));
    const between = context.analyses.get('recursion').betweenRecursion();
    // The entry is called once, so it does not poll at its beginning.
    return mapFunctions(program, context, (fn, id) => countUnits(fn, program.functions.has(id), between.has(id)));
  },
};

/** How the loops of a function are metered between two iterations. */
interface Metering {
  readonly countsFuel: boolean;
  /** The live-outs of a function that is an outlined loop; null for other functions. */
  readonly liveOuts: readonly LocalId[] | null;
  /** Whether a local of the function holds the fuel, so that the function can test whether any is left. */
  readonly holdsFuel: boolean;
  /** An upper bound of the fuel: an iteration that uses as much is always the last of the call. */
  readonly allFuel: number;
}

/** The function with a charge for its call and for each iteration. */
function countUnits(fn: MirFunction, isCalled: boolean, isRecursive: boolean): MirFunction {
  const { span } = fn;
  const liveOuts = liveOutsOf(fn);
  const found = lookAt(fn);
  const passesFuel = isRecursive && liveOuts === null && !hasEntries(fn);
  const holdsFuel = passesFuel || found.hasCharge || hasLoop(fn.body);
  const metered = meterLoops(fn, { countsFuel: true, liveOuts, holdsFuel, allFuel: Infinity });
  // The script does not make the call of an outlined loop, so it is not charged.
  const own: readonly Statement[] =
    liveOuts === null ? [charge(1, span), ...(isCalled && found.hasCall ? [poll(span)] : [])] : [];
  return {
    ...metered,
    body: [...own, ...metered.body],
    ...(holdsFuel ? { holdsFuel } : {}),
    ...(passesFuel ? { passesFuel } : {}),
  };
}

/** The function with a charge for each iteration, if it stops after a number of iterations. */
function countIterations(fn: MirFunction, iterationsPerCall: number): MirFunction {
  if (!hasLoop(fn.body)) return fn;
  const liveOuts = liveOutsOf(fn);
  const holdsFuel = liveOuts !== null || hasEntries(fn);
  const metered = meterLoops(fn, { countsFuel: false, liveOuts, holdsFuel, allFuel: iterationsPerCall });
  return holdsFuel ? { ...metered, holdsFuel } : withoutCharges(metered);
}

/** A function that never stops needs no count of its iterations. */
function withoutCharges(fn: MirFunction): MirFunction {
  return { ...fn, body: rewriteBlocks(fn.body, (block) => block.filter(({ kind }) => kind !== 'charge')) };
}

/** Whether the function contains a charge (of an inlined call), and whether it contains a call. */
function lookAt({ body }: MirFunction): { readonly hasCharge: boolean; readonly hasCall: boolean } {
  let [hasCharge, hasCall] = [false, false];
  visitAll(body, ({ kind }) => {
    hasCharge ||= kind === 'charge';
    hasCall ||= kind === 'call';
  });
  return { hasCharge, hasCall };
}

function hasEntries({ body }: MirFunction): boolean {
  let found = false;
  visitStatements(body, (node) => (found ||= node.kind === 'loop' && node.osr !== undefined));
  return found;
}

function meterLoops(fn: MirFunction, metering: Metering): MirFunction {
  const meter = (node: Statement): Statement => (node.kind === 'loop' ? meterLoop(node, metering) : node);
  return { ...fn, body: rewriteBlocks(fn.body, (block) => block.map(meter)) };
}

function meterLoop({ outlined, ...loop }: Loop, metering: Metering): Loop {
  const { span, weight = 1 } = loop;
  const { countsFuel, liveOuts, holdsFuel, allFuel } = metering;
  const polls = countsFuel ? [poll(span)] : [];
  if (outlined !== undefined && holdsFuel) {
    const rest: readonly Statement[] = [
      { kind: 'call-outlined', outlined, span },
      ...(reachesEnd(loop) ? [leave(loop)] : []),
    ];
    // The call sets the variable, so the loop is no counted loop any more.
    const { counted: _, ...uncounted } = loop;
    return between(uncounted, weight, [whenOutOfFuel(rest, span)]);
  }
  const when = (then: readonly Statement[]): Loop =>
    weight >= allFuel ? between(loop, 0, then) : between(loop, weight, [whenOutOfFuel(then, span)]);
  if (loop.osr !== undefined) return when([...polls, { kind: 'osr-exit', entry: loop.osr, span }]);
  if (loop.isShort === true) return countsFuel ? between(loop, weight, []) : loop;
  if (liveOuts !== null) return when([...polls, { kind: 'return-live-outs', locals: liveOuts, hasMore: true, span }]);
  return countsFuel ? when(polls) : loop;
}

/** The loop with a charge for each iteration, and with `behind` before the next iteration begins. */
function between(loop: Loop, units: number, behind: readonly Statement[]): Loop {
  const { condition, testFirst, span } = loop;
  const step = units === 0 ? loop.step : [...loop.step, charge(units, span)];
  if (testFirst || behind.length === 0) return { ...loop, step: [...step, ...behind] };
  // The condition of a do-while loop becomes a test in the step.
  const test: readonly Statement[] =
    condition === null || isEndless(loop)
      ? []
      : [{ kind: 'if', arms: [{ condition: not(condition), then: [leave(loop)] }], otherwise: [], span }];
  return { ...loop, condition: null, testFirst: true, step: [...step, ...test, ...behind] };
}

function leave({ id, span }: Loop): Statement {
  return { kind: 'break', loop: id, span };
}

function charge(units: number, span: Span): Statement {
  return { kind: 'charge', units: int(BigInt(units), span), span };
}

function poll(span: Span): Statement {
  return { kind: 'poll', span };
}

function whenOutOfFuel(then: readonly Statement[], span: Span): Statement {
  const condition = { kind: 'out-of-fuel', type: booleanType, span } as const;
  return { kind: 'if', arms: [{ condition, then }], otherwise: [], span };
}
