// Reductions: locals that iterations of a nest only combine with further values, in an order that nobody sees: sums,
// products and bits of ints, which wrap, the greatest and the least. Each of several iterations gets an accumulator:
//
//   change = double.max(change, d)      $c = double.max lanes($c, $d), then change = double.max(change, lane 0 of $c) …
//
// `if (d > change) change = d` passes NaNs by, and keeps the first of two zeros with different signs: it is one only if
// `d` is never -0. Source: Wolfe, "High Performance Compilers for Parallel Computing" (1996), section 9.3.

import type { Expression, If, LocalId, Statement } from '../../mir/mir.ts';
import { getLocal, haveSameForm, int } from '../../mir/builders.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isReadIn, localsRead } from '../../mir/locals.ts';
import { booleanType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { flowOf } from './scalars.ts';
import { visitParts } from './tree.ts';
import type { Accesses, Part } from './tree.ts';

export interface Reduction {
  readonly local: LocalId;
  /** An operator or a function that combines two numbers, or a comparison: if it holds, the first is kept. */
  readonly operator: string;
  readonly isChoice: boolean;
  readonly type: Type;
}

export type Reductions = ReadonlyMap<LocalId, Reduction>;

/** By operator: what it makes no difference to combine with. */
const identities: Readonly<Record<string, bigint | number>> = {
  '+(int,int)': 0n,
  '*(int,int)': 1n,
  '|(int,int)': 0n,
  '&(int,int)': -1n,
  '^(int,int)': 0n,
  'int.max': -(1n << 63n),
  'int.min': (1n << 63n) - 1n,
  'double.max': -Infinity,
  'double.min': Infinity,
  'Math.max': -Infinity,
  'Math.min': Infinity,
  '>(double,double)': -Infinity,
  '<(double,double)': Infinity,
};

const flipped = { '>(double,double)': '<(double,double)', '<(double,double)': '>(double,double)' } as const;

/** Those of the locals that are reductions in the parts. */
export function reductionsIn(parts: readonly Part[], among: ReadonlySet<LocalId>): Reductions {
  return among.size === 0 ? new Map() : new ReductionReader(parts, among).found();
}

class ReductionReader {
  readonly #parts: readonly Part[];
  readonly #among: ReadonlySet<LocalId>;
  readonly #steps = new Map<LocalId, Reduction>();
  /** What is read or set otherwise. */
  readonly #others = new Set<LocalId>();

  constructor(parts: readonly Part[], among: ReadonlySet<LocalId>) {
    this.#parts = parts;
    this.#among = among;
    visitParts(parts, (part) => void (part.kind === 'straight' && this.#statements(part.statements)));
  }

  found(): Reductions {
    return new Map([...this.#steps].filter(([local]) => !this.#others.has(local)));
  }

  #statements(statements: readonly Statement[]): void {
    for (const node of statements) {
      if (node.kind === 'if') this.#if(node);
      else if (node.kind === 'set-local' && this.#among.has(node.local)) this.#set(node.local, node.value);
      else this.#read([node]);
    }
  }

  #read(nodes: readonly Node[]): void {
    visitAll(nodes, (node) => {
      for (const local of localsRead(node)) this.#others.add(local);
    });
  }

  #set(local: LocalId, value: Expression): void {
    const choice = choiceOf(local, value);
    if (choice !== null && isNeverNegativeZero(choice.value, this.#parts)) {
      this.#step({ local, operator: choice.operator, isChoice: true, type: value.type });
      return this.#read([choice.value]);
    }
    const values: Expression[] = [];
    const operator = stepOf(local, value, values);
    if (operator === null) this.#others.add(local);
    else this.#step({ local, operator, isChoice: false, type: value.type });
    this.#read(operator === null ? [value] : values);
  }

  #step(step: Reduction): void {
    const known = this.#steps.get(step.local);
    if (known !== undefined && known.operator !== step.operator) this.#others.add(step.local);
    this.#steps.set(step.local, step);
  }

  #if(node: If): void {
    const choice = asChoice(node);
    if (choice !== null && this.#among.has(choice.local)) return this.#set(choice.local, choice.value);
    this.#read(node.arms.map(({ condition }) => condition));
    for (const { then } of node.arms) this.#statements(then);
    this.#statements(node.otherwise);
  }
}

/** How the value combines a local with others, which are listed, perhaps under a condition; null where it does something else. */
function stepOf(local: LocalId, value: Expression, others: Expression[]): string | null {
  if (value.kind === 'conditional') {
    const { condition, then, otherwise } = value;
    others.push(condition);
    if (otherwise.kind === 'get-local' && otherwise.local === local) return stepOf(local, then, others);
    return then.kind === 'get-local' && then.local === local ? stepOf(local, otherwise, others) : null;
  }
  const written = operatorOf(value);
  const operator = written === '-(int,int)' ? '+(int,int)' : written;
  if (operator === null || value.type.kind === 'boolean' || !Object.hasOwn(identities, operator)) return null;
  const operands = operandsOf(value);
  const at = operands.findIndex((operand) => isReadIn(operand, local));
  const step = operands[at];
  // What is taken away from must be the local.
  if (step === undefined || (operator !== written && at > 0)) return null;
  if (step.kind !== 'get-local' && stepOf(local, step, others) !== operator) return null;
  others.push(...operands.filter((_, index) => index !== at));
  return operator;
}

/** `local = condition ? value : local` of an `if` that does nothing else. */
function asChoice({ arms, otherwise, span }: If): { readonly local: LocalId; readonly value: Expression } | null {
  const [arm, ...others] = arms;
  const [node, ...more] = arm?.then ?? [];
  if (arm === undefined || others.length > 0 || otherwise.length > 0 || more.length > 0) return null;
  if (node?.kind !== 'set-local') return null;
  const { local, value } = node;
  const { type } = value;
  const own = getLocal(local, type, span);
  return { local, value: { kind: 'conditional', condition: arm.condition, then: value, otherwise: own, type, span } };
}

/** What `(d > local) ? d : local` chooses, or the same with sides changed over. */
function choiceOf(local: LocalId, value: Expression): { readonly operator: string; readonly value: Expression } | null {
  if (value.kind !== 'conditional' || value.condition.kind !== 'operate') return null;
  const { condition, then, otherwise } = value;
  const { operator, operands } = condition;
  if (operator !== '>(double,double)' && operator !== '<(double,double)') return null;
  const [left, right] = operands as [Expression, Expression];
  const isLocal = (side: Expression): boolean => side.kind === 'get-local' && side.local === local;
  if (!isLocal(otherwise) || isReadIn(then, local)) return null;
  if (isLocal(right) && haveSameForm(left, then)) return { value: then, operator };
  return isLocal(left) && haveSameForm(right, then) ? { value: then, operator: flipped[operator] } : null;
}

function operatorOf(node: Expression): string | null {
  if (node.kind === 'operate') return node.operator;
  return node.kind === 'library-call' ? node.function : null;
}

/** By operator: whether its result is never -0, of operands of which some never are. */
const neverNegativeZero: Readonly<
  Record<string, (operands: readonly Expression[], isNever: (operand: Expression) => boolean) => boolean>
> = {
  'Math.abs': () => true,
  'double.abs': () => true,
  'Math.sqrt': ([operand], isNever) => isNever(operand!),
  '*(double,double)': ([left, right, ...others]) => others.length === 0 && haveSameForm(left!, right!),
  // -0 + -0 and -0 - 0 alone are -0.
  '+(double,double)': (operands, isNever) => operands.some(isNever),
  '-(double,double)': ([left], isNever) => isNever(left!),
  'Math.max': (operands, isNever) => operands.some(isNever),
  'double.max': (operands, isNever) => operands.some(isNever),
  'Math.min': (operands, isNever) => operands.every(isNever),
  'double.min': (operands, isNever) => operands.every(isNever),
};

/** Whether a double is surely not -0, by what the parts set their own locals to. */
function isNeverNegativeZero(value: Expression, parts: readonly Part[]): boolean {
  const values = new Map<LocalId, Expression[]>();
  visitParts(parts, (part) => {
    if (part.kind === 'straight')
      visitAll(part.statements, (node) => {
        if (node.kind === 'set-local') values.set(node.local, [...(values.get(node.local) ?? []), node.value]);
      });
  });
  const { exposed } = flowOf(parts);
  const asked = new Set<LocalId>();
  const isNever = (node: Expression): boolean => {
    if (node.kind === 'double') return !Object.is(node.value, -0);
    if (node.kind === 'widen') return true;
    if (node.kind === 'conditional') return isNever(node.then) && isNever(node.otherwise);
    if (node.kind !== 'get-local') {
      const operator = operatorOf(node);
      const isSo = operator !== null && Object.hasOwn(neverNegativeZero, operator) ? neverNegativeZero[operator] : null;
      return isSo?.(operandsOf(node), isNever) ?? false;
    }
    const { local } = node;
    if (exposed.has(local) || asked.has(local)) return false;
    asked.add(local);
    const is = values.get(local)?.every(isNever) ?? false;
    asked.delete(local);
    return is;
  };
  return isNever(value);
}

/** What an accumulator begins with: what makes no difference. */
export function startOf({ operator, type }: Reduction, span: Span): Expression {
  const value = identities[operator]!;
  return typeof value === 'bigint' ? int(value, span) : { kind: 'double', value, type, span };
}

/** Combines what accumulators have come to into the local. */
export function combineAll(reduction: Reduction, own: readonly LocalId[], span: Span): readonly Statement[] {
  return own.map((local) => combine(reduction, getLocal(local, reduction.type, span)));
}

/** Combines vectors with each other, and then their lanes into the local. */
export function combineVectors(
  reduction: Reduction,
  [first, ...others]: readonly LocalId[],
  span: Span,
): readonly Statement[] {
  if (first === undefined) return [];
  const { operator, isChoice, type } = reduction;
  const vector: Type = { kind: 'vector', element: type };
  const inLanes = (name: string, operands: readonly Expression[]): Expression => ({
    kind: 'lane-wise',
    operator: name,
    operands,
    type: vector,
    span,
  });
  const sum = getLocal(first, vector, span);
  return [
    ...others.map((local): Statement => {
      const other = getLocal(local, vector, span);
      const value = isChoice
        ? inLanes('select', [other, sum, inLanes(operator, [other, sum])])
        : inLanes(operator, [sum, other]);
      return { kind: 'set-local', local: first, value, span };
    }),
    ...([0, 1] as const).map((lane) => combine(reduction, { kind: 'extract-lane', operand: sum, lane, type, span })),
  ];
}

function combine({ local, operator, isChoice, type }: Reduction, value: Expression): Statement {
  const { span } = value;
  const own = getLocal(local, type, span);
  if (isChoice) {
    const condition: Expression = { kind: 'operate', operator, operands: [value, own], type: booleanType, span };
    const chosen: Expression = { kind: 'conditional', condition, then: value, otherwise: own, type, span };
    return { kind: 'set-local', local, value: chosen, span };
  }
  const combined: Expression = operator.includes('(')
    ? { kind: 'operate', operator, operands: [own, value], type, span }
    : { kind: 'library-call', function: operator, arguments: [own, value], typeArgument: null, type, span };
  return { kind: 'set-local', local, value: combined, span };
}

/**
 * Those of the locals that are nothing but sums of doubles in the parts, or other values that each iteration works out
 * from the one before, where what goes into them takes long, or is not all that the parts do. Iterations set them one
 * after the other, but their other work may be done at once.
 */
export function sumsIn(parts: readonly Part[], among: ReadonlySet<LocalId>, accesses: Accesses): ReadonlySet<LocalId> {
  const statements = parts.flatMap((part) => (part.kind === 'straight' ? part.statements : []));
  let isWorth = false;
  const reads = new Map<LocalId, number>();
  visitAll(statements, (node) => {
    isWorth ||= accesses.get(node)?.isWrite === true || ('type' in node && isSlow(node));
    for (const local of localsRead(node)) reads.set(local, (reads.get(local) ?? 0) + 1);
  });
  if (!isWorth) return new Set();
  const own = new Map<LocalId, number>();
  for (const node of statements)
    if (node.kind === 'set-local' && among.has(node.local) && node.value.type.kind === 'double')
      own.set(node.local, (own.get(node.local) ?? 0) + timesIn(node.value, node.local));
  return new Set([...own].filter(([local, times]) => times === reads.get(local)).map(([local]) => local));
}

function timesIn(value: Expression, local: LocalId): number {
  let times = 0;
  visitAll([value], (node) => void (times += localsRead(node).filter((read) => read === local).length));
  return times;
}

function isSlow(node: Expression): boolean {
  const operator = operatorOf(node);
  return operator === '/(double,double)' || operator === 'Math.sqrt';
}
