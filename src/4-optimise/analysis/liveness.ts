// Which locals are live where a loop begins an iteration, and behind it: a backward walk through the statements,
// repeated until no loop adds a local. Sets of locals are bits of a bigint.
//
// Source: the classical backward data-flow analysis of live variables, as in Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.2.5; for dead stores strongly live variables, as in Nielson, Nielson, Hankin, "Principles of Program
// Analysis", exercise 2.4.

import { isJump, isSimple, isStrict } from '../../mir/kinds.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, GetHoisted, If, LocalId, Loop, LoopId, SetHoisted, Statement, Try } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';

type LocalSet = bigint;

const none: LocalSet = 0n;

/** The locals that are live at the beginning of each iteration of each loop, in order. */
export function findLiveLocals(fn: MirFunction): ReadonlyMap<LoopId, readonly LocalId[]> {
  return new Map([...findLoopLiveness(fn)].map(([loop, { atIteration }]) => [loop, atIteration]));
}

/** The locals that are live at the beginning of each iteration of a loop, and behind it or where it fails, in order. */
export interface LoopLiveness {
  readonly atIteration: readonly LocalId[];
  readonly behind: readonly LocalId[];
}

/** The liveness of each loop of a function. */
export function findLoopLiveness(fn: MirFunction): ReadonlyMap<LoopId, LoopLiveness> {
  const used = usedLocals(fn.body);
  const walk = new Walk(used);
  walk.untilSettled(fn.body);
  const toLocals = (set: LocalSet): readonly LocalId[] => used.filter((_, bit) => ((set >> BigInt(bit)) & 1n) === 1n);
  return new Map(
    [...walk.atIterations].map(([loop, set]) => [
      loop,
      { atIteration: toLocals(set), behind: toLocals(walk.behindLoops.get(loop)!) },
    ]),
  );
}

/**
 * The dead stores among those that may be dropped: settings of locals that nothing reads, neither the statements that
 * follow nor a clause after a failure. What only a dead store reads is dead as well.
 */
export function findDeadStores(fn: MirFunction, mayDrop: (node: SetLocal) => boolean): ReadonlySet<Statement> {
  const walk = new Walk(usedLocals(fn.body), mayDrop);
  walk.untilSettled(fn.body);
  return walk.deadStores;
}

/** The locals that occur in the statements, in order: those of other parts of a large function take no bits. */
function usedLocals(body: readonly Statement[]): readonly LocalId[] {
  const used = new Set<LocalId>();
  const note = (node: Node): void => {
    for (const local of localsRead(node)) used.add(local);
    for (const local of localsSet(node)) used.add(local);
    // The limit that is counted to may be another expression than that of the condition.
    if (node.kind === 'loop' && node.counted !== undefined) visitAll([node.counted.limit], note);
  };
  visitAll(body, note);
  return [...used].toSorted((a, b) => a - b);
}

type SetLocal = Statement & { readonly kind: 'set-local' };

interface Targets {
  readonly id: LoopId;
  readonly atBreak: LocalSet;
  readonly atContinue: LocalSet;
}

class Walk {
  readonly atIterations = new Map<LoopId, LocalSet>();
  readonly behindLoops = new Map<LoopId, LocalSet>();
  readonly deadStores = new Set<Statement>();
  readonly #bits: ReadonlyMap<LocalId, LocalSet>;
  readonly #mayDrop: (node: SetLocal) => boolean;
  readonly #loops: Targets[] = [];
  /** The locals that are live in the clauses around, since any statement may fail. */
  #atFailure = none;
  #hasGrown = false;

  constructor(locals: readonly LocalId[], mayDrop: (node: SetLocal) => boolean = () => false) {
    this.#mayDrop = mayDrop;
    this.#bits = new Map(locals.map((local, bit) => [local, 1n << BigInt(bit)]));
  }

  untilSettled(body: readonly Statement[]): void {
    do {
      this.#hasGrown = false;
      this.deadStores.clear();
      this.#beforeAll(body, none);
    } while (this.#hasGrown);
  }

  #beforeAll(statements: readonly Statement[], after: LocalSet): LocalSet {
    let live = after;
    for (let at = statements.length - 1; at >= 0; at--) live = this.#before(statements[at]!, live);
    return live;
  }

