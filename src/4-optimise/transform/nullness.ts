// Null-check elimination: a local is not null after an access that fails on null, after a test, and after an assignment
// of a new object. A read of it there needs no null check. The pass walks forwards through the statements, in the order
// of their evaluation.
//
//   n = p.0                                   n = p.0
//   n = (n + p.0)                             n = (n + p!.0)
//
// Does not apply after another assignment to the local, in a catch clause, and after a loop or a branch that may not
// have been executed. Does not apply to fields and elements, since other code may set them.
// Source: forward data-flow analysis, as for available expressions in Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.2.6.

import { isJump, isNewObject, isSimple, isStrict } from '../../mir/kinds.ts';
import type { SimpleStatement } from '../../mir/kinds.ts';
import type { Arm, Expression, If, LocalId, Loop, Statement, Try } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { localsSet } from '../../mir/locals.ts';
import { isNullable } from '../../language/types.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { operandsOf, visitAll, withOperands } from '../../mir/children.ts';

/**
 * The locals that are known not to be null, as a bit set: a Set would be copied at each statement. Null at an
 * unreachable point.
 */
type Known = bigint | null;

export const nullness: Pass = {
  name: 'nullness',
  summary: 'locals that cannot be null are not tested',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => mapFunctions(program, context, noteNonNull),
};

/** The function with each read of a local that cannot be null marked as `nonNull`. */
export function noteNonNull(fn: MirFunction): MirFunction {
  if (!fn.locals.some(({ type }) => isNullable(type))) return fn;
  return { ...fn, body: new Walk().statements(fn.body) };
}

class Walk {
  #known: Known = 0n;

  statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.map((node) => this.#statement(node));
  }

