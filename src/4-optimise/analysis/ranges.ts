// Ranges of ints: an interval for each variable, each field, and the elements of each class of arrays. Those of locals
// follow control flow, as each read has a version (local-versions.ts); all others are independent of the order of
// execution. The intervals start empty and take in each value that is assigned, until none grows; one that grows too
// often is widened.
//
// Source: interval analysis by abstract interpretation; Cousot, Cousot, "Abstract Interpretation: A Unified Lattice
// Model for Static Analysis of Programs by Construction or Approximation of Fixpoints" (POPL 1977).

import type { Expression, FunctionId, LibraryCall, LocalId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import { ArrayClasses, elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { assigns, isCopy, isWorkedOut } from '../../mir/kinds.ts';
import { assignmentsOf, fieldKey, localKey } from './assignments.ts';
import type { Target } from './assignments.ts';
import type { Comparison } from './intervals.ts';
import { findVersions } from './local-versions.ts';
import type { Clip, Phi, Version, Versions } from './local-versions.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';

/** From `low` to `high`, both included. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;
const anything: Range = { low: lowest, high: highest };

/** Indices of arrays. */
const indices: Range = { low: 0n, high: (1n << 31n) - 1n };

/** The limits to which growing ranges are widened. */
const rests = [1n << 8n, 1n << 16n, 1n << 31n, 1n << 32n, 1n << 53n].map((bound) => bound - 1n);
const patience = 4;

/** Nobody writes deeper expressions that matter, nor conditions behind more others. */
const deepest = 256;

/** What has an interval that takes in what is assigned. */
type Key = string | ArrayClass | Phi;

interface Variable {
  /** Null as long as nothing was set. */
  range: Range | null;
  grown: number;
}

export class Ranges {
  readonly #program: MirProgram;
  readonly #functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly #arrays: ArrayClasses;
  readonly #variables = new Map<Key, Variable>();
  readonly #versions: Versions = { reads: new Map(), phis: new Map() };
  /** Of the versions, worked out once in each round: one is made of others. */
  #known = new Map<Version, Range | null>();
  /** A variable that is taken to be anything, as all loops' are then; null at other times. */
  #free: Key | null = null;
  /** The keys of the locals of each function; what a pass adds later may be anything. */
  readonly #locals: ReadonlyMap<FunctionId, readonly string[]>;
  #hasGrown = true;
  /** No round follows: it is too late for versions that nothing has asked for. */
  #isDone = false;

  constructor(program: MirProgram) {
    this.#program = program;
    const all = [program.initialiser, program.entry, ...program.functions.values()].filter((fn) => fn !== null);
    this.#functions = program.functions;
    this.#arrays = new ArrayClasses(program, all);
    this.#locals = new Map(all.map(({ id, locals }) => [id, locals.map((_, local) => localKey(id, local))]));
    for (const fn of all) findVersions(fn, this.#versions);
    for (const { value, id } of program.globals.values())
      if (value?.kind === 'int') this.#include(`global ${id}`, exactly(value.value));
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called)
      for (const { local } of fn?.parameters ?? [])
        this.#giveUp(fn!.locals[local]!.type, localKey(fn!.id, local), () => this.#arrays.at(localKey(fn!.id, local)));
    const noted = all.map((fn) => [fn, notedIn(fn)] as const);
    while (this.#hasGrown) {
      this.#hasGrown = false;
      this.#known.clear();
      for (const [fn, nodes] of noted) for (const node of nodes) this.#note(fn, node);
    }
    this.#isDone = true;
    this.#arrays.complete();
  }

  /** Which arrays may be the same. */
  get arrays(): ArrayClasses {
    return this.#arrays;
  }

  /** Of the ints in the arrays of a class. */
  ofElements(array: ArrayClass): Range {
    return this.#read(rootOf(array))!;
  }

  /** The range of an int in a function; null where there is none yet, or never one. */
  of(fn: MirFunction, node: Expression, depth = 0): Range | null {
    if (depth > deepest) return anything;
    const of = (part: Expression): Range | null => this.of(fn, part, depth + 1);
    if (isWorkedOut(node)) return this.#ofResult(node, of);
    switch (node.kind) {
      case 'get-local':
        return this.#ofRead(fn, node, depth);
      case 'get-global':
        return this.#read(`global ${node.global}`);
      case 'get-field':
        return this.#read(fieldKey(node.struct, node.field));
      case 'get-element':
        return this.#read(this.#arrays.of(fn, node.array));
      case 'call':
        return this.#read(`return ${node.function}`, true);
      case 'conditional':
      case 'select':
        return joined(of(node.then), of(node.otherwise));
      case 'sequence':
        return of(node.value);
      case 'library-call':
        return this.#ofLibraryCall(fn, node, node.arguments.filter(({ type }) => type.kind === 'int').map(of));
      case 'get-hoisted':
      case 'check-null':
      case 'built-text':
        return anything;
    }
  }

  #ofRead(fn: MirFunction, node: Expression & { readonly kind: 'get-local' }, depth: number): Range | null {
    const version = this.#versions.reads.get(node) ?? null;
    return version === null ? this.#ofLocal(fn, node.local) : this.#ofVersion(fn, version, depth + 1);
  }

  #ofLocal(fn: MirFunction, local: LocalId): Range | null {
    const key = this.#locals.get(fn.id)?.[local];
    if (key === undefined) return anything;
    return this.#read(
      key,
      fn.parameters.some((parameter) => parameter.local === local),
    );
  }

  #ofVersion(fn: MirFunction, version: Version, depth: number): Range | null {
    if (version.kind === 'base' || depth > deepest) return this.#ofLocal(fn, version.local);
    const known = this.#known.get(version);
    if (known !== undefined) return known;
    const range = this.#workedOut(fn, version, depth);
    this.#known.set(version, range);
    return range;
  }

  #workedOut(fn: MirFunction, version: Exclude<Version, { readonly kind: 'base' }>, depth: number): Range | null {
    const of = (part: Version): Range | null => this.#ofVersion(fn, part, depth + 1);
    switch (version.kind) {
      case 'value':
        return this.of(fn, version.value, depth + 1);
      case 'clip':
        return this.#clipped(fn, version, of(version.of), depth);
      case 'within':
        return clipped(of(version.of), version);
      case 'join':
        return version.inputs.map(of).reduce(joined, null);
      case 'phi':
        return this.#ofPhi(fn, version, of(version.entry));
    }
  }

  /** Where nothing has asked for it in time, all that the local is ever set to. */
  #ofPhi(fn: MirFunction, phi: Phi, entry: Range | null): Range | null {
    if (this.#free !== null) return anything;
    const variable = this.#variables.get(phi);
    if (variable !== undefined) return joined(entry, variable.range);
    if (this.#isDone) return this.#ofLocal(fn, phi.local);
    this.#variables.set(phi, { range: null, grown: 0 });
    this.#hasGrown = true;
    return entry;
  }

  #clipped(fn: MirFunction, { plus, comparison, limit }: Clip, range: Range | null, depth: number): Range | null {
    const end = range === null ? null : this.of(fn, limit, depth + 1);
    if (range === null || end === null) return null;
    // A sum that wraps around says nothing of what was added to.
    if (range.low + plus < lowest || range.high + plus > highest) return range;
    return clipped(range, leftOf(range, comparison, { low: end.low - plus, high: end.high - plus }));
  }

  /** Of what is worked out: anything, where there is no rule. */
  #ofResult(node: Expression, of: (part: Expression) => Range | null): Range | null {
    if (node.kind === 'int') return exactly(node.value);
    if (node.kind === 'wrap32') return { low: 0n, high: 0xffffffffn };
    if (node.kind !== 'operate') return anything;
    const operands = node.operands.map(of);
    const [left, right = left] = operands;
    return operands.includes(null) ? null : (rules[node.operator]?.(left!, right!) ?? anything);
  }

  #ofLibraryCall(fn: MirFunction, node: LibraryCall, operands: readonly (Range | null)[]): Range | null {
    if (operands.includes(null)) return null;
    const rule = rules[node.function];
    if (rule !== undefined) return rule(operands[0]!, operands[1]!) ?? anything;
    const { range, isClosed, flows } = this.#program.registry.byId(node.function).effects;
    if (range !== null) return { low: range[0], high: range[1] };
    if (!isClosed || flows.length === 0) return anything;
    return flows.map(({ from }) => this.#rangeAt(fn, node, from)).reduce(joined, null);
  }

  /** Of the ints at a place of a call. */
  #rangeAt(fn: MirFunction, call: LibraryCall, place: Place): Range | null {
    const operand = call.arguments[place.of as number]!;
    if (operand.type.kind === 'json') return anything;
    const itself = place.depth !== 'contents' && operand.type.kind === 'int' ? this.of(fn, operand) : null;
    return this.#keysAt(fn, call, place)
      .map((key) => this.#read(key))
      .reduce(joined, itself);
  }

  /** The variables for the ints in the arrays and structs at a place of a call. */
  #keysAt(fn: MirFunction, call: LibraryCall, { of, depth }: Place): readonly (string | ArrayClass)[] {
    if (depth === 'itself') return [];
    const holders = this.#arrays.placesAt(fn, call, { of, depth: depth === 'contents' ? 'itself' : depth });
    return holders.flatMap(({ type, array }): readonly (string | ArrayClass)[] => {
      if (type.kind === 'array') return type.element.kind === 'int' ? [array()] : [];
      if (type.kind !== 'struct') return [];
      return (this.#program.structs.get(type.id)?.fields ?? []).flatMap((field, index) =>
        field.type.kind === 'int' ? [fieldKey(type.id, index)] : [],
      );
    });
  }

  #note(fn: MirFunction, node: Node): void {
    for (const { target, value, fn: of } of assignmentsOf(this.#program, fn, node)) {
      if (value.type.kind !== 'int') continue;
      this.#assign(this.#targeted(of, target), () => {
        const given = this.of(of, value);
        return isOwnIndex(node) ? clipped(given, indices) : given;
      });
    }
    if (node.kind === 'loop')
      for (const phi of this.#versions.phis.get(node) ?? [])
        if (phi.back !== null && this.#variables.has(phi)) this.#assign(phi, () => this.#ofVersion(fn, phi.back!, 0));
    // What nothing in the program assigns.
    if (isCopy(node)) this.#giveUp(node.type, null, () => this.#arrays.of(fn, node));
    if (node.kind === 'call' && !this.#functions.has(node.function))
      this.#giveUp(node.type, `return ${node.function}`, () => this.#arrays.of(fn, node));
    if (node.kind === 'library-call') this.#noteLibraryCall(fn, node);
  }

  #assign(key: Key, valueOf: () => Range | null): void {
    const range = valueOf();
    if (range !== null) this.#include(key, range, () => this.#most(key, valueOf));
  }

  /** What is assigned whatever the variable has been: where a condition bounds that, it goes no further. */
  #most(key: Key, valueOf: () => Range | null): Range {
    const known = this.#known;
    this.#known = new Map();
    this.#free = key;
    const most = valueOf();
    this.#known = known;
    this.#free = null;
    return most ?? anything;
  }

  #targeted(fn: MirFunction, target: Target): string | ArrayClass {
    return typeof target === 'string' ? target : this.#arrays.ofHolder(fn, target);
  }

  /** What a call puts into what it is given, and what is in its result. */
  #noteLibraryCall(fn: MirFunction, node: LibraryCall): void {
    const { flows, stores, isClosed } = this.#program.registry.byId(node.function).effects;
    for (const { to, from } of flows) {
      const range = this.#rangeAt(fn, node, from);
      if (range !== null) for (const key of this.#keysAt(fn, node, to)) this.#include(key, range);
    }
    if (isClosed) return;
    for (const place of [{ of: 'result', depth: 'itself' } as const, ...stores]) {
      for (const { type, array } of this.#arrays.placesAt(fn, node, place))
        if (type.kind !== 'int') this.#giveUp(type, null, array);
    }
  }

  /**
   * Every int that can be reached from a value of the type may be anything; `array` gives its class where it is one.
   */
  #giveUp(type: Type, key: string | ArrayClass | null, array: () => ArrayClass, seen: Set<string> = new Set()): void {
    if (type.kind === 'int' && key !== null) this.#include(key, anything);
    if (type.kind === 'array') this.#giveUp(type.element, array(), () => elementsOf(array()), seen);
    if (type.kind !== 'struct' || seen.has(type.id)) return;
    seen.add(type.id);
    this.#program.structs.get(type.id)?.fields.forEach((field, index) => {
      const place = fieldKey(type.id, index);
      this.#giveUp(field.type, place, () => this.#arrays.at(place), seen);
    });
  }

  /** A variable that was never set holds 0, but for what is always set before. */
  #read(key: string | ArrayClass, isAlwaysSet = false): Range | null {
    if (key === this.#free || (typeof key === 'object' && key.isUnknown)) return anything;
    const range = this.#variables.get(key)?.range ?? null;
    return isAlwaysSet ? range : joined(range, exactly(0n));
  }

  /** What grows often, or in a loop, is taken to be anything within the bound, and what grows even so, anything. */
  #include(key: Key, range: Range, boundOf: () => Range = () => anything): void {
    const variable = this.#variables.get(key) ?? { range: null, grown: 0 };
    this.#variables.set(key, variable);
    const before = variable.range ?? range;
    const wide = joined(before, range)!;
    if (variable.range !== null && wide.low === before.low && wide.high === before.high) return;
    variable.grown += 1;
    const isOfLoop = typeof key === 'object' && 'kind' in key;
    const isWidened = variable.grown > (isOfLoop ? 1 : patience);
    const last = isWidened && variable.grown <= 3 * patience ? boundOf() : anything;
    variable.range = isWidened ? widen(before, wide, last) : wide;
    this.#hasGrown = true;
  }
}

