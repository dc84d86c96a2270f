// Which loops of a nest are worked on for how many iterations at once. An innermost loop in which a sum stays in place is
// a chain of additions, each of which waits for the one before: the nearest loop around it that can be jammed gives more
// chains. One that works through the elements of a row again and again for a loop around it does so once for several of
// that loop's iterations.

import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { localsIn } from '../analysis/loop-nests.ts';
import { elementKey, elementsIn } from './accesses.ts';
import { coefficientOf } from './affine-forms.ts';
import { jam, vectoriseInnermost } from './jam.ts';
import type { JamContext } from './jam.ts';
import { reductionsIn } from './reductions.ts';
import { flowOf, setIn } from './scalars.ts';
import { hasElementRecurrence, skew } from './skewing.ts';
import { sinkReductions } from './sinking.ts';
import { splitLoop } from './splitting.ts';
import { innermostLoops, keyOfAccess, sizeOf, visitParts } from './tree.ts';
import type { Access, Accesses, Nest, NestLoop, Part } from './tree.ts';

/** So many sums next to each other keep the units of a processor busy. */
const chains = 4;

/** Code of more nodes in one loop is not worth it. */
const largestBody = 1500;

/** Bodies of more nodes are not there for as many iterations as that. */
const largestWide = 60;

/**
 * The loops in the place of one, for so many iterations at once, without what does the iterations that are left; null
 * where it cannot be.
 */
type Jam = (
  loop: NestLoop,
  around: readonly NestLoop[],
  copies: number,
  context: JamContext,
) => readonly NestLoop[] | null;

const inLanes: Jam = (loop, around, copies, context) => alone(jam(loop, around, copies, true, context));
const asScalars: Jam = (loop, around, copies, context) => alone(jam(loop, around, copies, false, context));
const skewed: Jam = (loop, around, copies, context) => alone(skew(loop, around, copies, context));

/** For twice as many, and what is left for so many. */
const inWideLanes: Jam = (loop, around, copies, context) => {
  const wide = jam(loop, around, 2 * copies, true, context);
  const rest = wide === null ? null : jam(loop, around, copies, true, context);
  return wide === null || rest === null ? null : [wide, { ...rest, continues: true }];
};

function alone(loop: NestLoop | null): readonly NestLoop[] | null {
  return loop === null ? null : [loop];
}

/** The nest with its loops jammed; itself where none can be, or would gain by it. */
export function jamNest(given: NestLoop, context: JamContext): NestLoop {
  const root = sinkReductions(given, context.accesses);
  let changed = root;
  for (const { loop: innermost, around } of innermostLoops(root)) {
    const written = writtenIn(innermost, context.accesses);
    const isRecurrence = hasElementRecurrence(innermost, context.accesses);
    const isChain =
      isRecurrence || hasSumInPlace(innermost, written, context) || sumsUpColumns(innermost, context.accesses);
    let done = 0;
    let [inFront, nearest]: [NestLoop, NestLoop | null] = [changed, null];
    for (const loop of around.toReversed()) {
      const reuses = written.some((access) => !moves(access, loop));
      if (!isChain && !reuses && !context.takesAll) continue;
      // Another innermost loop may have had it jammed.
      const copies = done === 0 ? chains : 2;
      const jammed = isJammed(changed, loop) ? changed : jamIn(changed, loop, copies, [inLanes, asScalars], context);
      if (jammed === null && (isRecurrence || context.takesAll) && done === 0) {
        const wavefront = jamIn(changed, loop, copies, [skewed], context);
        if (wavefront === null) continue;
        changed = wavefront;
        break;
      }
      if (jammed === null) continue;
      const isFirst = done === 0 && changed !== jammed && loop !== root;
      if (isFirst && (isChain || context.takesAll) && isWorthWidening(innermost, loop, context.accesses))
        [inFront, nearest] = [changed, loop];
      changed = jammed;
      done++;
      if (done === 2) break;
    }
    if (done === 1 && nearest !== null) changed = widened(inFront, nearest, context) ?? changed;
  }
  const made = context.newVector === null ? changed : vectoriseLoops(changed, [], context);
  return made === root ? given : made;
}

/**
 * Whether more iterations of a loop at once would be done as they are in lanes: each comes to elements next to those of the
 * one before, in an inner loop with the same bounds, or goes along a row of its own.
 */
