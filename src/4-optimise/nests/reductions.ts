// Reductions: locals that iterations of a nest only combine with further values, in an order that nobody sees: sums,
// products and bits of ints, which wrap, the greatest and the least. Each of several iterations gets an accumulator:
//
//   change = double.max(change, d)      $c = double.max lanes($c, $d), then change = double.max(change, lane 0 of $c) …
//
// `if (d > change) change = d` passes NaNs by, and keeps the first of two zeros with different signs: it is one only if
// `d` is never -0. Source: Wolfe, "High Performance Compilers for Parallel Computing" (1996), section 9.3.

import type { Expression, If, LocalId, Statement } from '../../mir/mir.ts';
import { getLocal, haveSameForm } from '../../mir/builders.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isReadIn, localsRead, localsSet } from '../../mir/locals.ts';
import type { Type } from '../../language/types.ts';
import { count } from './reading.ts';
import { flowOf } from './scalars.ts';
import { visitParts } from './tree.ts';
import type { Accesses, Part } from './tree.ts';

export interface Reduction {
  readonly local: LocalId;
  /** An operator or a function that combines two numbers, or a comparison: if it holds, the first is kept. */
  readonly operator: string;
  readonly isChoice: boolean;
  /**
   * The comparison that finds the same greatest or least, where no value is -0, but passes NaNs by; null for others.
   */
  readonly comparison: Comparison | null;
  readonly type: Type;
}

type Comparison = '>(double,double)' | '<(double,double)';

export type Reductions = ReadonlyMap<LocalId, Reduction>;

/** The operators, each with the comparison that finds the same, but for NaNs and the signs of zeros. */
const operators: Readonly<Record<string, Comparison | null>> = {
  '+(int,int)': null,
  '*(int,int)': null,
  '|(int,int)': null,
  '&(int,int)': null,
  '^(int,int)': null,
  'int.max': null,
  'int.min': null,
  'double.max': '>(double,double)',
  'double.min': '<(double,double)',
  'Math.max': '>(double,double)',
  'Math.min': '<(double,double)',
};

const flipped: Readonly<Record<Comparison, Comparison>> = {
  '>(double,double)': '<(double,double)',
  '<(double,double)': '>(double,double)',
};

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
      this.#step({ local, operator: choice.operator, isChoice: true, comparison: null, type: value.type });
      return this.#read([choice.value]);
    }
    const values: Expression[] = [];
    const operator = stepOf(local, value, values);
    if (operator === null) this.#others.add(local);
    else {
      const isNever = values.every((one) => one.type.kind !== 'double' || isNeverNegativeZero(one, this.#parts));
      this.#step({
        local,
        operator,
        isChoice: false,
        comparison: isNever ? operators[operator]! : null,
        type: value.type,
      });
    }
    this.#read(operator === null ? [value] : values);
  }

  #step(step: Reduction): void {
    const known = this.#steps.get(step.local);
    if (known !== undefined && known.operator !== step.operator) this.#others.add(step.local);
    this.#steps.set(step.local, known?.comparison === null ? known : step);
  }

  #if(node: If): void {
    const choice = asChoice(node);
    if (choice !== null && this.#among.has(choice.local)) return this.#set(choice.local, choice.value);
    this.#read(node.arms.map(({ condition }) => condition));
    for (const { then } of node.arms) this.#statements(then);
    this.#statements(node.otherwise);
  }
}

/** How the value combines a local with others, which are listed, perhaps under a condition; null where otherwise. */
function stepOf(local: LocalId, value: Expression, others: Expression[]): string | null {
  if (value.kind === 'conditional') {
    const { condition, then, otherwise } = value;
    others.push(condition);
    if (otherwise.kind === 'get-local' && otherwise.local === local) return stepOf(local, then, others);
    return then.kind === 'get-local' && then.local === local ? stepOf(local, otherwise, others) : null;
  }
  const written = operatorOf(value);
  const operator = written === '-(int,int)' ? '+(int,int)' : written;
  if (operator === null || value.type.kind === 'boolean' || !Object.hasOwn(operators, operator)) return null;
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
function choiceOf(
  local: LocalId,
  value: Expression,
): { readonly operator: Comparison; readonly value: Expression } | null {
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
  // The greater of -1 and -0 is -0, and so is the lesser of 0 and -0.
  'Math.max': (operands, isNever) => operands.every(isNever),
  'double.max': (operands, isNever) => operands.every(isNever),
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

/**
 * Those of the locals that are nothing but sums of doubles in the parts, or other values that one statement works out
 * from that of the iteration before, where what goes into them takes long, or is not all that the parts do. Iterations
 * set them one after the other, but their other work may be done at once.
 */
export function sumsIn(parts: readonly Part[], among: ReadonlySet<LocalId>, accesses: Accesses): ReadonlySet<LocalId> {
  const statements = parts.flatMap((part) => (part.kind === 'straight' ? part.statements : []));
  let isWorth = false;
  visitAll(statements, (node) => {
    isWorth ||= accesses.get(node)?.isWrite === true || ('type' in node && isSlow(node));
  });
  const [reads, sets] = [count(statements, localsRead), count(statements, localsSet)];
  const isSum = (node: Statement): node is Statement & { readonly kind: 'set-local' } =>
    node.kind === 'set-local' &&
    node.value.type.kind === 'double' &&
    sets.get(node.local) === 1 &&
    count([node.value], localsRead).get(node.local) === reads.get(node.local);
  const sums = isWorth ? statements.filter(isSum).map(({ local }) => local) : [];
  return new Set(sums.filter((local) => among.has(local)));
}

function isSlow(node: Expression): boolean {
  const operator = operatorOf(node);
  return operator === '/(double,double)' || operator === 'Math.sqrt';
}
