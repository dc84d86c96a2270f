// One function being verified: what it may name, the loops and tests around the place that is looked at, and the faults
// that were found. The dispatch is a parameter, so that the files of the topics need not import each other.

import type { Expression, FunctionId, LocalId, LoopId, Statement } from '../mir.ts';
import type { MirFunction, MirProgram } from '../program.ts';
import type { Node } from '../children.ts';
import { printNode } from '../print.ts';
import { formatType, invalidType, sameType, typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';

export interface Gate {
  readonly expression: (verifier: FunctionVerifier, node: Expression) => void;
  readonly statements: (verifier: FunctionVerifier, nodes: readonly Statement[]) => void;
}

/** What is known where a condition is true. */
export interface Guard {
  /** Locals that hold a length or raw elements, with which an index was compared. */
  readonly locals: ReadonlySet<LocalId>;
  /** An index was compared with the length of an array itself. */
  readonly isLength: boolean;
}

/** Whether all calls of an outlined loop stand behind a comparison of an index. */
export type KnownAtCalls = Map<FunctionId, boolean>;

/** The text of a node is cut at this length. */
const longestText = 160;

/**
 * Nodes nest no deeper than this. Deeper ones would exhaust the stack of an ordinary thread in walks that recurse.
 * Lowering cuts chains, so programs of people stay far below.
 */
const deepestMir = 1100;

export class FunctionVerifier {
  readonly program: MirProgram;
  readonly fn: MirFunction;
  /** Whether fuel is counted, as far as is known. */
  readonly countsFuel: boolean;
  readonly faults: string[] = [];
  /** Of the loops that were met. */
  readonly loopIds = new Set<LoopId>();
  readonly #gate: Gate;
  readonly #loops: { readonly id: LoopId; readonly part: 'body' | 'step' }[] = [];
  readonly #guards: Guard[] = [];
  /** What is known where outlined loops are called. */
  readonly #known: KnownAtCalls;
  #depth = 0;
  #isTooDeep = false;

  constructor(program: MirProgram, fn: MirFunction, countsFuel: boolean, known: KnownAtCalls, gate: Gate) {
    this.program = program;
    this.fn = fn;
    this.countsFuel = countsFuel;
    this.#known = known;
    this.#gate = gate;
  }

  /** Whether the program has a counter of this number. */
  counts(counter: number): boolean {
    return Number.isInteger(counter) && counter >= 0 && counter < (this.program.counters ?? 0);
  }

  get isEntry(): boolean {
    return this.fn === this.program.entry;
  }

  /** `node` is null where the function itself is meant. */
  fault(node: Node | null, what: string): void {
    const { id, name } = this.fn;
    const where = node === null ? '' : `: ${shorten(printNode(this.fn, node))}`;
    this.faults.push(`${name === '' ? id : name}: ${what}${where}`);
  }

  expression(node: Expression): void {
    this.#nested(node, () => this.#gate.expression(this, node));
  }

  statements(nodes: readonly Statement[]): void {
    this.#gate.statements(this, nodes);
  }

  /** What is in a statement, a level deeper. */
  inside(node: Statement, verify: () => void): void {
    this.#nested(node, verify);
  }

  #nested(node: Node, verify: () => void): void {
    this.#depth += 1;
    if (this.#depth <= deepestMir) verify();
    else if (!this.#isTooDeep) {
      this.#isTooDeep = true;
      this.fault(null, `it nests more than ${deepestMir} levels deep, down to ${node.kind}`);
    }
    this.#depth -= 1;
  }

  /** The body of a loop, which a jump may leave, or its step, which a break may. */
  inLoop(id: LoopId, part: 'body' | 'step', verify: () => void): void {
    this.#loops.push({ id, part });
    verify();
    this.#loops.pop();
  }

  isInLoop({ kind, loop }: Statement & { readonly kind: 'break' | 'continue' }): boolean {
    return this.#loops.some(({ id, part }) => id === loop && (kind === 'break' || part === 'body'));
  }

  /** What runs only where a condition holds. */
  behind(guard: Guard, verify: () => void): void {
    this.#guards.push(guard);
    verify();
    this.#guards.pop();
  }

  isBehind(test: (guard: Guard) => boolean): boolean {
    return this.#guards.some(test) || this.#known.get(this.fn.id) === true;
  }

  /** An outlined loop is called here: what was compared in front is compared for it, under whatever name it has there. */
  noteCall(id: FunctionId): void {
    const isBehindAny = this.isBehind(({ locals, isLength }) => isLength || locals.size > 0);
    this.#known.set(id, isBehindAny && this.#known.get(id) !== false);
  }

  /** Null, and a fault, where there is no such local. */
  localType(node: Node | null, local: LocalId): Type | null {
    const found = this.fn.locals[local];
    if (found === undefined) this.fault(node, `there is no local ${local}`);
    return found?.type ?? null;
  }

  /** A local that must be of a type. */
  holds(node: Node, what: string, local: LocalId, type: Type): void {
    const found = this.localType(node, local);
    if (found !== null && !isSame(found, type)) this.#mismatch(node, what, found, type);
  }

  /** A value that must be of a type. */
  takes(node: Node, what: string, value: Expression, type: Type): void {
    if (!isSame(value.type, type)) this.#mismatch(node, what, value.type, type);
  }

  /** A value that must be one of any type. */
  takesAny(node: Node, what: string, value: Expression): void {
    if (value.type.kind === 'void') this.fault(node, `${what} is void`);
  }

  /** The type that a node says it is of. */
  is(node: Expression, type: Type): void {
    if (!isSame(node.type, type)) this.#mismatch(node, 'the node', node.type, type);
  }

  #mismatch(node: Node, what: string, found: Type, wanted: Type): void {
    this.fault(node, `${what} is of the type ${formatType(found)}, not ${formatType(wanted)}`);
  }
}

function shorten(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/**
 * As sameType, which takes all raw elements for the same, all vectors, and all arrays of ints, however these lie in
 * memory.
 */
export function isSame(a: Type, b: Type): boolean {
  const hasElements = (type: Type): type is Type & { readonly element: Type } =>
    type.kind === 'elements' || type.kind === 'vector';
  if (a.kind === 'vector' && b.kind === 'vector') return typeKey(a.element) === typeKey(b.element);
  if (a.kind === b.kind && hasElements(a) && hasElements(b)) return isSame(a.element, b.element);
  return a.kind === 'array' ? typeKey(a) === typeKey(b) : sameType(a, b);
}

/** What a function takes; where it names no local, it is told of itself. */
export function parameterTypes({ parameters, locals }: MirFunction): readonly Type[] {
  return parameters.map(({ local }) => locals[local]?.type ?? invalidType);
}
