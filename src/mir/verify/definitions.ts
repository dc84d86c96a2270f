// Definitions before uses: every local but the parameters is set on every path to where it is read. The engine would
// read zero or null there, which nobody meant: the language has no variable without a first value.
//
// A walk forwards in the order of evaluation. Where a function is entered again inside a loop, only the spilled locals
// are set, so the walk also finds what liveness forgot.
//
// Source: definite assignment, as in Gosling, Joy, Steele, "The Java Language Specification", chapter 16.

import { isStrict } from '../kinds.ts';
import { localsRead, localsSet, shownName } from '../locals.ts';
import { isEndless } from '../reachability.ts';
import { liveOutsOf } from '../re-entry.ts';
import type { Expression, If, LocalId, Loop, LoopId, OutlinedLoop, Statement, Try } from '../mir.ts';
import type { Node } from '../children.ts';
import { operandsOf, visitAll } from '../children.ts';
import type { FunctionVerifier } from './function-verifier.ts';

/** The locals that are set, as bits; null where control never arrives. */
type Known = bigint | null;

export function verifyDefinitions(v: FunctionVerifier): void {
  const { fn } = v;
  const walk = new Walk(v);
  for (const { local, initialiser } of fn.parameters) {
    if (initialiser !== null) walk.expression(initialiser);
    walk.set(local);
  }
  walk.beginBody();
  walk.statements(fn.body);
  if (fn.returns.kind !== 'void' && liveOutsOf(fn) === null && walk.reachesEnd)
    v.fault(null, 'it ends without a value');
}

interface Targets {
  readonly id: LoopId;
  atBreak: Known;
  atContinue: Known;
}

class Walk {
  readonly #v: FunctionVerifier;
  readonly #loops: Targets[] = [];
  readonly #reported = new Set<LocalId>();
  /** Of the clauses around: the least that is known in the body of each try. */
  readonly #atFailure: Known[] = [];
  /** What an outlined loop knows when it is called again; null in other functions. */
  #parameters: Known = null;
  /** Whether the function says where it is left for want of fuel. */
  #isMetered = false;
  #known: Known = 0n;

  constructor(v: FunctionVerifier) {
    this.#v = v;
  }

  get reachesEnd(): boolean {
    return this.#known !== null;
  }

  beginBody(): void {
    const { fn } = this.#v;
    if (liveOutsOf(fn) === null) return;
    this.#parameters = this.#known;
    visitAll(fn.body, (node) => {
      this.#isMetered ||= node.kind === 'return-live-outs' && node.hasMore;
    });
  }

  set(local: LocalId): void {
    if (this.#known !== null) this.#known |= bitOf(local);
  }

  #setAll(locals: readonly LocalId[]): void {
    for (const local of locals) this.set(local);
  }

