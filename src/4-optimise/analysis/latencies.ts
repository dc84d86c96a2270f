// How long a loop waits for its own values: the longest chain of operations from one iteration to the next, beside the
// work that a processor has to do for an iteration. A loop that waits longer than it works leaves room for another one.
//
// Source: the recurrence-constrained and the resource-constrained lower bound of an iteration, in modulo scheduling; Rau,
// "Iterative modulo scheduling", MICRO 1994. Cycles are those of current x86 and Arm cores, as in Fog, "Instruction tables".

import { isDivisionByConstant } from '../../mir/effects.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import { isSimple } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';
import { isDivision } from './divisions.ts';
import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';

/** What an operation costs, in cycles. */
interface Cost {
  /** From its operands to its value. */
  readonly latency: number;
  /** For which it keeps one of the units of a processor busy. */
  readonly busy: number;
}

/** So many units work at once; one alone divides. */
const units = 4;

const short: Cost = { latency: 1, busy: 1 };
const ofDoubles: Cost = { latency: 4, busy: 1 };
const division: Cost = { latency: 13, busy: 4 * units };
const divisionOfInts: Cost = { latency: 20, busy: 7 * units };
const root: Cost = { latency: 15, busy: 6 * units };

const costs: ReadonlyMap<string, Cost> = new Map([
  ...['+', '-', '&', '|', '^', '<<', '>>', '>>>', '<', '<=', '>', '>=', '==', '!='].map((symbol): [string, Cost] => [
    `${symbol}(int,int)`,
    short,
  ]),
  ...['<', '<=', '>', '>=', '==', '!='].map((symbol): [string, Cost] => [`${symbol}(double,double)`, ofDoubles]),
  ...['-(int)', '~(int)', '-(double)', '!(boolean)'].map((operator): [string, Cost] => [operator, short]),
  ['*(int,int)', { latency: 3, busy: 1 }],
  ...['+', '-', '*'].map((symbol): [string, Cost] => [`${symbol}(double,double)`, ofDoubles]),
  ['/(double,double)', division],
  ['/(int,int)', divisionOfInts],
  ['%(int,int)', divisionOfInts],
  ['Math.sqrt', root],
  ['double.abs', short],
  ['int.abs', { latency: 3, busy: 3 }],
  ['int.min', { latency: 2, busy: 2 }],
  ['int.max', { latency: 2, busy: 2 }],
  ['double.min', ofDoubles],
  ['double.max', ofDoubles],
]);

/** A division by a constant becomes a product and shifts; one by a power of two, which is mostly of no negative int, is one. */
const divisionByConstant: Cost = { latency: 6, busy: 5 };

const nothing: Cost = { latency: 0, busy: 0 };
const costsOfKinds: ReadonlyMap<Expression['kind'], Cost> = new Map([
  ...(['int', 'double', 'boolean', 'get-local', 'get-global', 'sequence'] as const).map(
    (kind) => [kind, nothing] as const,
  ),
  ...(['select', 'conditional', 'logical', 'wrap32'] as const).map((kind) => [kind, short] as const),
  ['widen', ofDoubles],
]);

/** Null for what takes long, or is no number. */
function costOf(node: Expression): Cost | null {
  if (node.kind === 'library-call') return costs.get(node.function) ?? null;
  if (node.kind !== 'operate') return costsOfKinds.get(node.kind) ?? null;
  if (isDivisionByConstant(node)) return isDivision(node) ? divisionByConstant : short;
  return costs.get(node.operator) ?? null;
}

/** Cycles of an iteration: how long it waits for the one before, and how long it keeps all units busy. */
export interface IterationCost {
  readonly waits: number;
  readonly works: number;
}

/** The cost of an iteration of an innermost loop; null where it is not known. */
export function iterationCost(loop: Loop): IterationCost | null {
  const { condition, body, step } = loop;
  let busy = 0;
  let isKnown = true;
  const set = new Set<LocalId>();
  visitAll([...(condition === null ? [] : [condition]), ...body, ...step], (node) => {
    for (const local of localsSet(node)) set.add(local);
    // A branch that is not foreseen costs more than all of this.
    isKnown &&= node.kind !== 'if' || isExit(node);
    if (!('type' in node)) return;
    const cost = costOf(node);
    isKnown &&= cost !== null;
    busy += cost?.busy ?? 0;
  });
  if (!isKnown || set.size > mostLocals) return null;
  return { waits: longestRecurrence([...body, ...step], [...set]), works: busy / units };
}

/** Nobody keeps more in registers. */
const mostLocals = 16;

/** How long each local waits for the value of one that it is worked out from; of others there is nothing. */
type Times = Map<LocalId, number>;

/** The cycles of the slowest cycle of locals, of at most so many iterations, divided by their number. */
function longestRecurrence(statements: readonly Statement[], locals: readonly LocalId[]): number {
  const after = (times: Times): Times => {
    const result = new Map(times);
    run(statements, result);
    return result;
  };
  let longest = 0;
  for (const local of locals) {
    let times: Times = new Map([[local, 0]]);
    for (let iterations = 1; iterations <= longestCycle; iterations++) {
      times = after(times);
      longest = Math.max(longest, (times.get(local) ?? 0) / iterations);
    }
  }
  return longest;
}

const longestCycle = 3;

function run(statements: readonly Statement[], times: Times): void {
  for (const node of statements) {
    if (node.kind === 'set-local') set(times, node.local, timeOf(node.value, times));
    else if (node.kind === 'block') run(node.statements, times);
    else if (node.kind === 'if') runIf(node, times);
    else if (isSimple(node)) for (const operand of operandsOf(node)) timeOf(operand, times);
  }
}

/** The branches that leave the loop are foreseen: nothing waits for them. */
function runIf({ arms, otherwise }: If, times: Times): void {
  for (const { condition } of arms) timeOf(condition, times);
  run(otherwise, times);
}

/** Whether it does nothing but perhaps leave the loop. */
function isExit({ arms }: If): boolean {
  return arms.every(({ then }) => leaves(then));
}

function leaves(statements: readonly Statement[]): boolean {
  const last = statements.at(-1);
  return last?.kind === 'break' || last?.kind === 'return' || (last?.kind === 'block' && leaves(last.statements));
}

function set(times: Times, local: LocalId, time: number | null): void {
  if (time === null) times.delete(local);
  else times.set(local, time);
}

/** When a value is there; null where it waits for nothing. */
function timeOf(node: Expression, times: Times): number | null {
  if (node.kind === 'get-local') return times.get(node.local) ?? null;
  if (node.kind === 'sequence') {
    run(node.statements, times);
    return timeOf(node.value, times);
  }
  let latest: number | null = null;
  for (const operand of operandsOf(node)) {
    const time = timeOf(operand, times);
    if (time !== null) latest = Math.max(latest ?? 0, time);
  }
  return latest === null ? null : latest + costOf(node)!.latency;
}
