// Fuel: what is counted while a program runs, so that it stops in time. Where limits are compiled in, every call of a
// function of the script uses a unit, and every iteration of a loop, once it is over; the host grants so many of them
// and is asked for more. Otherwise a function that can be left at its loops counts their iterations alone.
//
//   loop 1 while (i < n) #osr entry 1          loop 1 while (i < n) #osr entry 1
//     total = (total + i)                        total = (total + i)
//                                              step
//                                                charge 1
//                                                if out-of-fuel
//                                                  poll
//                                                  osr-exit 1
//
// Between two iterations a function that is out of fuel polls, and leaves the loop where it can: by its OSR entry, in
// an outlined loop by giving back what it has come to, and where a loop has an outlined form by calling that. A function
// that makes calls polls at its beginning too, so that between two polls no more calls are made than the text of the
// program holds; one that calls nothing need not, since whoever calls it does. A test that comes last comes in front of
// all that, and an iteration is charged in front of the test.
//
// Short loops do not poll. Source: gas metering; of the polls: safepoints as in Agesen, "GC points in a threaded
// environment", 1998.

import { booleanType } from '../../language/types.ts';
import { int, not } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import { liveOutsOf } from '../../mir/re-entry.ts';
import type { LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const fuel: Pass = {
  name: 'fuel',
  summary: 'calls and iterations are charged, and functions poll or stop when they are out of fuel',
  isRequired: true,
  keeps: ['recursion', 'ranges'],
  run: (program, context) =>
    mapFunctions(program, context, (fn, id) =>
      // The entry is called once.
      context.settings.countsFuel
        ? countUnits(fn, program.functions.has(id))
        : countIterations(fn, context.settings.iterationsPerCall),
    ),
};

/** What is done between two iterations of the loops of a function. */
interface Metering {
  readonly countsFuel: boolean;
  /** Of a function that is an outlined loop; null for others. */
  readonly liveOuts: readonly LocalId[] | null;
  /** Whether the function holds fuel, and so can say when there is none left. */
  readonly holdsFuel: boolean;
  /** It holds no more than that, as far as is known: an iteration that uses so much is the last. */
  readonly allFuel: number;
}

/** The function with a charge for its call and for each iteration. */
function countUnits(fn: MirFunction, isCalled: boolean): MirFunction {
  const { span } = fn;
  const liveOuts = liveOutsOf(fn);
  const found = lookAt(fn);
  const holdsFuel = found.hasCharge || hasLoop(fn.body);
  const metered = meterLoops(fn, { countsFuel: true, liveOuts, holdsFuel, allFuel: Infinity });
  // The call of an outlined loop is none of the script.
  const own: readonly Statement[] =
    liveOuts === null ? [charge(1, span), ...(isCalled && found.hasCall ? [poll(span)] : [])] : [];
  return { ...metered, body: [...own, ...metered.body], ...(holdsFuel ? { holdsFuel } : {}) };
}

/** The function with a charge for each iteration that counts towards those after which it stops. */
function countIterations(fn: MirFunction, iterationsPerCall: number): MirFunction {
  if (!hasLoop(fn.body)) return fn;
  const liveOuts = liveOutsOf(fn);
  const holdsFuel = liveOuts !== null || hasEntries(fn);
  const metered = meterLoops(fn, { countsFuel: false, liveOuts, holdsFuel, allFuel: iterationsPerCall });
  return holdsFuel ? { ...metered, holdsFuel } : metered;
}

/** Whether there is a charge in the function, for an inlined call, and whether there are calls. */
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
      ...(isEndless(loop) ? [] : [leave(loop)]),
    ];
    // The call sets what the loop counts.
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

/** The loop with a charge of an iteration, and with what is done before it goes on with the next. */
function between(loop: Loop, units: number, behind: readonly Statement[]): Loop {
  const { condition, testFirst, span } = loop;
  const step = units === 0 ? loop.step : [...loop.step, charge(units, span)];
  if (testFirst || behind.length === 0) return { ...loop, step: [...step, ...behind] };
  // The test that comes last becomes part of the step.
  const test: readonly Statement[] =
    condition === null
      ? []
      : [{ kind: 'if', arms: [{ condition: not(condition), then: [leave(loop)] }], otherwise: [], span }];
  return { ...loop, condition: null, testFirst: true, step: [...step, ...test, ...behind] };
}

function leave({ id, span }: Loop): Statement {
  return { kind: 'break', loop: id, span };
}

/** Whether control never comes behind the loop, in whichever function it goes on. */
function isEndless({ id, condition, body }: Loop): boolean {
  let hasBreak = false;
  visitStatements(body, (node) => (hasBreak ||= node.kind === 'break' && node.loop === id));
  return !hasBreak && (condition === null || (condition.kind === 'boolean' && condition.value));
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