  #statement(node: Statement): Statement {
    if (isSimple(node)) return this.#simple(node);
    switch (node.kind) {
      case 'set-local':
        return this.#setLocal(node);
      case 'set-hoisted': {
        const [index, value] = this.#all([node.index, node.value]) as [Expression, Expression];
        return { ...node, index, value };
      }
      case 'return':
      case 'finish': {
        const value = node.value === null ? null : this.#expression(node.value);
        this.#known = null;
        return { ...node, value };
      }
      case 'break':
      case 'continue':
        this.#known = null;
        return node;
      case 'if':
        return this.#if(node);
      case 'loop':
        return this.#loop(node);
      case 'try':
        return this.#try(node);
      case 'block':
        return { ...node, statements: this.statements(node.statements) };
      case 'hoist-array': {
        const array = this.#expression(node.array);
        this.#forget(localsSet(node));
        return { ...node, array };
      }
      case 'call-outlined':
        this.#forget(localsSet(node));
        return node;
      case 'return-live-outs':
      case 'osr-exit':
        this.#known = null;
        return node;
    }
  }

  #simple(node: SimpleStatement): Statement {
    const written = withOperands(node, this.#all(operandsOf(node)));
    if (node.kind === 'set-field') this.#learn(node.object);
    if (node.kind === 'set-element') this.#learn(node.array);
    this.#forget(localsSet(node));
    if (isJump(node)) this.#known = null;
    return written;
  }

  #setLocal(node: Statement & { readonly kind: 'set-local' }): Statement {
    const value = this.#expression(node.value);
    const isKnown = isMade(value);
    this.#forget([node.local]);
    if (isKnown) this.#add([node.local]);
    return { ...node, value };
  }

  #if(node: If): If {
    const arms: Arm[] = [];
    const ends: Known[] = [];
    for (const arm of node.arms) {
      const condition = this.#expression(arm.condition);
      const before = this.#known;
      this.#add(factsOf(arm.condition, true));
      arms.push({ condition, then: this.statements(arm.then) });
      ends.push(this.#known);
      this.#known = before;
      this.#add(factsOf(arm.condition, false));
    }
    const otherwise = this.statements(node.otherwise);
    this.#known = ends.reduce(both, this.#known);
    return { ...node, arms, otherwise };
  }

  /**
   * At the beginning of each iteration, the facts from before the loop hold, except for the locals that the loop sets.
   */
  #loop(node: Loop): Loop {
    this.#forget(localsSetIn([node]));
    const around = this.#known;
    const first = node.condition !== null && node.testFirst ? this.#expression(node.condition) : null;
    if (node.condition !== null && node.testFirst) this.#add(factsOf(node.condition, true));
    const body = this.statements(node.body);
    // A `continue` may have come from anywhere in the body.
    this.#known = around;
    const step = this.statements(node.step);
    const last = node.condition !== null && !node.testFirst ? this.#expression(node.condition) : null;
    this.#known = around;
    return { ...node, condition: first ?? last, body, step };
  }

  #try(node: Try): Try {
    const body = this.statements(node.body);
    const afterBody = this.#known;
    this.#known = 0n;
    const ends = node.clauses.map((clause): [Try['clauses'][number], Known] => {
      this.#known = 0n;
      return [{ ...clause, body: this.statements(clause.body) }, this.#known];
    });
    this.#known = ends.map(([, known]) => known).reduce(both, afterBody);
    return { ...node, body, clauses: ends.map(([clause]) => clause) };
  }

  #all(nodes: readonly Expression[]): readonly Expression[] {
    return nodes.map((node) => this.#expression(node));
  }

  #expression(node: Expression): Expression {
    if (isStrict(node)) {
      const written = withOperands(node, this.#all(operandsOf(node)));
      if (node.kind === 'get-field') this.#learn(node.object);
      if (node.kind === 'get-element') this.#learn(node.array);
      if (node.kind === 'check-null') this.#learn(node.operand);
      return written;
    }
    switch (node.kind) {
      case 'get-local':
        return isNullable(node.type) && this.#isKnown(node.local) ? { ...node, nonNull: true } : node;
      case 'get-hoisted':
        return { ...node, index: this.#expression(node.index) };
      case 'conditional': {
        const condition = this.#expression(node.condition);
        const before = this.#known;
        this.#add(factsOf(node.condition, true));
        const then = this.#expression(node.then);
        const afterThen = this.#known;
        this.#known = before;
        this.#add(factsOf(node.condition, false));
        const otherwise = this.#expression(node.otherwise);
        this.#known = both(afterThen, this.#known);
        return { ...node, condition, then, otherwise };
      }
      case 'logical': {
        // In `a && b`, the facts of a hold in b. Behind the expression, only the facts hold that are common to all ways
        // in which its evaluation can end.
        const ends: Known[] = [];
        const operands = node.operands.map((operand, index) => {
          if (index > 0) this.#add(factsOf(node.operands[index - 1]!, node.operator === '&&'));
          const written = this.#expression(operand);
          ends.push(this.#known);
          return written;
        });
        this.#known = ends.reduce(both);
        return { ...node, operands };
      }
      case 'sequence':
        return { ...node, statements: this.statements(node.statements), value: this.#expression(node.value) };
      case 'built-text':
      case 'built-length':
        return withOperands(node, this.#all(operandsOf(node)));
    }
  }

  /** After an access to a field or an element of the object. */
  #learn(object: Expression): void {
    if (object.kind === 'get-local') this.#add([object.local]);
  }

  #isKnown(local: LocalId): boolean {
    return this.#known !== null && this.#known !== 0n && ((this.#known >> BigInt(local)) & 1n) === 1n;
  }

  #add(locals: readonly LocalId[]): void {
    for (const local of locals) if (this.#known !== null && !this.#isKnown(local)) this.#known |= 1n << BigInt(local);
  }

  #forget(locals: Iterable<LocalId>): void {
    for (const local of locals) if (this.#isKnown(local)) this.#known! ^= 1n << BigInt(local);
  }
}

function both(one: Known, other: Known): Known {
  if (one === null || other === null) return one ?? other;
  return one & other;
}

/** The locals that are not null if the condition has this outcome. */
function factsOf(condition: Expression, outcome: boolean): readonly LocalId[] {
  if (condition.kind === 'is-null')
    return !outcome && condition.operand.kind === 'get-local' ? [condition.operand.local] : [];
  if (condition.kind === 'operate' && condition.operator === '!(boolean)')
    return factsOf(condition.operands[0]!, !outcome);
  if (condition.kind !== 'logical' || (condition.operator === '&&') !== outcome) return [];
  return condition.operands.flatMap((operand) => factsOf(operand, outcome));
}

/** Whether the value is a new object, or is known not to be null. */
function isMade(value: Expression): boolean {
  return isNewObject(value) || (value.kind === 'get-local' && value.nonNull === true);
}

function localsSetIn(statements: readonly Statement[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  visitAll(statements, (node) => {
    for (const local of localsSet(node)) found.add(local);
  });
  return found;
}
