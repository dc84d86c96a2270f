// Transposition of lanes: in a jammed loop whose lanes are rows, an innermost loop along these rows loads two elements of
// each row at once, does with them what can be done row by row, and makes of the results of two rows those of the two
// iterations. Each element is loaded once, and each sum keeps its order.
//
// Source: interleaved accesses, Nuzman, Rosen, Zaks, "Auto-vectorization of interleaved data for SIMD" (PLDI 2006).

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { operandsOf, visitAll, withOperands } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsRead } from '../../mir/locals.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import type { Type } from '../../language/types.ts';
import { coefficientOf, plus } from './affine-forms.ts';
import { copyParts } from './copies.ts';
import type { Distinct } from './dependences.ts';
import { areApart, groupsIn, isInRange, keepAccess, load } from './element-groups.ts';
import type { Group } from './element-groups.ts';
import { hasFewer, joinStraight } from './jam.ts';
import { laneWise } from './lane-values.ts';
import type { NestLog } from './log.ts';
import { setIn } from './scalars.ts';
import { keyOfAccess, sizeOf } from './tree.ts';
import type { Access, Accesses, NestLoop, Part, Straight } from './tree.ts';

/** A body of more nodes is not there three times. */
const largestBody = 160;

/** So many iterations at once. */
const copies = 2;

export interface TranspositionContext {
  readonly accesses: Accesses;
  readonly distinct: Distinct;
  readonly newVector: (type: Type) => LocalId;
  /** For remarks; null where nobody wants to know. */
  readonly log: NestLog | null;
}

/**
 * The loop with the innermost loops in it that go along rows in lanes.
 *
 * ```
 * loop k by 1                                      loop k by 2
 *   $s += pair(a[j][k], a[j + 1][k]) * splat(b[k])   $row = a[j][k, k + 1] * b[k, k + 1]
 *                                                    $next = a[j + 1][k, k + 1] * b[k, k + 1]
 *                                                    $s += interleave-low($row, $next)
 *                                                    $s += interleave-high($row, $next)
 *                                                  loop k by 1 …
 * ```
 */
export function transposeLanes(
  loop: NestLoop,
  context: TranspositionContext,
  around: readonly NestLoop[] = [],
): NestLoop {
  const inside = [...around, loop];
  const parts = loop.parts.map((part): readonly Part[] | Part => {
    if (part.kind === 'straight') return part;
    const isInnermost = part.parts.every(({ kind }) => kind === 'straight');
    return isInnermost ? (transposed(part, inside, context) ?? part) : transposeLanes(part, context, inside);
  });
  return parts.every((part, at) => part === loop.parts[at]) ? loop : { ...loop, parts: parts.flat() };
}

function transposed(
  loop: NestLoop,
  around: readonly NestLoop[],
  context: TranspositionContext,
): readonly Part[] | null {
  const isPlain = loop.goesUp && loop.step === 1n && loop.continues !== true && loop.ranges === undefined;
  if (!isPlain || hasFewer(loop, 2 * copies) || sizeOf(loop) > largestBody) return null;
  const statements = loop.parts.flatMap((part) => (part.kind === 'straight' ? part.statements : []));
  if (statements.some(({ kind }) => kind !== 'set-local' && kind !== 'set-element')) return null;
  if (!hasPairs(statements)) return null;
  const found = new Rows(loop, around, context).find(statements);
  if (found.length === 0) return null;
  const { accesses, newVector, log } = context;
  const [low, high] = [new Map<Node, Expression>(), new Map<Node, Expression>()];
  /** By the values: what is worked out in front of the first statement that needs it, so that few vectors wait. */
  const inFront = new Map<Node, readonly Statement[]>();
  for (const { nodes, rows } of found) {
    const [first] = nodes as readonly [Expression, ...(readonly Expression[])];
    const { type, span } = first;
    const set: Statement[] = [];
    const named = (value: Expression): Expression => {
      const local = newVector(type);
      set.push({ kind: 'set-local', local, value, span });
      return getLocal(local, type, span);
    };
    const both = rows.map(named);
    const one = named(laneWise('interleave-low', both, type, span));
    const other = named(laneWise('interleave-high', both, type, span));
    inFront.set(first, set);
    for (const node of nodes) {
      low.set(node, one);
      high.set(node, other);
    }
  }
  const copy = (values: ReadonlyMap<Node, Expression>, isFirst: boolean): Straight => ({
    kind: 'straight',
    statements: statements.flatMap((statement) => [
      ...(isFirst ? collect([statement], (node) => inFront.get(node) ?? []) : []),
      ...rewriteExpressions(
        [statement],
        (node, original) => values.get(original) ?? keepAccess(node, original, accesses),
        (node, original) => keepAccess(node, original, accesses),
      ),
    ]),
  });
  log?.transposed.push({ loop, elements: copies });
  const next = copyParts([copy(high, false)], { variable: loop.variable, by: 1n, names: new Map() }, accesses);
  const wide: NestLoop = {
    ...loop,
    step: BigInt(copies),
    end: plus(loop.end, BigInt(1 - copies)),
    weight: loop.weight * copies,
    parts: joinStraight([copy(low, true), ...next]),
  };
  return [wide, { ...loop, continues: true }];
}

/** Whether any vector is put together out of two elements: most loops have none. */
function hasPairs(statements: readonly Statement[]): boolean {
  let has = false;
  visitAll(statements, (node) => void (has ||= node.kind === 'lane-wise' && node.operator === 'pair'));
  return has;
}

function collect<Found>(nodes: readonly Node[], find: (node: Node) => readonly Found[]): readonly Found[] {
  const found: Found[] = [];
  visitAll(nodes, (node) => void found.push(...find(node)));
  return found;
}

