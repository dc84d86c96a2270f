// Versions of the int locals of a function: of each read, which value it gives, as in e-SSA form but for the names. A
// set makes a version, a condition one for each branch, a loop one of what it sets, and so does what fails for others:
//
//   if (v > 255) v = 255;      v is clip(v0, > 255), then 255; behind that join(clip(v0, <= 255), 255)
//
// Source: Bodik, Gupta, Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand" (PLDI 2000); Campos, Rodrigues, de
// Assis Costa, Pereira, "Speed and Precision in Range Analysis" (SBLP 2012).

import { longestArrays } from '../../abi/values.ts';
import { operandsOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isJump, isStructured } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Type } from '../../language/types.ts';
import type { Expression, If, LocalId, Loop, LoopId, Statement, Try } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { mirrored, negated } from './intervals.ts';
import type { Comparison } from './intervals.ts';

/** What a local holds at a place. At any one time, the same version is the same value. */
export type Version = Base | Value | Clip | Within | Join | Phi;

/** Anything that it is ever set to. */
export interface Base {
  readonly kind: 'base';
  readonly local: LocalId;
}

interface Value {
  readonly kind: 'value';
  readonly local: LocalId;
  readonly value: Expression;
}

/** Of which a comparison holds, when a constant is added to it. */
export interface Clip {
  readonly kind: 'clip';
  readonly local: LocalId;
  readonly of: Version;
  readonly plus: bigint;
  readonly comparison: Comparison;
  /** As it was when it was compared. */
  readonly limit: Expression;
}

/** From `low` to `high`, both included. */
interface Within {
  readonly kind: 'within';
  readonly local: LocalId;
  readonly of: Version;
  readonly low: bigint;
  readonly high: bigint;
}

interface Join {
  readonly kind: 'join';
  readonly local: LocalId;
  readonly inputs: readonly Version[];
}

/** At the head of a loop that sets it. */
export interface Phi {
  readonly kind: 'phi';
  readonly local: LocalId;
  readonly entry: Version;
  /** What it has become at the end of an iteration; null where it is as it was, or no other iteration follows. */
  back: Version | null;
}

/** The versions of all reads that have one, and those at the heads of loops. */
export interface Versions {
  readonly reads: Map<Expression, Version | null>;
  readonly phis: Map<Loop, Phi[]>;
}

/** Adds the versions of a function. A read that stands in several places has none. */
export function findVersions(fn: MirFunction, versions: Versions): void {
  new VersionWalk(fn, versions).run();
}

/** The versions of the int locals; of other locals none. */
type State = (Version | undefined)[];

interface Branches {
  readonly holds: State | null;
  readonly fails: State | null;
}

class VersionWalk {
  readonly #fn: MirFunction;
  readonly #reads: Map<Expression, Version | null>;
  readonly #phis: Map<Loop, Phi[]>;
  /** The versions where the walk is; null where control never comes. */
  #state: State | null;
  readonly #breaks = new Map<LoopId, (State | null)[]>();
  readonly #continues = new Map<LoopId, (State | null)[]>();
  /** The int locals that are set, in the order of a walk, and from where to where those in a loop or a try are. */
  readonly #sets: LocalId[] = [];
  readonly #extents = new Map<Node, readonly [number, number]>();
  #isOutlined = false;

  constructor(fn: MirFunction, { reads, phis }: Versions) {
    this.#fn = fn;
    this.#reads = reads;
    this.#phis = phis;
    this.#state = fn.locals.map(({ type }, local) => (type.kind === 'int' ? { kind: 'base', local } : undefined));
  }

  run(): void {
    const { body, parameters } = this.#fn;
    this.#findSets(body);
    const unknown: readonly Node[] = parameters.flatMap(({ initialiser }) => initialiser ?? []);
    visitAll(this.#isOutlined ? [...body, ...unknown] : unknown, (node) => {
      if (node.kind === 'get-local') this.#reads.set(node, null);
    });
    if (!this.#isOutlined) this.#statements(body);
  }

  #findSets(nodes: readonly Node[]): void {
    for (const node of nodes) {
      const from = this.#sets.length;
      this.#findSets(partsOf(node));
      for (const local of localsSet(node)) if (this.#fn.locals[local]!.type.kind === 'int') this.#sets.push(local);
      if (node.kind === 'loop' || node.kind === 'try') this.#extents.set(node, [from, this.#sets.length]);
      // Another function sets them, at any iteration.
      if (node.kind === 'call-outlined' || (node.kind === 'loop' && node.outlined !== undefined))
        this.#isOutlined = true;
    }
  }

  #setsIn(node: Loop | Try): ReadonlySet<LocalId> {
    return new Set(this.#sets.slice(...this.#extents.get(node)!));
  }