function isWorthWidening(inner: NestLoop, { variable }: NestLoop, accesses: Accesses): boolean {
  const isFixed = coefficientOf(inner.first, variable) === 0n && coefficientOf(inner.end, variable) === 0n;
  const rows = new Set<string>();
  let areNeighbours = true;
  for (const access of accessesIn(inner, accesses)) {
    const by = access.subscripts.map((form) => coefficientOf(form, variable));
    if (by.every((coefficient, at) => coefficient === 0n || (coefficient === 1n && at === by.length - 1))) continue;
    areNeighbours = false;
    rows.add(keyOfAccess(access));
    // Down a column nothing is next to anything.
    if (by.at(-1) !== 0n || coefficientOf(access.subscripts.at(-1)!, inner.variable) !== 1n) return false;
  }
  // More rows would need more registers for their addresses.
  return inner.ranges === undefined && (areNeighbours ? isFixed : rows.size === 1);
}

/** The nest with a loop jammed in lanes for twice as many iterations, where no loop further out could be. */
function widened(root: NestLoop, loop: NestLoop, context: JamContext): NestLoop | null {
  if (sizeOf(loop) > largestWide) return null;
  return jamIn(root, loop, chains, [inWideLanes], { ...context, log: null });
}

/** The loop with the innermost loops in it vectorised, but for those that do what others have left. */
function vectoriseLoops(loop: NestLoop, around: readonly NestLoop[], context: JamContext): NestLoop {
  const parts = loop.parts.map((part): readonly Part[] | Part => {
    if (part.kind === 'straight' || part.continues === true) return part;
    const isInnermost = part.parts.every(({ kind }) => kind === 'straight');
    if (!isInnermost) return vectoriseLoops(part, [...around, loop], context);
    return hasVectors(part, context.accesses) ? part : (vectoriseSplit(part, [...around, loop], context) ?? part);
  });
  return parts.every((part, index) => part === loop.parts[index]) ? loop : { ...loop, parts: parts.flat() };
}

/** The loop as vectors, or at least two thirds of it. */
function vectoriseSplit(loop: NestLoop, around: readonly NestLoop[], context: JamContext): readonly Part[] | null {
  const whole = vectoriseInnermost(loop, around, context);
  if (whole !== null) return whole;
  const [front, point, behind] = splitLoop(loop, around, context.accesses) ?? [];
  if (front === undefined || point === undefined || behind === undefined) return null;
  const first = vectoriseInnermost(front, around, context);
  const last = vectoriseInnermost(behind, around, context);
  return first === null || last === null ? null : [...first, point, ...last];
}

function hasVectors({ parts }: NestLoop, accesses: Accesses): boolean {
  let has = false;
  for (const part of parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      has ||= accesses.get(node)?.type.kind === 'vector';
    });
  return has;
}

/** What is wherever a local says that has but a range does not stay in place either. */
function moves({ subscripts, ranges }: Access, { variable }: NestLoop): boolean {
  return ranges !== undefined || subscripts.some((form) => coefficientOf(form, variable) !== 0n);
}

function accessesIn({ parts }: NestLoop, accesses: Accesses): readonly Access[] {
  const found: Access[] = [];
  for (const part of parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      const access = accesses.get(node);
      if (access !== undefined) found.push(access);
    });
  return found;
}

function writtenIn(loop: NestLoop, accesses: Accesses): readonly Access[] {
  return accessesIn(loop, accesses).filter(({ isWrite }) => isWrite);
}

/** Whether each iteration of the loop waits for what the one before has worked out. */
function hasSumInPlace(loop: NestLoop, written: readonly Access[], context: JamContext): boolean {
  return written.some((access) => !moves(access, loop)) || hasRecurrence(loop, context);
}

/** Whether it combines elements of one row after the other: those of loops around it are next to each other perhaps. */
function sumsUpColumns(loop: NestLoop, accesses: Accesses): boolean {
  const goesDown = accessesIn(loop, accesses).some((access) => isInOtherRow(access, loop));
  return goesDown && reductionsIn(loop.parts, flowOf(loop.parts).exposed).size > 0;
}

/**
 * Whether a local that carries a value is worked out from itself, perhaps by way of an element that is set: `left = here;
 * here = right` only hands values on. In vectors the lanes combine values side by side, and ints do so in one cycle.
 */