/** The same value for two rows: once with the elements of the one, once with those of the other, two iterations each. */
interface InRows {
  readonly nodes: readonly Expression[];
  readonly rows: readonly [Expression, Expression];
}

/** What of the statements of a loop can be worked out row by row, as much at once as possible. */
class Rows {
  readonly #variable: LocalId;
  readonly #accesses: Accesses;
  /** What is set in the loop. */
  readonly #own: ReadonlySet<LocalId>;
  /** Reads of what the loop leaves alone. */
  readonly #free = new Set<Node>();
  /** By the key of a pair, the largest values that it is a part of. */
  readonly #users = new Map<string, Set<Expression>>();

  constructor(loop: NestLoop, around: readonly NestLoop[], context: TranspositionContext) {
    this.#variable = loop.variable;
    this.#accesses = context.accesses;
    this.#own = new Set([...setIn(loop.parts), loop.variable]);
    const groups = groupsIn(loop.parts, context.accesses);
    const isFree = (group: Group): boolean =>
      !group.isWritten && isInRange(group) && groups.every((other) => areApart(group, other, loop, around, context));
    for (const group of groups) if (isFree(group)) for (const node of group.nodes) this.#free.add(node);
  }

  find(statements: readonly Statement[]): readonly InRows[] {
    const values = statements.flatMap((node) =>
      node.kind === 'set-local' || node.kind === 'set-element' ? [node.value] : [],
    );
    // Rows that several values are made of are transposed themselves, once for all of them.
    for (const value of this.#largest(values)) for (const key of this.#keysIn(value)) this.#noteUser(key, value);
    const found = new Map<string | Expression, Expression[]>();
    for (const value of this.#largest(values)) {
      const pair = this.#pairOf(value);
      const key = pair === null ? value : this.#keyOf(pair);
      found.set(key, [...(found.get(key) ?? []), value]);
    }
    return [...found.values()].map((nodes) => ({ nodes, rows: [this.#row(nodes[0]!, 0), this.#row(nodes[0]!, 1)] }));
  }

  #noteUser(key: string, value: Expression): void {
    const users = this.#users.get(key) ?? new Set();
    this.#users.set(key, users.add(value));
  }

  /** The largest values with pairs that can be worked out row by row. */
  #largest(values: readonly Expression[]): readonly Expression[] {
    return values.flatMap((value) =>
      this.#isInRows(value) && this.#keysIn(value).length > 0 ? [value] : this.#largest(operandsOf(value)),
    );
  }

  #isInRows(value: Expression): boolean {
    if (this.#pairOf(value) !== null) return true;
    if (value.kind === 'splat') return this.#isAlong(value.operand) || this.#stays(value.operand);
    if (value.kind !== 'lane-wise' || !arithmetic.has(value.operator)) return false;
    return value.operands.every((operand) => this.#isInRows(operand) && !this.#keysIn(operand).some(this.#isShared));
  }

  readonly #isShared = (key: string): boolean => (this.#users.get(key)?.size ?? 0) > 1;

  /** The elements of two rows that are in the lanes of a vector; null where it is something else. */
  #pairOf(value: Expression): readonly Expression[] | null {
    const isPair = value.kind === 'lane-wise' && value.operator === 'pair';
    return isPair && value.operands.every((one) => this.#isAlong(one)) ? value.operands : null;
  }

  /** Whether it is an element next to that of the next iteration. */
  #isAlong(value: Expression): boolean {
    const access = this.#accesses.get(value);
    if (access === undefined || !this.#free.has(value) || access.type.kind !== 'double') return false;
    const by = access.subscripts.map((form) => coefficientOf(form, this.#variable));
    return by.every((coefficient, at) => coefficient === (at === by.length - 1 ? 1n : 0n));
  }

  /** Whether it is the same in all iterations. */
  #stays(value: Expression): boolean {
    let stays = value.type.kind === 'double';
    visitAll([value], (node) => {
      const access = this.#accesses.get(node);
      stays &&= localsRead(node).every((local) => !this.#own.has(local));
      stays &&= access === undefined || this.#staysAt(node, access);
    });
    return stays;
  }

  #staysAt(node: Node, { subscripts }: Access): boolean {
    return this.#free.has(node) && subscripts.every((form) => coefficientOf(form, this.#variable) === 0n);
  }

  #keysIn(value: Expression): readonly string[] {
    const pair = this.#pairOf(value);
    return pair === null ? operandsOf(value).flatMap((operand) => this.#keysIn(operand)) : [this.#keyOf(pair)];
  }

  #keyOf(pair: readonly Expression[]): string {
    return pair.map((operand) => keyOfAccess(this.#accesses.get(operand)!)).join(' ');
  }

  /** The value for the row of one of the lanes, in this iteration and the next one. */
  #row(value: Expression, lane: 0 | 1): Expression {
    const pair = this.#pairOf(value);
    if (pair !== null) return this.#loaded(pair[lane]!, value.type);
    if (value.kind === 'splat') return this.#isAlong(value.operand) ? this.#loaded(value.operand, value.type) : value;
    return withOperands(
      value,
      operandsOf(value).map((operand) => this.#row(operand, lane)),
    );
  }

  #loaded(element: Expression, type: Type): Expression {
    return load({ ...this.#accesses.get(element)!, type }, element.span, this.#accesses);
  }
}

/** What doubles are combined by, without masks. */
const arithmetic: ReadonlySet<string> = new Set([
  '+(double,double)',
  '-(double,double)',
  '*(double,double)',
  '/(double,double)',
  '-(double)',
  'Math.sqrt',
  'Math.abs',
  'Math.min',
  'Math.max',
  'double.abs',
  'double.min',
  'double.max',
]);
