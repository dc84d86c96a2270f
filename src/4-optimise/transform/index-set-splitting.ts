// Index set splitting: behind an iteration of a loop that sees a window of a text, those that stay in the window are done
// without tests of their reads, in a loop that calls nothing. The iteration that leaves the window moves it.
//
//   loop 1                                     loop 1
//     c = text[($value = at; …)] hoisted         c = text[($value = at; …)] hoisted
//     if (c == 10)                               if (c == 10)
//       break 1                                    break 1
//     n = (n + 1)                                n = (n + 1)
//   step                                       step
//     charge 1                                   charge 1
//     if out-of-fuel                             if (!isnull($elements) && ((at - $start) in 0..$size))
//       poll                                       loop 2 while ((at - $start) in bounds of $elements)
//       osr-exit 1                                   c = $elements[(($value = at; …) - $start)] unchecked
//                                                    if (c == 10)
//                                                      break 1
//                                                    n = (n + 1)
//                                                  step
//                                                    charge 1
//                                                    if out-of-fuel
//                                                      break 2
//                                                if out-of-fuel
//                                                  poll
//                                                  osr-exit 1
//
// Engines keep more of such a loop in registers, and unroll it: a call in it, even one that is hardly ever made, stops
// both. Where the variable moves by constants alone, the test is that of the engine, which then makes none of its own.
//
// Does not apply to loops with others in them, to large ones, and where an index is anything but a variable that the loop
// moves, and a constant.
// Source: Griebl, Feautrier, Lengauer, "Index set splitting", 2000; here the border moves with the window.