  #before(node: Statement, after: LocalSet): LocalSet {
    if (isSimple(node)) {
      const behind = (isJump(node) ? none : after) | this.#bitsOf(localsRead(node)) | this.#atFailure;
      return this.#usingAll(operandsOf(node), behind);
    }
    switch (node.kind) {
      case 'set-local': {
        const bit = this.#bits.get(node.local)!;
        if (((after | this.#atFailure) & bit) === none && this.#mayDrop(node)) {
          this.deadStores.add(node);
          return after | this.#atFailure;
        }
        return this.#using(node.value, (after & ~bit) | this.#atFailure);
      }
      case 'call-outlined':
        return this.#bitsOf(localsRead(node)) | (after & ~this.#bitsOf(localsSet(node))) | this.#atFailure;
      case 'return-live-outs':
      case 'osr-exit':
        return this.#bitsOf(localsRead(node)) | this.#atFailure;
      case 'hoist-array':
        return this.#using(node.array, after & ~this.#bitsOf(localsSet(node)));
      case 'set-hoisted':
        return this.#usingHoisted(node, this.#usingAll([node.index, node.value], after | this.#atFailure));
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

  #beforeIf(node: If, after: LocalSet): LocalSet {
    return node.arms.reduceRight(
      (otherwise, { condition, then }) => this.#using(condition, this.#beforeAll(then, after) | otherwise),
      this.#beforeAll(node.otherwise, after),
    );
  }

  #beforeLoop(node: Loop, after: LocalSet): LocalSet {
    this.behindLoops.set(node.id, after | this.#atFailure);
    // What is live behind a loop that tests first is live in it too: with that a walk settles all but what loops further
    // inside wait for.
    const known = (this.atIterations.get(node.id) ?? none) | (node.testFirst && node.condition !== null ? after : none);
    const test = (next: LocalSet): LocalSet =>
      node.condition === null ? next : this.#using(node.condition, next | after);
    const afterStep = node.testFirst ? known : test(known);
    // Nothing in the step goes on with the step.
    this.#loops.push({ id: node.id, atBreak: after, atContinue: none });
    const afterBody = this.#beforeAll(node.step, afterStep);
    this.#loops.pop();
    this.#loops.push({ id: node.id, atBreak: after, atContinue: afterBody });
    const beforeBody = this.#beforeAll(node.body, afterBody);
    this.#loops.pop();
    // The limit that is counted to may be another expression than that of the condition.
    const limit = node.counted === undefined ? none : this.#using(node.counted.limit, none);
    // What a function that goes on with the loop is given, though it may only give it back.
    const given = this.#bitsOf(localsRead(node));
    const atIteration = (node.testFirst ? test(beforeBody) : beforeBody) | limit | given | known;
    if (atIteration !== known) this.#hasGrown = true;
    this.atIterations.set(node.id, atIteration);
    return atIteration;
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
    let live = after;
    for (let at = nodes.length - 1; at >= 0; at--) live = this.#using(nodes[at]!, live);
    return live;
  }

  #bitsOf(locals: readonly LocalId[]): LocalSet {
    let set = none;
    for (const local of locals) set |= this.#bits.get(local)!;
    return set;
  }

  /** The array itself is read where a check fails. */
  #usingHoisted(node: GetHoisted | SetHoisted, after: LocalSet): LocalSet {
    const live = after | this.#bitsOf(localsRead(node));
    return node.checked ? this.#using(node.hoisted.array, live) : live;
  }

  /** What is live before an expression. */
  #using(node: Expression, live: LocalSet): LocalSet {
    if (isStrict(node)) return this.#usingAll(operandsOf(node), live);
    switch (node.kind) {
      case 'get-local':
        return live | this.#bits.get(node.local)!;
      case 'built-text':
        return live | this.#bitsOf(localsRead(node));
      case 'built-length':
        return this.#using(node.ofString, live | this.#bitsOf(localsRead(node)));
      case 'get-hoisted':
        return this.#usingHoisted(node, this.#using(node.index, live));
      case 'logical':
        return node.operands.reduceRight((next, operand) => this.#using(operand, next | live), live);
      case 'conditional':
        return this.#using(node.condition, this.#using(node.then, live) | this.#using(node.otherwise, live));
      case 'sequence':
        return this.#beforeAll(node.statements, this.#using(node.value, live));
    }
  }
}