  #statements(nodes: readonly Statement[]): void {
    for (const node of nodes) this.#statement(node);
  }

  #statement(node: Statement): void {
    if (this.#state === null) return;
    if (isStructured(node)) {
      if (node.kind === 'if') this.#if(node);
      else if (node.kind === 'loop') this.#loop(node);
      else if (node.kind === 'try') this.#try(node);
      else this.#statements(node.statements);
      return;
    }
    for (const part of partsOf(node)) this.#evaluate(part as Expression);
    if (node.kind === 'set-local') this.#set(node.local, node.value);
    else for (const local of localsSet(node)) this.#set(local, null);
    if (node.kind === 'set-element') this.#bound(node.index, longestOf(node.array.type) - 1);
    if (node.kind === 'break') listIn(this.#breaks, node.loop).push(this.#state);
    if (node.kind === 'continue') listIn(this.#continues, node.loop).push(this.#state);
    if (isJump(node)) this.#state = null;
  }

  #set(local: LocalId, value: Expression | null): void {
    if (this.#state?.[local] === undefined) return;
    const copied = value?.kind === 'get-local' ? this.#state[value.local] : undefined;
    this.#state[local] = copied ?? (value === null ? { kind: 'base', local } : { kind: 'value', local, value });
  }

  #if({ arms, otherwise }: If): void {
    const ends: (State | null)[] = [];
    for (const { condition, then } of arms) {
      const { holds, fails } = this.#test(condition);
      this.#state = holds;
      this.#statements(then);
      ends.push(this.#state);
      this.#state = fails;
    }
    this.#statements(otherwise);
    this.#state = joinStates([...ends, this.#state]);
  }

  #loop(node: Loop): void {
    const phis = this.#phisOf(node);
    const ends: (State | null)[] = [];
    const test = (): void => {
      if (node.condition === null) return;
      const { holds, fails } = this.#test(node.condition);
      ends.push(fails);
      this.#state = holds;
    };
    if (node.testFirst) test();
    this.#statements(node.body);
    this.#state = joinStates([this.#state, ...taken(this.#continues, node.id)]);
    this.#statements(node.step);
    if (!node.testFirst) test();
    for (const phi of phis) phi.back = this.#state === null ? null : besides(this.#state[phi.local]!, phi);
    this.#state = joinStates([...ends, ...taken(this.#breaks, node.id)]);
  }

  /** New versions of what the loop sets. */
  #phisOf(node: Loop): readonly Phi[] {
    const state = this.#state!;
    const phis = [...this.#setsIn(node)].map((local): Phi => ({
      kind: 'phi',
      local,
      entry: state[local]!,
      back: null,
    }));
    for (const phi of phis) state[phi.local] = phi;
    listIn(this.#phis, node).push(...phis);
    return phis;
  }

  /** Control comes to a clause from anywhere in the body. */
  #try(node: Try): void {
    const thrown = this.#state!.slice();
    for (const local of this.#setsIn(node)) thrown[local] = { kind: 'base', local };
    this.#statements(node.body);
    const ends = [this.#state];
    for (const { body } of node.clauses) {
      this.#state = thrown.slice();
      this.#statements(body);
      ends.push(this.#state);
    }
    this.#state = joinStates(ends);
  }

  #evaluate(node: Expression): void {
    if (this.#state === null) return;
    if (node.kind === 'get-local') this.#read(node, this.#state[node.local]);
    else if (node.kind === 'logical') this.#state = joinStates(Object.values(this.#test(node)));
    else if (node.kind === 'conditional') this.#conditional(node);
    else if (node.kind === 'select') this.#select(node);
    else {
      if (node.kind === 'sequence') this.#statements(node.statements);
      for (const operand of operandsOf(node)) this.#evaluate(operand);
      // They fail for others.
      if (node.kind === 'get-element') this.#bound(node.index, longestOf(node.array.type) - 1);
      if (node.kind === 'new-array') for (const length of node.lengths) this.#bound(length, longestOf(node.type));
    }
  }

  #read(node: Expression, version: Version | undefined): void {
    if (version !== undefined) this.#reads.set(node, this.#reads.has(node) ? null : version);
  }

  #conditional({ condition, then, otherwise }: Expression & { readonly kind: 'conditional' }): void {
    const { holds, fails } = this.#test(condition);
    this.#state = holds;
    this.#evaluate(then);
    const end = this.#state;
    this.#state = fails;
    this.#evaluate(otherwise);
    this.#state = joinStates([end, this.#state]);
  }

  /** Both values are read in front of the condition, but what is not chosen does not matter. */
  #select({ condition, then, otherwise }: Expression & { readonly kind: 'select' }): void {
    this.#evaluate(then);
    this.#evaluate(otherwise);
    const { holds, fails } = this.#test(condition);
    for (const [value, state] of [[then, holds] as const, [otherwise, fails] as const]) {
      const version = value.kind === 'get-local' ? state?.[value.local] : undefined;
      const read = this.#reads.get(value) ?? null;
      if (version !== undefined && read !== null && isPart(version, read)) this.#reads.set(value, version);
    }
    this.#state = joinStates([holds, fails]);
  }

  /** Evaluates a condition: the versions where it holds, and where it does not. */
  #test(node: Expression): Branches {
    if (this.#state !== null && node.kind === 'logical') return this.#testEach(node);
    if (node.kind === 'operate' && node.operator === '!(boolean)') {
      const { holds, fails } = this.#test(node.operands[0]!);
      return { holds: fails, fails: holds };
    }
    this.#evaluate(node);
    const state = this.#state;
    if (state === null) return { holds: null, fails: null };
    if (node.kind === 'boolean') return node.value ? { holds: state, fails: null } : { holds: null, fails: state };
    const fails = state.slice();
    const comparison = node.kind === 'operate' ? comparisons[node.operator] : undefined;
    if (comparison === undefined) return { holds: state, fails };
    const [left, right] = operandsOf(node) as [Expression, Expression];
    this.#clip(state, left, comparison, right);
    this.#clip(state, right, mirrored[comparison], left);
    this.#clip(fails, left, negated[comparison], right);
    this.#clip(fails, right, mirrored[negated[comparison]], left);
    return { holds: state, fails };
  }

  #testEach({ operator, operands }: Expression & { readonly kind: 'logical' }): Branches {
    const decided: (State | null)[] = [];
    for (const operand of operands) {
      const { holds, fails } = this.#test(operand);
      decided.push(operator === '&&' ? fails : holds);
      this.#state = operator === '&&' ? holds : fails;
    }
    const [every, some] = [this.#state, joinStates(decided)];
    return operator === '&&' ? { holds: every, fails: some } : { holds: some, fails: every };
  }

  #clip(state: State, node: Expression, comparison: Comparison, limit: Expression): void {
    const { local, plus } = sumOf(node);
    if (local === null) return;
    const of = this.#current(state, local);
    if (of !== null) state[local.local] = { kind: 'clip', local: local.local, of, plus, comparison, limit };
  }

  /** Behind what fails unless it is from 0 to `most`. */
  #bound(node: Expression, most: number): void {
    const { local, plus } = sumOf(node);
    const of = local === null || this.#state === null ? null : this.#current(this.#state, local);
    if (local === null || of === null) return;
    const [low, high] = [-plus, BigInt(most) - plus];
    if (of.kind === 'within' && of.low === low && of.high === high) return;
    this.#state![local.local] = { kind: 'within', local: local.local, of, low, high };
  }

  /** The version of a read, if it is still that of the local. */
  #current(state: State, node: Read): Version | null {
    const version = state[node.local];
    return version !== undefined && this.#reads.get(node) === version ? version : null;
  }
}