import { booleanType, codeUnitsType, intType } from '../../language/types.ts';
import { all, arithmetic, getLocal, inBounds, inRange, int, not, withoutRepeats } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import type { Arm, Expression, If, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { Span } from '../../source.ts';
import { findWindowPositions } from '../analysis/window-positions.ts';
import type { WindowPositions, WindowReads } from '../analysis/window-positions.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';

/** A loop with more nodes than this is not copied. */
const largestLoop = 150;

export const indexSetSplitting: Pass = {
  name: 'index-set-splitting',
  summary: 'loops over texts do without tests for as long as they stay in the window',
  isRequired: false,
  keeps: ['recursion', 'ranges'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => (hasLoop(fn.body) ? splitLoops(fn, context.remarks) : fn)),
};

function splitLoops(fn: MirFunction, remarks: Remarks | null): MirFunction {
  let lastLoop: LoopId = 0;
  visitStatements(fn.body, (node) => {
    if (node.kind === 'loop') lastLoop = Math.max(lastLoop, node.id);
  });
  const split = (node: Statement): Statement => {
    if (node.kind !== 'loop' || hasLoop([...node.body, ...node.step])) return node;
    const parted = splitLoop(node, lastLoop + 1, remarks);
    if (parted !== null) lastLoop += 1;
    return parted ?? node;
  };
  return { ...fn, body: rewriteBlocks(fn.body, (block) => block.map(split)) };
}

/** Null where the loop stays as it is. */
function splitLoop(loop: Loop, id: LoopId, remarks: Remarks | null): Loop | null {
  const { span } = loop;
  const exit = exitOf(loop);
  const { counted: _, ...whole } = loop;
  const step = exit === null ? loop.step : loop.step.slice(0, -1);
  // Behind the step, an iteration begins with the test of the condition, wherever the loop tests it.
  const iteration: Loop = { ...whole, testFirst: true, step };
  const positions = isSmall(iteration) ? findWindowPositions(iteration) : null;
  if (positions === null) return null;
  // Of a loop that counts, another version is without tests: that has been said.
  const said = loop.counted === undefined ? remarks : null;
  const inside = leavingBoth(copyLoop(withoutChecks(iteration, said), id, new Set()), loop.id);
  const fast: Loop = {
    kind: 'loop',
    id,
    condition: all(testsOfIteration(positions, span)),
    testFirst: true,
    body: [...testOf(inside, loop.id), ...inside.body],
    step: [...inside.step, ...(exit === null ? [] : [{ ...exit, arms: exit.arms.map((arm) => leaving(arm, id)) }])],
    span,
  };
  const enter = branch(all(testsInFront(positions, span)), [fast]);
  return { ...whole, step: [...step, enter, ...(exit === null ? [] : [exit])] };
}

function leaving({ condition }: Arm, loop: LoopId): Arm {
  return { condition, then: [{ kind: 'break', loop, span: condition.span }] };
}

/** What is done between two iterations where the function is out of fuel. */
function exitOf({ step }: Loop): If | null {
  const last = step.at(-1);
  return last?.kind === 'if' && last.arms[0]!.condition.kind === 'out-of-fuel' ? last : null;
}

function isSmall(loop: Loop): boolean {
  let size = 0;
  visitAll([loop], () => void (size += 1));
  return size <= largestLoop;
}

/** The loop without the tests of its reads of windows, which begin at index 0 of their rows. */
function withoutChecks(loop: Loop, remarks: Remarks | null): Loop {
  const [unchecked] = rewriteExpressions([loop], (node) => {
    if (node.kind !== 'get-hoisted' || !node.checked || node.hoisted.window === null) return node;
    remarks?.add('keptInWindow', loop.span, { what: node.span });
    const { start, size } = node.hoisted.window;
    const index = arithmetic('-', node.index, getLocal(start, intType, node.span));
    return { ...node, hoisted: { ...node.hoisted, length: size }, index, checked: false };
  });
  return unchecked as Loop;
}

/** The inner loop, where what leaves it leaves the loop around it too. */
function leavingBoth(inside: Loop, around: LoopId): Loop {
  const [leaving] = rewriteExpressions(
    [inside],
    (node) => node,
    (node) => (node.kind === 'break' && node.loop === inside.id ? { ...node, loop: around } : node),
  );
  return leaving as Loop;
}

/** The condition of a loop as a statement in front of its body. */
function testOf({ condition, span }: Loop, left: LoopId): readonly Statement[] {
  return condition === null ? [] : [branch(not(condition), [{ kind: 'break', loop: left, span }])];
}

function branch(condition: Expression, then: readonly Statement[]): Statement {
  return { kind: 'if', arms: [{ condition, then }], otherwise: [], span: condition.span };
}

type Tests = readonly [Expression, ...(readonly Expression[])];

/** A text that is null, or has characters beyond the BMP, has no row. */
function testsInFront({ reads }: WindowPositions, span: Span): Tests {
  const areThere = reads.map(({ text }) =>
    not({ kind: 'is-null', operand: getLocal(text.elements, codeUnitsType, span), type: booleanType, span }),
  );
  return withoutRepeats([...areThere, ...reads.flatMap((read) => testsInWindow(read, span))]) as Tests;
}

/** A window is as large as its row. */
function testsOfIteration({ reads, ends }: WindowPositions, span: Span): Tests {
  const tests = reads.flatMap((read) =>
    ends.has(read.base)
      ? indicesOf(read, span).map((index) => inBounds(index, getLocal(read.text.elements, codeUnitsType, span)))
      : testsInWindow(read, span),
  );
  return tests as readonly Expression[] as Tests;
}

function testsInWindow(read: WindowReads, span: Span): readonly Expression[] {
  return indicesOf(read, span).map((index) => inRange(index, getLocal(read.text.window.size, intType, span)));
}

/** The first and the last index of an iteration. */
function indicesOf({ base, least, most, text }: WindowReads, span: Span): readonly Expression[] {
  const ends = least === most ? [least] : [least, most];
  return ends.map((offset) =>
    arithmetic(
      '-',
      arithmetic(offset < 0n ? '-' : '+', getLocal(base, intType, span), int(offset < 0n ? -offset : offset, span)),
      getLocal(text.window.start, intType, span),
    ),
  );
}