  #read(node: Node, local: LocalId): void {
    if (this.#known === null || (this.#known & bitOf(local)) !== 0n || this.#reported.has(local)) return;
    this.#reported.add(local);
    this.#v.fault(
      node,
      `local ${local}, ${shownName(this.#v.fn.locals[local]!)}, is read and not set on every way here`,
    );
  }

  #readAll(node: Node, locals: readonly LocalId[]): void {
    for (const local of locals) this.#read(node, local);
  }

  /** From here on no more than these are known. */
  #keep(locals: Known): void {
    if (this.#known === null || locals === null) return;
    this.#known &= locals;
    this.#atFailure.forEach((known, index) => (this.#atFailure[index] = both(known, this.#known)));
  }

  statements(nodes: readonly Statement[]): void {
    for (const node of nodes) this.#statement(node);
  }

  #statement(node: Statement): void {
    switch (node.kind) {
      case 'set-local':
        this.expression(node.value);
        return this.set(node.local);
      case 'set-hoisted':
        this.#expressions([...(node.checked ? [node.hoisted.array] : []), node.index, node.value]);
        return this.#readAll(node, localsRead(node));
      case 'set-range':
        this.#expressions(operandsOf(node));
        return this.#readAll(node, localsRead(node));
      case 'append-text':
        this.#readAll(node, localsRead(node));
        return this.#expressions(operandsOf(node));
      case 'hoist-array':
        this.expression(node.array);
        return this.#setAll(localsSet(node));
      case 'set-global':
      case 'set-field':
      case 'set-element':
      case 'set-member':
      case 'set-item':
      case 'store':
      case 'copy-elements':
      case 'charge':
      case 'poll':
      case 'count':
      case 'attribute':
      case 'evaluate':
      case 'yield':
        return this.#expressions(operandsOf(node));
      case 'throw':
        this.expression(node.message);
        return this.#leave();
      case 'return':
      case 'finish':
        if (node.value !== null) this.expression(node.value);
        return this.#leave();
      case 'break':
      case 'continue':
        return this.#jump(node);
      case 'if':
        return this.#if(node);
      case 'loop':
        return this.#loop(node);
      case 'try':
        return this.#try(node);
      case 'call-outlined':
        return this.#outlined(node, node.outlined);
      case 'return-live-outs':
      case 'osr-exit':
        this.#readAll(node, localsRead(node));
        return this.#leave();
      case 'block':
        return this.statements(node.statements);
    }
  }

  #leave(): void {
    this.#known = null;
  }

  #jump({ kind, loop }: Statement & { readonly kind: 'break' | 'continue' }): void {
    const target = this.#loops.findLast(({ id }) => id === loop)!;
    if (kind === 'break') target.atBreak = both(target.atBreak, this.#known);
    else target.atContinue = both(target.atContinue, this.#known);
    this.#leave();
  }

  #if(node: If): void {
    let end: Known = null;
    for (const { condition, then } of node.arms) {
      this.expression(condition);
      const before = this.#known;
      this.statements(then);
      end = both(end, this.#known);
      this.#known = before;
    }
    this.statements(node.otherwise);
    this.#known = both(end, this.#known);
  }

  /** Again with less where an iteration ends with less than it began with, as it can where the function is left. */
  #loop(node: Loop): void {
    if (node.osr !== undefined) {
      this.#readAll(node, node.osr.live);
      this.#keep(node.osr.live.reduce((set, local) => set | bitOf(local), 0n));
    } else if (this.#isLeft(node)) this.#keep(this.#parameters);
    for (let begin = this.#known; ; begin = both(begin, this.#known)) {
      this.#known = begin;
      const { atEnd, after } = this.#iteration(node);
      this.#known = atEnd;
      if (both(begin, atEnd) !== begin) continue;
      this.#known = after;
      return;
    }
  }

  /** Whether an outlined loop is left in this one: where fuel is charged by a return, before that by any that is not short. */
  #isLeft(node: Loop): boolean {
    return this.#isMetered ? leavesAtStep(node) : node.isShort !== true && node.outlined === undefined;
  }

  #iteration(node: Loop): { readonly atEnd: Known; readonly after: Known } {
    const { id, condition, testFirst, counted, outlined } = node;
    const targets: Targets = { id, atBreak: null, atContinue: null };
    let atTest: Known = null;
    const test = (): void => {
      if (condition !== null) this.expression(condition);
      if (counted !== undefined) this.#expressions([counted.limit, counted.step]);
      if (!isEndless(node)) atTest = this.#known;
    };
    if (testFirst) test();
    this.#loops.push(targets);
    this.statements(node.body);
    this.#known = both(this.#known, targets.atContinue);
    this.statements(node.step);
    this.#loops.pop();
    if (!testFirst) test();
    const atEnd = this.#known;
    let after = both(atTest, targets.atBreak);
    if (outlined !== undefined && atEnd !== null) {
      // A local that the loop sets and its function does not return is out of date behind the call of that function.
      this.#outlined(node, outlined);
      // Control never arrives behind a loop that never ends, even if an outlined function continues it.
      if (after !== null) after = both(after, this.#known! & ~staleIn(node, outlined));
    }
    return { atEnd, after };
  }

  #outlined(node: Node, { inputs, outputs }: OutlinedLoop): void {
    this.#readAll(node, inputs);
    this.#setAll(outputs);
  }

  #try(node: Try): void {
    this.#atFailure.push(this.#known);
    this.statements(node.body);
    let end = this.#known;
    const failed = this.#atFailure.pop()!;
    for (const { local, body } of node.clauses) {
      this.#known = failed;
      this.set(local);
      this.statements(body);
      end = both(end, this.#known);
    }
    this.#known = end;
  }

  #expressions(nodes: readonly Expression[]): void {
    for (const node of nodes) this.expression(node);
  }

  expression(node: Expression): void {
    if (isStrict(node)) return this.#expressions(operandsOf(node));
    switch (node.kind) {
      case 'get-local':
        return this.#read(node, node.local);
      case 'built-text':
      case 'built-length':
        this.#readAll(node, localsRead(node));
        return this.#expressions(operandsOf(node));
      case 'get-hoisted':
        this.#expressions(operandsOf(node));
        return this.#readAll(node, localsRead(node));
      case 'logical': {
        const [first, ...others] = node.operands;
        this.expression(first!);
        // How far it comes is not known.
        const after = this.#known;
        this.#expressions(others);
        this.#known = after;
        return;
      }
      case 'conditional': {
        this.expression(node.condition);
        const before = this.#known;
        this.expression(node.then);
        const then = this.#known;
        this.#known = before;
        this.expression(node.otherwise);
        this.#known = both(then, this.#known);
        return;
      }
      case 'sequence':
        this.statements(node.statements);
        return this.expression(node.value);
    }
  }
}

function bitOf(local: LocalId): bigint {
  return 1n << BigInt(local);
}

function both(one: Known, other: Known): Known {
  if (one === null || other === null) return one ?? other;
  return one & other;
}

/** Whether a loop returns between two of its iterations, to be called again. */
function leavesAtStep({ step }: Loop): boolean {
  const leaves = (node: Statement): boolean => node.kind === 'return-live-outs' && node.hasMore;
  return step.some((node) => leaves(node) || (node.kind === 'if' && node.arms.some(({ then }) => then.some(leaves))));
}

/** The locals that a loop sets and its outlined form does not give back. */
function staleIn(loop: Loop, { outputs }: OutlinedLoop): bigint {
  let set = 0n;
  visitAll([...loop.body, ...loop.step], (node) => {
    for (const local of localsSet(node)) set |= bitOf(local);
  });
  return outputs.reduce((stale, local) => stale & ~bitOf(local), set);
}