type Read = Expression & { readonly kind: 'get-local' };

const comparisons: Readonly<Record<string, Comparison>> = {
  '<(int,int)': '<',
  '<=(int,int)': '<=',
  '>(int,int)': '>',
  '>=(int,int)': '>=',
  '==(int,int)': '==',
  '!=(int,int)': '!=',
};

/** A variable and a small constant. */
function sumOf(node: Expression): { readonly local: Read | null; readonly plus: bigint } {
  if (node.kind === 'get-local') return { local: node, plus: 0n };
  const isMinus = node.kind === 'operate' && node.operator === '-(int,int)';
  if (node.kind !== 'operate' || (!isMinus && node.operator !== '+(int,int)')) return { local: null, plus: 0n };
  const [local, constant] = node.operands;
  if (local?.kind !== 'get-local' || constant?.kind !== 'int' || constant.value > 1n << 20n || constant.value < 0n)
    return { local: null, plus: 0n };
  return { local, plus: isMinus ? -constant.value : constant.value };
}

/** The longest that an array, or one in it, can be. */
function longestOf(type: Type): number {
  if (type.kind === 'array' && type.element.kind === 'array') return longestOf(type.element);
  const isOfBooleans = type.kind === 'array' && type.element.kind === 'boolean';
  return isOfBooleans ? longestArrays.boolean : longestArrays.other;
}

/** What comes together from several places, or null if control comes from none. */
function joinStates(states: readonly (State | null)[]): State | null {
  const [first, ...others] = states.filter((state) => state !== null);
  if (first === undefined) return null;
  const differing = new Set<LocalId>();
  // Functions with thousands of locals have thousands of these.
  for (const other of others)
    for (let local = 0; local < first.length; local++) if (other[local] !== first[local]) differing.add(local);
  for (const local of differing) first[local] = joined(local, [first[local]!, ...others.map((state) => state[local]!)]);
  return first;
}

function joined(local: LocalId, versions: readonly Version[]): Version {
  const inputs = [...new Set(versions)];
  return inputs.find((whole) => inputs.every((part) => isPart(part, whole))) ?? { kind: 'join', local, inputs };
}

/** Whether it is a version of which perhaps more is known now. */
function isPart(version: Version, whole: Version): boolean {
  let part = version;
  while (part !== whole && (part.kind === 'clip' || part.kind === 'within')) part = part.of;
  return part === whole;
}

/** What comes together in it besides the phi itself; null if nothing does. */
function besides(version: Version, phi: Phi): Version | null {
  if (isPart(version, phi)) return null;
  if (version.kind !== 'join') return version;
  const inputs = version.inputs.flatMap((input) => besides(input, phi) ?? []);
  return { ...version, inputs };
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** The list of a key, which has none from then on. */
function taken<Key, Item>(lists: Map<Key, Item[]>, key: Key): readonly Item[] {
  const list = lists.get(key) ?? [];
  lists.delete(key);
  return list;
}
