// Which locals hold a value that is still wanted where a loop begins a turn: a walk backwards through the statements,
// again and again until no loop adds anything. Sets of locals are bits of a bigint.
//
// Source: the classical backward data-flow analysis of live variables, as in Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.2.5.

import { chainOf, localsOfHeld } from '../../2-check/typed-tree.ts';
import type {
  CheckedFunction,
  Expression,
  GetHeld,
  If,
  LocalId,
  Loop,
  LoopId,
  SetHeld,
  Statement,
  Try,
} from '../../2-check/typed-tree.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';

type LocalSet = bigint;

const none: LocalSet = 0n;

/** The locals that are live at the beginning of each turn of each loop, in order. */
export function findLiveLocals(fn: CheckedFunction): ReadonlyMap<LoopId, readonly LocalId[]> {
  const used = usedLocals(fn.body);
  const walk = new Walk(used);
  walk.untilSettled(fn.body);
  return new Map(
    [...walk.atTurns].map(([loop, set]) => [loop, used.filter((_, bit) => ((set >> BigInt(bit)) & 1n) === 1n)]),
  );
}

/** The locals that occur in the statements, in order: those of other parts of a large function take no bits. */
function usedLocals(body: readonly Statement[]): readonly LocalId[] {
  const used = new Set<LocalId>();
  const add = (locals: readonly LocalId[]): void => locals.forEach((local) => used.add(local));
  visitAll(body, (node) => {
    switch (node.kind) {
      case 'get-local':
      case 'set-local':
        used.add(node.local);
        return;
      case 'hold-array':
        return add(localsOfHeld(node));
      case 'get-held':
      case 'set-held':
        return add(localsOfHeld(node.held));
      case 'call-part':
        return add([...node.part.inputs, ...node.part.outputs]);
      case 'hand-back':
        return add(node.locals);
      case 'try':
        return add(node.clauses.map(({ local }) => local));
      case 'loop':
        // The limit that is counted to may be another expression than that of the condition.
        if (node.counted !== undefined)
          visitAll([node.counted.limit], (part) => void (part.kind === 'get-local' && used.add(part.local)));
        return add([...(node.part?.inputs ?? []), ...(node.part?.outputs ?? [])]);
      default:
        return;
    }
  });
  return [...used].toSorted((a, b) => a - b);
}

interface Targets {
  readonly id: LoopId;
  readonly atBreak: LocalSet;
  readonly atContinue: LocalSet;
}

class Walk {
  readonly atTurns = new Map<LoopId, LocalSet>();
  readonly #bits: ReadonlyMap<LocalId, LocalSet>;
  readonly #loops: Targets[] = [];
  /** What the clauses around want: any statement may fail. */
  #atFailure = none;
  #hasGrown = false;

  constructor(locals: readonly LocalId[]) {
    this.#bits = new Map(locals.map((local, bit) => [local, 1n << BigInt(bit)]));
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
        return this.#using(node.value, (after & ~this.#bits.get(node.local)!) | this.#atFailure);
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
    const test = (next: LocalSet): LocalSet =>
      node.condition === null ? next : this.#using(node.condition, next | after);
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
    const clauses = node.clauses.reduce(
      (live, clause) => live | (this.#beforeAll(clause.body, after) & ~this.#bits.get(clause.local)!),
      none,
    );
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
    return locals.reduce((set, local) => set | this.#bits.get(local)!, none);
  }

  /** The array itself is read where a check fails. */
  #usingHeld({ held, checked }: GetHeld | SetHeld, after: LocalSet): LocalSet {
    if (!checked) return after | this.#bits.get(held.elements)!;
    return this.#using(held.array, after | this.#bitsOf(localsOfHeld(held)));
  }

  /** What is live before an expression. Sums of many terms nest to the left, so that spine is walked in a loop. */
  #using(node: Expression, after: LocalSet): LocalSet {
    let live = after;
    let first = node;
    while (first.kind === 'operate' || first.kind === 'logical') {
      live =
        first.kind === 'operate'
          ? this.#usingAll(first.operands.slice(1), live)
          : this.#using(first.right, live) | live;
      first = first.kind === 'operate' ? first.operands[0]! : first.left;
    }
    switch (first.kind) {
      case 'get-local':
        return live | this.#bits.get(first.local)!;
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
