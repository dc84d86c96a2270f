// Quotient and remainder of the same ints: the remainder is worked out from the quotient, since a division takes longer
// than a multiplication and a difference.
//
//   a[i] = (x % d)                a[i] = {$quotient = (x / d); (x - ($quotient * d))}
//   carry = (x / d)               carry = $quotient
//
// The first of them fails where it did, if the divisor is 0. Applies to ints that are worked out from locals, where nothing
// sets these in between, and to all divisors but powers of two, which are shifts. Does not apply to conditions of loops, which
// passes read. Runs behind those that know a remainder by its range.
// Source: the pass DivRemPairs of LLVM; available expressions, Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.6.

import { intType } from '../../language/types.ts';
import { arithmetic, getLocal } from '../../mir/builders.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import { localsRead } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { localsSetIn } from '../analysis/invariance.ts';
import { ForwardRewriter } from '../analysis/forward-rewriter.ts';
import type { PlainStatement } from '../analysis/forward-rewriter.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const divisionPairs: Pass = {
  name: 'division-pairs',
  summary: 'a remainder is worked out from the quotient of the same ints',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => mapFunctions(program, context, pairDivisions),
};

type Division = Expression & { readonly kind: 'operate' };

/** Quotients and remainders of the same ints; each of the others comes behind the first, whatever way is taken. */
interface Group {
  readonly locals: ReadonlySet<LocalId>;
  readonly nodes: Division[];
}

interface Unfit {
  readonly inConditions: ReadonlySet<Node>;
  readonly afterOthers: ReadonlySet<Node>;
}

/** The groups by their ints. */
type Facts = ReadonlyMap<string, Group>;

/** So many are known at once, of so many nodes. */
const [mostFacts, mostNodes] = [16, 16];

function pairDivisions(fn: MirFunction): MirFunction {
  const divisions = new Set<string>();
  visitAll(fn.body, (node) => void (isDivision(node) && divisions.add(node.operator)));
  if (divisions.size < 2) return fn;
  const walk = new Walk();
  const body = walk.statements(fn.body);
  const locals = [...fn.locals];
  const written = new Map<Division, Expression>();
  const unfit = findUnfit(body);
  for (const { nodes } of walk.groups) share(nodes, unfit, written, locals);
  if (written.size === 0) return fn;
  return {
    ...fn,
    locals,
    body: rewriteExpressions(body, (node, original) => written.get(original as Division) ?? node),
  };
}

/** What stands in the conditions of loops, and what may not be evaluated where the whole condition is. */
function findUnfit(body: readonly Statement[]): Unfit {
  const [inConditions, afterOthers] = [new Set<Node>(), new Set<Node>()];
  visitAll(body, (node) => {
    if (node.kind === 'loop' && node.condition !== null)
      visitAll([node.condition], (part) => void inConditions.add(part));
    if (node.kind === 'logical') visitAll(node.operands.slice(1), (part) => void afterOthers.add(part));
  });
  return { inConditions, afterOthers };
}

/** What stands in the place of the divisions of a group, if it has both of them. */
function share(nodes: readonly Division[], unfit: Unfit, written: Map<Division, Expression>, locals: Local[]): void {
  const [first, ...others] = nodes.filter((node) => !unfit.inConditions.has(node));
  if (first === undefined || first !== nodes[0] || unfit.afterOthers.has(first)) return;
  if (others.every(({ operator }) => operator === first.operator)) return;
  const local = locals.push({ name: 'quotient', type: intType, origin: 'temporary' }) - 1;
  for (const node of [first, ...others]) {
    const { operands, type, span } = node;
    const [dividend, divisor] = operands as [Expression, Expression];
    const quotient = getLocal(local, intType, span);
    const value = isQuotient(node) ? quotient : arithmetic('-', dividend, arithmetic('*', quotient, divisor));
    const made: Division = { ...node, operator: '/(int,int)' };
    const statements: readonly Statement[] = [{ kind: 'set-local', local, value: made, span }];
    written.set(node, node === first ? { kind: 'sequence', statements, value, type, span } : value);
  }
}

class Walk extends ForwardRewriter<Facts> {
  readonly groups: Group[] = [];

  constructor() {
    super(new Map());
  }

  protected override both(one: Facts, other: Facts): Facts {
    if (one === other) return one;
    return new Map([...one].filter(([key, group]) => other.get(key) === group));
  }

  protected override assume(): void {
    // Nothing is learned from conditions.
  }

  protected override enterLoop(loop: Loop): void {
    this.#forget(localsSetIn(loop));
  }

  protected override evaluated(node: Expression): Expression {
    if (isDivision(node)) this.#note(node);
    return node;
  }

  protected override executed(node: PlainStatement): Statement {
    this.#forget(localsSetIn(node));
    return node;
  }

  #note(node: Division): void {
    const { operands } = node;
    if (this.known === null || !operands.every(isOfLocals)) return;
    const keys = operands.map((operand) => expressionKey(operand, mostNodes));
    if (keys.includes(null)) return;
    const key = keys.join(' by ');
    const known = this.known.get(key);
    if (known !== undefined) return void known.nodes.push(node);
    const locals = new Set<LocalId>();
    visitAll(operands, (part) => localsRead(part).forEach((local) => locals.add(local)));
    const group: Group = { locals, nodes: [node] };
    this.groups.push(group);
    const facts = new Map(this.known).set(key, group);
    if (facts.size > mostFacts) facts.delete(facts.keys().next().value!);
    this.known = facts;
  }

  #forget(changed: ReadonlySet<LocalId>): void {
    if (this.known === null || this.known.size === 0 || changed.size === 0) return;
    const kept = [...this.known].filter(([, { locals }]) => [...changed].every((local) => !locals.has(local)));
    if (kept.length < this.known.size) this.known = new Map(kept);
  }
}

function isQuotient({ operator }: Division): boolean {
  return operator === '/(int,int)';
}

/** Whether it divides ints, and not by a power of two. */
function isDivision(node: { readonly kind: string }): node is Division {
  if (node.kind !== 'operate') return false;
  const { operator, operands } = node as Division;
  if (operator !== '/(int,int)' && operator !== '%(int,int)') return false;
  const divisor = operands[1]!;
  return divisor.kind !== 'int' || (divisor.value & (divisor.value - 1n)) !== 0n;
}

const operators: ReadonlySet<string> = new Set(['+(int,int)', '-(int,int)', '*(int,int)', '-(int)']);

function isOfLocals(node: Expression): boolean {
  if (node.kind === 'int' || node.kind === 'get-local') return true;
  return node.kind === 'operate' && operators.has(node.operator) && operandsOf(node).every(isOfLocals);
}
