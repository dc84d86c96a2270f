// Quotients and remainders of the same ints: what divides again is worked out from what the first of them found, since a
// division takes longer than a multiplication and a difference.
//
//   a[i] = (x % d)                a[i] = {$quotient = (x / d); (x - ($quotient * d))}
//   carry = (x / d)               carry = $quotient
//   left = ((x - 1) % #w)         left = {$remainder = ((x - 1) % #w); $remainder}
//   again = ((x - 1) % #w)        again = $remainder
//
// The first of them fails where it did, if the divisor is 0. Applies to ints that are worked out from variables, where nothing
// sets these in between, and to all divisors but powers of two, which are shifts. Does not apply to conditions of loops, which
// passes read. Runs behind those that know a remainder by its range.
// Source: the pass DivRemPairs of LLVM; available expressions, Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.6.

import { intType } from '../../language/types.ts';
import { arithmetic, getLocal } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import type { Expression, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { isDivision, isOfVariables, isQuotient, Variables } from '../analysis/divisions.ts';
import type { Division } from '../analysis/divisions.ts';
import { ForwardRewriter } from '../analysis/forward-rewriter.ts';
import type { PlainStatement } from '../analysis/forward-rewriter.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const divisionPairs: Pass = {
  name: 'division-pairs',
  summary: 'ints that are divided again, or their remainder taken, are divided once',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) => pairDivisions(fn, modRef));
  },
};

/** Quotients and remainders of the same ints; each of the others comes behind the first, whatever way is taken. */
interface Group {
  readonly variables: Variables;
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

function pairDivisions(fn: MirFunction, modRef: ProgramChanges): MirFunction {
  let divisions = 0;
  visitAll(fn.body, (node) => void (divisions += isDivision(node) ? 1 : 0));
  if (divisions < 2) return fn;
  const walk = new Walk(fn, modRef);
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

/** What stands in the place of the divisions of a group, if it has several. */
function share(nodes: readonly Division[], unfit: Unfit, written: Map<Division, Expression>, locals: Local[]): void {
  const [first, ...others] = nodes.filter((node) => !unfit.inConditions.has(node));
  if (first === undefined || first !== nodes[0] || unfit.afterOthers.has(first)) return;
  if (others.length === 0) return;
  const { operator } = nodes.find(isQuotient) ?? first;
  const name = operator === '/(int,int)' ? 'quotient' : 'remainder';
  const local = locals.push({ name, type: intType, origin: 'temporary' }) - 1;
  for (const node of [first, ...others]) {
    const { operands, type, span } = node;
    const [dividend, divisor] = operands as [Expression, Expression];
    const found = getLocal(local, intType, span);
    const value = node.operator === operator ? found : arithmetic('-', dividend, arithmetic('*', found, divisor));
    const made: Division = { ...node, operator };
    const statements: readonly Statement[] = [{ kind: 'set-local', local, value: made, span }];
    written.set(node, node === first ? { kind: 'sequence', statements, value, type, span } : value);
  }
}

class Walk extends ForwardRewriter<Facts> {
  readonly groups: Group[] = [];
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;

  constructor(fn: MirFunction, modRef: ProgramChanges) {
    super(new Map());
    this.#fn = fn;
    this.#modRef = modRef;
  }

  protected override both(one: Facts, other: Facts): Facts {
    if (one === other) return one;
    return new Map([...one].filter(([key, group]) => other.get(key) === group));
  }

  protected override assume(): void {
    // Nothing is learned from conditions.
  }

  protected override enterLoop(loop: Loop): void {
    this.#forget(loop);
  }

  protected override evaluated(node: Expression): Expression {
    if (isDivision(node)) this.#note(node);
    if (node.kind === 'call' || node.kind === 'library-call') this.#forget(node);
    return node;
  }

  protected override executed(node: PlainStatement): Statement {
    this.#forget(node);
    return node;
  }

  #note(node: Division): void {
    const { operands } = node;
    if (this.known === null || !operands.every(isOfVariables)) return;
    const keys = operands.map((operand) => expressionKey(operand, mostNodes));
    if (keys.includes(null)) return;
    const key = keys.join(' by ');
    const known = this.known.get(key);
    if (known !== undefined) return void known.nodes.push(node);
    const group: Group = { variables: new Variables(operands), nodes: [node] };
    this.groups.push(group);
    const facts = new Map(this.known).set(key, group);
    if (facts.size > mostFacts) facts.delete(facts.keys().next().value!);
    this.known = facts;
  }

  /** What is divided of variables that the node sets, itself or by what it calls, is divided anew behind it. */
  #forget(node: Node): void {
    if (this.known === null || this.known.size === 0) return;
    const changes = this.#modRef.of([node], this.#fn);
    const kept = [...this.known].filter(([, { variables }]) => !variables.areChanged(changes));
    if (kept.length < this.known.size) this.known = new Map(kept);
  }
}
