// Reassociation: sums, minima and other chains of ints in a loop are worked out in an order in which what the iteration
// before has just made comes last, so that the next iteration waits for as few operations as can be.
//
//   left = int.min(int.min((above + 1), (left + 1)), replaced)
// becomes, since `left` alone comes from the iteration before,
//   left = int.min(int.min((above + 1), replaced), (left + 1))
//
// Ints wrap, so that any order gives the same. Does not apply to doubles, whose sums are rounded, to operands that could
// fail, and outside innermost loops, where nothing waits.
// Source: tree height reduction; Kuck, "The Structure of Computers and Computations", 1978; the combination by the two
// least is that of Huffman, as in Coleman, McMillin, "Reducing tree height", for operations of equal latency.

import type { LibraryRegistry } from '../../library/registry.ts';
import { hasLoop, operandsOf, partsOf, visitAll, withOperands } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arePure, effectsOf, every, isSilent } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpression, rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const reassociation: Pass = {
  name: 'reassociation',
  summary: 'chains of ints in loops wait as little as can be for the iteration before',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => mapFunctions(program, context, (fn) => reassociate(fn, program.registry)),
};

/** Operators of which any order gives the same. */
const associative = new Set([...['+', '*', '&', '|', '^'].map((symbol) => `${symbol}(int,int)`), 'int.min', 'int.max']);

/** Longer chains are left alone. */
const longestChain = 16;

/** What an iteration has to wait for is so many operations later than the rest. */
const carriedAt = 64;

function reassociate(fn: MirFunction, registry: LibraryRegistry): MirFunction {
  if (!hasLoop(fn.body)) return fn;
  let isChanged = false;
  const change = (node: Statement): Statement => {
    if (node.kind !== 'loop' || hasLoop([...node.body, ...node.step]) || !hasChain(node)) return node;
    const loop = { ...node, body: merged(node.body, registry) };
    const times = timesOf(loop);
    let isOrdered = false;
    const body = rewriteExpressions(loop.body, (part) => {
      const better = ordered(part, times, registry);
      isOrdered ||= better !== part;
      return better;
    });
    isChanged ||= isOrdered;
    return isOrdered ? { ...node, body } : node;
  };
  const body = rewriteBlocks(fn.body, (block) => block.map(change));
  return isChanged ? { ...fn, body } : fn;
}

/** The operator of which a node could be part of a chain; null for another node. */
function chainOf(node: Node): string | null {
  const operator = node.kind === 'operate' ? node.operator : node.kind === 'library-call' ? node.function : null;
  return operator !== null && associative.has(operator) ? operator : null;
}

/** Whether there could be a chain of three operands. */
function hasChain(loop: Loop): boolean {
  const seen = new Set<string>();
  let has = false;
  visitAll(loop.body, (node) => {
    const operator = chainOf(node);
    if (operator === null) return;
    has ||= seen.has(operator);
    seen.add(operator);
  });
  return has;
}

/** `m = a; m = int.min(m, b)` as one assignment, wherever one follows on the other. */
function merged(nodes: readonly Statement[], registry: LibraryRegistry): readonly Statement[] {
  const mergeAll = (block: readonly Statement[]): readonly Statement[] => {
    const done: Statement[] = [];
    for (const node of block) {
      const one = mergeTwo(done.at(-1), node, registry);
      if (one !== null) done.pop();
      done.push(one ?? node);
    }
    return done;
  };
  const inSequences = rewriteExpressions(nodes, (node) =>
    node.kind === 'sequence' ? { ...node, statements: mergeAll(node.statements) } : node,
  );
  return rewriteBlocks(inSequences, mergeAll);
}

function mergeTwo(first: Statement | undefined, second: Statement, registry: LibraryRegistry): Statement | null {
  if (first?.kind !== 'set-local' || second.kind !== 'set-local' || first.local !== second.local) return null;
  if (chainOf(second.value) === null || !arePure([first.value, second.value], registry)) return null;
  let reads = 0;
  visitAll([second.value], (node) => {
    if (localsRead(node).includes(first.local)) reads += node.kind === 'get-local' ? 1 : 2;
  });
  if (reads !== 1) return null;
  const value = rewriteExpression(second.value, (node) =>
    node.kind === 'get-local' && node.local === first.local ? first.value : node,
  );
  return { ...second, value };
}

