// Null-check elimination: a local is not null after an access that fails on null, after a test, and after an assignment
// of a new object. A read of it there needs no null check.
//
//   n = p.0                                   n = p.0
//   n = (n + p.0)                             n = (n + p!.0)
//
// Does not apply after another assignment to the local, in a catch clause, and after a loop or a branch that may not
// have been executed. Does not apply to fields and elements, since other code may set them.
// Source: forward data-flow analysis, as analysis/forward-rewriter.ts says.

import { isNewObject } from '../../mir/kinds.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { localsSet } from '../../mir/locals.ts';
import { isNullable } from '../../language/types.ts';
import { refusesNull } from '../../library/declare.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { visitAll } from '../../mir/children.ts';
import { ForwardRewriter } from '../analysis/forward-rewriter.ts';
import type { PlainStatement } from '../analysis/forward-rewriter.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

/** The locals that are known not to be null, as a bit set: a Set would be copied at each statement. */
type Known = bigint;

export const nullness: Pass = {
  name: 'nullness',
  summary: 'locals that cannot be null are not tested',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => mapFunctions(program, context, (fn) => noteNonNull(fn, program.registry)),
};

/** The function with each read of a local that cannot be null marked as `nonNull`. */
export function noteNonNull(fn: MirFunction, registry: LibraryRegistry): MirFunction {
  if (!fn.locals.some(({ type }) => isNullable(type))) return fn;
  return { ...fn, body: new Walk(registry).statements(fn.body) };
}

class Walk extends ForwardRewriter<Known> {
  readonly #registry: LibraryRegistry;

  constructor(registry: LibraryRegistry) {
    super(0n);
    this.#registry = registry;
  }

  protected override both(one: Known, other: Known): Known {
    return one & other;
  }

  protected override assume(condition: Expression, outcome: boolean): void {
    this.#add(factsOf(condition, outcome));
  }

  protected override enterLoop(loop: Loop): void {
    this.#forget(localsSetIn([loop]));
  }

  protected override evaluated(node: Expression): Expression {
    if (node.kind === 'get-local')
      return isNullable(node.type) && this.#isKnown(node.local) ? { ...node, nonNull: true } : node;
    if (node.kind === 'get-field') this.#learn(node.object);
    if (node.kind === 'get-element') this.#learn(node.array);
    if (node.kind === 'check-null') this.#learn(node.operand);
    if (node.kind === 'library-call') {
      const row = this.#registry.byId(node.function);
      node.arguments.forEach((argument, index) => refusesNull(row, index) && this.#learn(argument));
    }
    return node;
  }

  protected override executed(node: PlainStatement): Statement {
    if (node.kind === 'set-field') this.#learn(node.object);
    if (node.kind === 'set-element') this.#learn(node.array);
    this.#forget(localsSet(node));
    if (node.kind === 'set-local' && isMade(node.value)) this.#add([node.local]);
    return node;
  }

  /** After an access to a field or an element of the object. */
  #learn(object: Expression): void {
    if (object.kind === 'get-local') this.#add([object.local]);
  }

  #isKnown(local: LocalId): boolean {
    return this.known !== null && this.known !== 0n && ((this.known >> BigInt(local)) & 1n) === 1n;
  }

  #add(locals: readonly LocalId[]): void {
    for (const local of locals) if (this.known !== null && !this.#isKnown(local)) this.known |= 1n << BigInt(local);
  }

  #forget(locals: Iterable<LocalId>): void {
    for (const local of locals) if (this.#isKnown(local)) this.known! ^= 1n << BigInt(local);
  }
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
