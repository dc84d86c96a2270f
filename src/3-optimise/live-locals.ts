// Which locals hold a value that is still wanted where a loop begins a turn: a walk backwards through the statements,
// again and again until no loop adds anything. Sets of locals are bits of a bigint.
//
// Source: the classical backward data-flow analysis of live variables, as in Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.2.5.

import { chainOf, localsOfHeld } from '../2-check/typed-tree.ts';
import type { CheckedFunction, Expression, GetHeld, If, LocalId, Loop, LoopId, SetHeld, Statement, Try } from '../2-check/typed-tree.ts';
import { operandsOf } from './operands.ts';

type LocalSet = bigint;

const none: LocalSet = 0n;

/** The locals that are live at the beginning of each turn of each loop, in order. */
export function findLiveLocals(fn: CheckedFunction): ReadonlyMap<LoopId, readonly LocalId[]> {
  const walk = new Walk(fn.locals.length);
  walk.untilSettled(fn.body);
  return new Map([...walk.atTurns].map(([loop, set]) => [loop, fn.locals.flatMap((_, local) => ((set >> BigInt(local)) & 1n) === 1n ? [local] : [])]));
}

interface Targets {
  readonly id: LoopId;
  readonly atBreak: LocalSet;
  readonly atContinue: LocalSet;
}

class Walk {
  readonly atTurns = new Map<LoopId, LocalSet>();
  readonly #bits: readonly LocalSet[];
  readonly #loops: Targets[] = [];
  /** What the clauses around want: any statement may fail. */
  #atFailure = none;
  #hasGrown = false;

  constructor(locals: number) {
    this.#bits = Array.from({ length: locals }, (_, local) => 1n << BigInt(local));
  }

  untilSettled(body: readonly Statement[]): void {
    do {
      this.#hasGrown = false;
      this.#beforeAll(body, none);
    } while (this.#hasGrown);
  }

  #beforeAll(statements: readonly Statement[], after: LocalSet): LocalSet {
    return statements.reduceRight((live, statement) => this.#before(statement, live), after);
  }

  #before(node: Statement, after: LocalSet): LocalSet {
    switch (node.kind) {
      case 'set-local':
        return this.#using(node.value, (after & ~this.#bits[node.local]!) | this.#atFailure);
      case 'call-part':
        return this.#bitsOf(node.part.inputs) | (after & ~this.#bitsOf(node.part.outputs)) | this.#atFailure;
      case 'hand-back':
        return after | this.#bitsOf(node.locals);
      case 'hold-array':
        return this.#using(node.array, after & ~this.#bitsOf(localsOfHeld(node)));
      case 'set-held':
        return this.#usingHeld(node, this.#usingAll([node.index, node.value], after | this.#atFailure));
      case 'set-global':
      case 'throw':
      case 'evaluate':
      case 'yield':
      case 'set-field':
      case 'set-element':
      case 'set-member':
      case 'set-item':
      case 'use':
        return this.#usingAll(operandsOf(node), (node.kind === 'throw' ? none : after) | this.#atFailure);
      case 'return':
      case 'finish':
        return node.value === null ? this.#atFailure : this.#using(node.value, this.#atFailure);
      case 'break':
      case 'continue': {
        const target = this.#loops.findLast(({ id }) => id === node.loop)!;
        return node.kind === 'break' ? target.atBreak : target.atContinue;
      }
      case 'if':
        return this.#beforeIf(node, after);
      case 'block':
        return this.#beforeAll(node.statements, after);
      case 'loop':
        return this.#beforeLoop(node, after);
      case 'try':
        return this.#beforeTry(node, after);
    }
  }

  /** A long chain of `else if` nests as deep as it is long, so it is walked in a loop. */
  #beforeIf(node: If, after: LocalSet): LocalSet {
    const chain = chainOf(node);
    return chain.reduceRight(
      (otherwise, { condition, then }) => this.#using(condition, this.#beforeAll(then, after) | otherwise),
      this.#beforeAll(chain.at(-1)!.otherwise, after),
    );
  }

  #beforeLoop(node: Loop, after: LocalSet): LocalSet {
    const known = this.atTurns.get(node.id) ?? none;
    const test = (next: LocalSet): LocalSet => (node.condition === null ? next : this.#using(node.condition, next | after));
    const afterStep = node.testFirst ? known : test(known);
    const afterBody = this.#beforeAll(node.step, afterStep);
    this.#loops.push({ id: node.id, atBreak: after, atContinue: afterBody });
    const beforeBody = this.#beforeAll(node.body, afterBody);
    this.#loops.pop();
    // The limit that is counted to may be another expression than that of the condition.
    const limit = node.counted === undefined ? none : this.#using(node.counted.limit, none);
    const atTurn = (node.testFirst ? test(beforeBody) : beforeBody) | limit | known;
    if (atTurn !== known) this.#hasGrown = true;
    this.atTurns.set(node.id, atTurn);
    return atTurn;
  }

  #beforeTry(node: Try, after: LocalSet): LocalSet {
    const clauses = node.clauses.reduce((live, clause) => live | (this.#beforeAll(clause.body, after) & ~this.#bits[clause.local]!), none);
    const outside = this.#atFailure;
    this.#atFailure |= clauses;
    const before = this.#beforeAll(node.body, after) | this.#atFailure;
    this.#atFailure = outside;
    return before;
  }

  #usingAll(nodes: readonly Expression[], after: LocalSet): LocalSet {
    return nodes.reduceRight((live, node) => this.#using(node, live), after);
  }

  #bitsOf(locals: readonly LocalId[]): LocalSet {
    return locals.reduce((set, local) => set | this.#bits[local]!, none);
  }

  /** The array itself is read where a check fails. */
  #usingHeld({ held, checked }: GetHeld | SetHeld, after: LocalSet): LocalSet {
    if (!checked) return after | this.#bits[held.elements]!;
    return this.#using(held.array, after | this.#bitsOf(localsOfHeld(held)));
  }

  /** What is live before an expression. Sums of many terms nest to the left, so that spine is walked in a loop. */
  #using(node: Expression, after: LocalSet): LocalSet {
    let live = after;
    let first = node;
    while (first.kind === 'operate' || first.kind === 'logical') {
      live = first.kind === 'operate' ? this.#usingAll(first.operands.slice(1), live) : this.#using(first.right, live) | live;
      first = first.kind === 'operate' ? first.operands[0]! : first.left;
    }
    switch (first.kind) {
      case 'get-local':
        return live | this.#bits[first.local]!;
      case 'get-held':
        return this.#usingHeld(first, this.#using(first.index, live));
      case 'conditional':
        return this.#using(first.condition, this.#using(first.then, live) | this.#using(first.otherwise, live));
      case 'sequence':
        return this.#beforeAll(first.statements, this.#using(first.value, live));
      default:
        return this.#usingAll(operandsOf(first), live);
    }
  }
}
