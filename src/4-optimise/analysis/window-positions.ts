// Where an iteration of a loop reads texts of which it sees a window: each index as a variable's value at the beginning
// of the iteration, plus a constant between two bounds.
//
//   c = text[($value = at; at = ($value + 1); $value)]      text: at + 0..0, and at the end at + 1..1
//
// Source: symbolic evaluation of one iteration, as for induction variables in Wolfe, "Beyond induction variables", 1992.

import type { Expression, HoistedArray, HoistedWindow, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { operandsOf } from '../../mir/children.ts';
import { isJump, isSimple, isStrict } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';

/** What a variable held at the beginning of the iteration, with a constant from `least` to `most` added. */
export interface Position {
  readonly base: LocalId;
  readonly least: bigint;
  readonly most: bigint;
}

/** A text of which the loop sees a window. */
export type WindowedText = HoistedArray & { readonly window: HoistedWindow };

/** The reads of a text around one variable. */
export interface WindowReads extends Position {
  readonly text: WindowedText;
}

export interface WindowPositions {
  readonly reads: readonly WindowReads[];
  /** What the variables are at the end of each iteration. */
  readonly ends: ReadonlyMap<LocalId, Position>;
}

interface Value {
  readonly position: Position | null;
  /** What the variables are behind the expression. */
  readonly behind: State;
}

/** Further away than this nothing is followed. */
const farthest = 4096n;

/** The variables that an iteration has set so far; null for those of which nothing is known. */
type State = ReadonlyMap<LocalId, Position | null>;

/** Null where the loop reads no such text, or reads one at places that are not known. */
export function findWindowPositions(loop: Loop): WindowPositions | null {
  const walk = new Walk(loop);
  const reads = [...walk.reads.values()];
  if (!walk.isKnown || reads.length === 0) return null;
  const bases = new Set(reads.map(({ base }) => base));
  const ends = [...bases].flatMap((base) => {
    const end = walk.end === null ? null : positionOf(walk.end, base);
    return end !== null && end.base === base ? [[base, end] as const] : [];
  });
  return { reads, ends: new Map(ends) };
}

class Walk {
  /** False if an index is not followed, or a statement. */
  isKnown = true;
  readonly reads = new Map<string, WindowReads>();
  /** Null if each iteration leaves the loop. */
  readonly end: State | null;
  readonly #loop: Loop;
  #continued: State | null = null;

  constructor(loop: Loop) {
    this.#loop = loop;
    const { condition, testFirst, body, step } = loop;
    const tested = (state: State | null): State | null =>
      state === null || condition === null ? state : this.#value(condition, state).behind;
    const begun = testFirst ? tested(new Map()) : new Map<LocalId, Position | null>();
    const inside = this.#statements(body, begun);
    const stepped = this.#statements(step, join(inside, this.#continued));
    this.end = testFirst ? stepped : tested(stepped);
  }

  #statements(nodes: readonly Statement[], start: State | null): State | null {
    let state = start;
    for (const node of nodes) if (state !== null) state = this.#statement(node, state);
    return state;
  }

  #statement(node: Statement, state: State): State | null {
    if (isSimple(node)) {
      const behind = this.#all(operandsOf(node), state);
      return isJump(node) ? null : setIn(behind, localsSet(node), null);
    }
    switch (node.kind) {
      case 'set-local': {
        const { position, behind } = this.#value(node.value, state);
        return setIn(behind, [node.local], position);
      }
      case 'if':
        return this.#if(node, state);
      case 'block':
        return this.#statements(node.statements, state);
      case 'set-hoisted':
        return this.#all([node.index, node.value], state);
      case 'continue':
        if (node.loop === this.#loop.id) this.#continued = join(this.#continued, state);
        return null;
      case 'break':
        return null;
      case 'return':
      case 'finish':
        if (node.value !== null) this.#value(node.value, state);
        return null;
      case 'loop':
      case 'try':
      case 'hoist-array':
      case 'call-outlined':
      case 'return-live-outs':
      case 'osr-exit':
        return this.#giveUp();
    }
  }

  #if(node: Statement & { readonly kind: 'if' }, start: State): State | null {
    let [state, end]: [State, State | null] = [start, null];
    for (const { condition, then } of node.arms) {
      state = this.#value(condition, state).behind;
      end = join(end, this.#statements(then, state));
    }
    return join(end, this.#statements(node.otherwise, state));
  }

  #all(nodes: readonly Expression[], start: State): State {
    return nodes.reduce((state, node) => this.#value(node, state).behind, start);
  }

  /** What the expression is, and what the variables are behind it. */
  #value(node: Expression, state: State): Value {
    if (isStrict(node)) return this.#strict(node, state);
    switch (node.kind) {
      case 'get-local':
        return { position: positionOf(state, node.local), behind: state };
      case 'sequence': {
        const behind = this.#statements(node.statements, state);
        return behind === null ? { position: null, behind: state } : this.#value(node.value, behind);
      }
      case 'get-hoisted': {
        const { position, behind } = this.#value(node.index, state);
        const { hoisted, checked } = node;
        if (checked && hoisted.window !== null) this.#read({ ...hoisted, window: hoisted.window }, position);
        return { position: null, behind };
      }
      case 'conditional': {
        const begun = this.#value(node.condition, state).behind;
        const [then, otherwise] = [this.#value(node.then, begun), this.#value(node.otherwise, begun)];
        return { position: either(then.position, otherwise.position), behind: join(then.behind, otherwise.behind)! };
      }
      case 'logical': {
        let [behind, end]: [State, State | null] = [state, null];
        for (const operand of node.operands) {
          behind = this.#value(operand, behind).behind;
          end = join(end, behind);
        }
        return { position: null, behind: end! };
      }
      case 'built-text':
      case 'built-length':
        return { position: null, behind: this.#all(operandsOf(node), state) };
    }
  }

  #strict(node: Expression, state: State): Value {
    if (node.kind === 'operate' && (node.operator === '+(int,int)' || node.operator === '-(int,int)')) {
      const [left, right] = node.operands as readonly [Expression, Expression];
      if (right.kind === 'int') {
        const { position, behind } = this.#value(left, state);
        return { position: moved(position, node.operator === '+(int,int)' ? right.value : -right.value), behind };
      }
    }
    if (node.kind === 'select') {
      const then = this.#value(node.then, state);
      const otherwise = this.#value(node.otherwise, then.behind);
      const { behind } = this.#value(node.condition, otherwise.behind);
      return { position: either(then.position, otherwise.position), behind };
    }
    return { position: null, behind: this.#all(operandsOf(node), state) };
  }

  #read(text: WindowedText, position: Position | null): void {
    if (position === null) return void this.#giveUp();
    const key = `${text.elements} ${position.base}`;
    const known = this.reads.get(key);
    this.reads.set(key, { text, ...(known === undefined ? position : around(known, position)) });
  }

  #giveUp(): null {
    this.isKnown = false;
    return null;
  }
}

function setIn(state: State, locals: readonly LocalId[], position: Position | null): State {
  return locals.length === 0 ? state : new Map([...state, ...locals.map((local) => [local, position] as const)]);
}

function positionOf(state: State, local: LocalId): Position | null {
  return state.has(local) ? state.get(local)! : { base: local, least: 0n, most: 0n };
}

function moved(position: Position | null, by: bigint): Position | null {
  if (position === null) return null;
  const [least, most] = [position.least + by, position.most + by];
  return least < -farthest || most > farthest ? null : { base: position.base, least, most };
}

function join(one: State | null, other: State | null): State | null {
  if (one === null || other === null) return one ?? other;
  const locals = new Set([...one.keys(), ...other.keys()]);
  return new Map([...locals].map((local) => [local, either(positionOf(one, local), positionOf(other, local))]));
}

function either(one: Position | null, other: Position | null): Position | null {
  return one === null || other === null || one.base !== other.base ? null : around(one, other);
}

function around(one: Position, other: Position): Position {
  return {
    base: one.base,
    least: one.least < other.least ? one.least : other.least,
    most: one.most > other.most ? one.most : other.most,
  };
}