function exactly(value: bigint): Range {
  return { low: value, high: value };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function joined(a: Range | null, b: Range | null): Range | null {
  return a === null || b === null ? (a ?? b) : { low: smaller(a.low, b.low), high: larger(a.high, b.high) };
}

/** The nodes that say something of a variable, in the order in which they are done: most follow from those in front. */
function notedIn(fn: MirFunction): readonly Node[] {
  const found: Node[] = [];
  visitAll(nodesOf(fn), (node) => {
    if (assigns(node) || isCopy(node)) found.push(node);
  });
  return found.toReversed();
}

/** What a comparison with numbers from an interval leaves of ints. */
function leftOf({ low, high }: Range, comparison: Comparison, end: Range): Range {
  switch (comparison) {
    case '<':
      return { low: lowest, high: end.high - 1n };
    case '<=':
      return { low: lowest, high: end.high };
    case '>':
      return { low: end.low + 1n, high: highest };
    case '>=':
      return { low: end.low, high: highest };
    case '==':
      return end;
    case '!=':
      if (end.low !== end.high) return anything;
      return { low: low === end.low ? low + 1n : low, high: high === end.low ? high - 1n : high };
  }
}

/** What is in both; null if nothing is. */
function clipped(one: Range | null, other: Range): Range | null {
  if (one === null) return null;
  const [low, high] = [larger(one.low, other.low), smaller(one.high, other.high)];
  return low > high ? null : { low, high };
}

/**
 * The ends that have moved, to the next of the limits, but no further than to the bound where they are within that, and
 * to the bound at once where that is an index.
 */
function widen(before: Range, { low, high }: Range, bound: Range): Range {
  const least = low >= 0n ? 0n : lowest;
  const most = rests.find((rest) => high <= rest) ?? highest;
  const bounded = bound.high <= indices.high ? bound.high : smaller(most, bound.high);
  return {
    low: low === before.low ? low : low < bound.low ? least : larger(least, bound.low),
    high: high === before.high ? high : high > bound.high ? most : bounded,
  };
}

/** Whether it stores an index as the element at that index: it is the index of one then, or fails. */
function isOwnIndex(node: Node): boolean {
  return (
    node.kind === 'set-element' &&
    node.index.kind === 'get-local' &&
    node.value.kind === 'get-local' &&
    node.index.local === node.value.local
  );
}

/** Anything, where the result could wrap. */
function within(low: bigint, high: bigint): Range {
  return low < lowest || high > highest ? anything : { low, high };
}

/** The largest number of as many bits. */
function allBits(value: bigint): bigint {
  return (1n << BigInt(value.toString(2).length)) - 1n;
}

function isCount({ low, high }: Range): boolean {
  return low >= 0n && high < 64n;
}

/** The range of the result of an operator or a method of ints; null, or no rule, if it may be any int. */
const rules: Readonly<Record<string, (a: Range, b: Range) => Range | null>> = {
  'int.min': (a, b) => ({ low: smaller(a.low, b.low), high: smaller(a.high, b.high) }),
  'int.max': (a, b) => ({ low: larger(a.low, b.low), high: larger(a.high, b.high) }),
  '+(int,int)': (a, b) => within(a.low + b.low, a.high + b.high),
  '-(int,int)': (a, b) => within(a.low - b.high, a.high - b.low),
  '-(int)': (a) => within(-a.high, -a.low),
  '*(int,int)': (a, b) => {
    const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    return within(corners.reduce(smaller), corners.reduce(larger));
  },
  '&(int,int)': (a, b) => {
    if (a.low < 0n && b.low < 0n) return null;
    return { low: 0n, high: a.low < 0n ? b.high : b.low < 0n ? a.high : smaller(a.high, b.high) };
  },
  '|(int,int)': (a, b) => (a.low < 0n || b.low < 0n ? null : { low: 0n, high: allBits(larger(a.high, b.high)) }),
  '^(int,int)': (a, b) => (a.low < 0n || b.low < 0n ? null : { low: 0n, high: allBits(larger(a.high, b.high)) }),
  '<<(int,int)': (a, b) => (a.low < 0n || !isCount(b) ? null : within(0n, a.high << b.high)),
  '>>(int,int)': (a, b) => (a.low < 0n || !isCount(b) ? null : { low: 0n, high: a.high >> b.low }),
  '>>>(int,int)': (a, b) => {
    if (!isCount(b)) return a.low < 0n ? null : { low: 0n, high: a.high };
    if (a.low >= 0n) return { low: 0n, high: a.high >> b.low };
    return b.low === 0n ? null : { low: 0n, high: (1n << (64n - b.low)) - 1n };
  },
  '/(int,int)': (a, b) => (a.low < 0n || b.low < 1n ? null : { low: 0n, high: a.high / b.low }),
  // No further from 0 than what is divided, on the same side of it, and nearer than what it is divided by.
  '%(int,int)': (a, b) => {
    const most = larger(larger(-b.low, b.high) - 1n, 0n);
    return { low: larger(smaller(a.low, 0n), -most), high: smaller(larger(a.high, 0n), most) };
  },
};