/** When the locals of a loop are there, counted in operations from the beginning of an iteration. */
function timesOf({ body, step, counted }: Loop): ReadonlyMap<LocalId, number> {
  const times = new Map<LocalId, number>();
  const isSet = new Set<LocalId>();
  const readFirst = new Set<LocalId>();
  walk([...body, ...step], (node) => {
    for (const local of localsRead(node)) if (!isSet.has(local)) readFirst.add(local);
    for (const local of localsSet(node)) isSet.add(local);
  });
  const isCarried = new Set([...readFirst].filter((local) => isSet.has(local) && local !== counted?.variable));
  // What is only handed on from variable to variable was there before, and so was what waits for no iteration.
  const waiting = new Set<LocalId>();
  walk([...body, ...step], (node) => {
    if (node.kind !== 'set-local') return;
    const isCopy = node.value.kind === 'get-local' && !waiting.has(node.value.local);
    let waits = false;
    visitAll([node.value], (part) => {
      waits ||= localsRead(part).some((local) => waiting.has(local) || (isCarried.has(local) && !isCopy));
    });
    if (!waits) return;
    if (isCarried.has(node.local)) times.set(node.local, carriedAt);
    else waiting.add(node.local);
  });
  walk(body, (node) => {
    if (node.kind !== 'set-local') return;
    const time = timeOf(node.value, times);
    if (time > (times.get(node.local) ?? 0) && !isCarried.has(node.local)) times.set(node.local, time);
  });
  return times;
}

/** Visits all in the nodes in the order of evaluation, what is inside a node before it. */
function walk(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    walk(partsOf(node), visit);
    visit(node);
  }
}

function timeOf(node: Node, times: ReadonlyMap<LocalId, number>): number {
  if (node.kind === 'get-local') return times.get(node.local) ?? 0;
  const parts = partsOf(node);
  if (parts.length === 0) return 0;
  const time = parts.reduce((latest, part) => Math.max(latest, timeOf(part, times)), 0);
  return node.kind === 'sequence' || node.kind === 'set-local' ? time : time + 1;
}

/** The chain in the order in which it is there first; the node itself where that is no better. */
function ordered(node: Expression, times: ReadonlyMap<LocalId, number>, registry: LibraryRegistry): Expression {
  const operator = chainOf(node);
  if (operator === null) return node;
  const operands = operandsOfChain(node, operator);
  const before = timeOf(node, times);
  if (operands.length < 3 || operands.length > longestChain || before <= carriedAt) return node;
  if (!mayBeOrdered(operands, registry)) return node;
  /** Of equal ones the one that was written first. */
  const pending = operands.map((operand) => ({ operand, time: timeOf(operand, times) }));
  while (pending.length > 1) {
    pending.sort((one, other) => one.time - other.time);
    const [one, other] = pending.splice(0, 2) as [(typeof pending)[number], (typeof pending)[number]];
    const operand = withOperands(node, [one.operand, other.operand]);
    pending.unshift({ operand, time: Math.max(one.time, other.time) + 1 });
  }
  const [{ operand, time }] = pending as [(typeof pending)[number]];
  return time < before ? operand : node;
}

function operandsOfChain(node: Expression, operator: string): readonly Expression[] {
  return chainOf(node) === operator
    ? operandsOf(node).flatMap((operand) => operandsOfChain(operand, operator))
    : [node];
}

/** Whether it makes no difference which of them is worked out first: what one sets no other reads or sets. */
function mayBeOrdered(operands: readonly Expression[], registry: LibraryRegistry): boolean {
  const isQuiet = every(operands, (node) => {
    const effects = effectsOf(node, registry);
    const setsLocals = effects.writes.every(({ kind }) => kind === 'local');
    return isSilent(effects) && !effects.charges && effects.leaves === null && setsLocals;
  });
  if (!isQuiet) return false;
  const named = operands.map((operand) => {
    const read = new Set<LocalId>();
    const set = new Set<LocalId>();
    visitAll([operand], (node) => {
      for (const local of localsRead(node)) read.add(local);
      for (const local of localsSet(node)) set.add(local);
    });
    return { read, set };
  });
  return named.every(({ set }, at) =>
    named.every((other, index) => index === at || [...set].every((id) => !other.read.has(id) && !other.set.has(id))),
  );
}