function hasRecurrence({ parts }: NestLoop, { newVector, accesses }: JamContext): boolean {
  const carried = flowOf(parts).exposed;
  const reductions = [...reductionsIn(parts, carried).values()];
  const fast = reductions.filter(({ type }) => newVector !== null || type.kind === 'int');
  const exposed = new Set([...carried].filter((local) => !fast.some((reduction) => reduction.local === local)));
  const sources = new Map<LocalId | string, Set<LocalId | string>>();
  const readIn = (value: Expression): readonly (LocalId | string)[] => [
    ...localsIn(value),
    ...elementsIn(value, accesses),
  ];
  const note = (nodes: readonly Statement[], conditions: readonly (LocalId | string)[]): void => {
    for (const node of nodes) {
      const access = accesses.get(node);
      if (node.kind === 'set-local' || (node.kind === 'set-element' && access !== undefined)) {
        const to = node.kind === 'set-local' ? node.local : elementKey(access!);
        sources.set(to, new Set([...(sources.get(to) ?? []), ...conditions, ...readIn(node.value)]));
      }
      if (node.kind !== 'if') continue;
      const read = [...conditions, ...node.arms.flatMap(({ condition }) => readIn(condition))];
      for (const { then } of node.arms) note(then, read);
      note(node.otherwise, read);
    }
  };
  for (const part of parts) if (part.kind === 'straight') note(part.statements, []);
  return [...exposed].some((local) => {
    const reached = new Set(sources.get(local));
    for (const next of reached) for (const further of sources.get(next) ?? []) reached.add(further);
    return reached.has(local);
  });
}

/**
 * Whether innermost loops look for each element anew: they go from row to row, or to places of which but a range is known.
 * In linear memory nothing is looked for.
 */
export function looksForElements({ root, accesses }: Nest): boolean {
  return innermostLoops(root).some(({ loop }) => {
    const set = setIn(loop.parts);
    return accessesIn(loop, accesses).some(
      (access) =>
        [...(access.ranges?.keys() ?? [])].some((local) => set.has(local)) ||
        (access.array.elements.length > 1 && isInOtherRow(access, loop)),
    );
  });
}

/** Whether an access is in another row in each iteration of the loop. */
function isInOtherRow({ subscripts }: Access, { variable }: NestLoop): boolean {
  return subscripts.slice(0, -1).some((form) => coefficientOf(form, variable) !== 0n);
}

function isJammed(root: NestLoop, { source, step }: NestLoop): boolean {
  let is = false;
  visitParts([root], (part) => void (is ||= part.kind === 'loop' && part.source === source && part.step !== step));
  return is;
}

/** The nest with one of its loops, by its source, jammed; null where that is not possible or makes too much code. */
function jamIn(
  root: NestLoop,
  wanted: NestLoop,
  copies: number,
  orders: readonly Jam[],
  context: JamContext,
): NestLoop | null {
  const replace = (loop: NestLoop, around: readonly NestLoop[]): readonly Part[] | null => {
    if (loop.source === wanted.source) {
      if (loop.continues === true) return null;
      if (sizeOf(loop) * copies > largestBody) {
        context.log?.obstacles.push({ loop, obstacle: { kind: 'size' } });
        return null;
      }
      let jammed: readonly NestLoop[] | null = null;
      for (const order of orders) jammed ??= order(loop, around, copies, context);
      if (jammed === null) return null;
      // What is left of the outermost loop is done by the nest as it was.
      return around.length === 0 ? jammed : [...jammed, { ...loop, continues: true }];
    }
    for (const [index, part] of loop.parts.entries()) {
      const replaced = part.kind === 'loop' ? replace(part, [...around, loop]) : null;
      if (replaced !== null)
        return [{ ...loop, parts: [...loop.parts.slice(0, index), ...replaced, ...loop.parts.slice(index + 1)] }];
    }
    return null;
  };
  const [replaced] = replace(root, []) ?? [];
  return replaced?.kind === 'loop' ? replaced : null;
}

/**
 * Whether the nest gains even if none of its loops is jammed: loops by themselves keep the checks of what moves from row
 * to row and is set, and of what is counted to a limit that is worked out from lengths.
 */
export function needsNest({ root, accesses, arrays }: Nest, isCounted: (loop: Loop) => boolean): boolean {
  const isSingle = root.parts.every(({ kind }) => kind === 'straight');
  // To look at all rows in front of it takes as long as one loop alone.
  if (isSingle && [...arrays.values()].some((array) => array.elements.length > 1 && !array.hasKnownRows)) return false;
  return innermostLoops(root).some(({ loop }) => {
    const written = writtenIn(loop, accesses);
    return written.some((access) => isInOtherRow(access, loop)) || !isCounted(loop.source);
  });
}
