// How long arrays that a function makes, or that it is given by a function that made them, have to be there: until the next
// iteration of the loops around, until the function ends, or as long as the program, where globals hold them.

import { isOnStack } from '../../language/types.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { calleeOf } from '../../mir/locals.ts';
import type { Expression, FunctionId, GlobalId, LocalId, LoopId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { functionsOf } from './analyses.ts';
import { ArrayFlow } from './array-flow.ts';
import { localKey } from './assignments.ts';
import { calledOutsideLoops } from './call-frequency.ts';
import { findLiveLocals } from './liveness.ts';
import type { Recursion } from './recursion.ts';

/** The loops around a node, and whether it is in a try. */
interface Surroundings {
  readonly loops: LoopId[];
  isInTry: boolean;
}

export class ArrayLifetimes {
  readonly #program: MirProgram;
  readonly #flow: ArrayFlow;
  readonly #recursive: ReadonlySet<FunctionId>;
  readonly #surroundings = new Map<Node, Surroundings>();
  readonly #live = new Map<MirFunction, ReadonlyMap<LoopId, readonly LocalId[]>>();
  /** The functions of which a call returns an array that was made in it. */
  readonly #givers: ReadonlySet<FunctionId>;
  /** The functions whose calls are all outside of loops and tries, and come at most once for each time that the text has. */
  readonly #seldom: ReadonlySet<MirFunction>;
  /** What puts arrays that it makes into globals, or calls such a function. */
  readonly #keepers = new Set<FunctionId>();

  constructor(program: MirProgram, recursion: Recursion) {
    this.#program = program;
    this.#recursive = recursion.recursive();
    const functions = functionsOf(program);
    this.#flow = new ArrayFlow(program, functions);
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#lookInto(node));
    this.#givers = this.#findGivers(functions);
    const inTries = this.#calledInTries(functions);
    const seldom = [...calledOutsideLoops(program, recursion)].filter(({ id }) => !inTries.has(id));
    this.#seldom = new Set([...seldom, ...(program.initialiser === null ? [] : [program.initialiser])]);
    this.#findKeepers(functions);
  }

  /**
   * Whether an array that the node makes, if it makes one, is done with when the next iteration of each loop around it
   * begins, and when the function ends, unless that returns it; or whether it may stay for good.
   */
  isBounded(fn: MirFunction, node: Expression): boolean {
    if (!makesArray(node)) return true;
    if (node.kind === 'call') {
      if (!this.#givers.has(node.function)) return true;
      if (this.#recursive.has(node.function)) return false;
    }
    const { loops, isInTry } = this.#surroundings.get(node) ?? { loops: [], isInTry: false };
    if (isInTry) return false;
    const reached = this.#flow.reachedFrom(node);
    if (isKept(reached)) return loops.length === 0 && this.#seldom.has(fn);
    return loops.every((loop) =>
      (this.#liveIn(fn).get(loop) ?? []).every((local) => !reached.has(localKey(fn.id, local))),
    );
  }

  /** Whether the function leaves arrays on the stack that it made: its caller gets them, or globals hold them. */
  leavesArrays({ id, returns }: MirFunction): boolean {
    return (this.#givers.has(id) && isOnStack(returns)) || this.#keepers.has(id);
  }

  /** Whether nobody can read the global before it is set: its value until then is null. */
  isSetFirst(global: GlobalId): boolean {
    const readers = this.#reaching((node) => node.kind === 'get-global' && node.global === global);
    const reads = (nodes: readonly Node[]): boolean => {
      let found = false;
      visitAll(nodes, (node) => {
        found ||= node.kind === 'get-global' && node.global === global;
        found ||= readers.has(calleeOf(node) ?? '');
      });
      return found;
    };
    const isIn = (fn: MirFunction): boolean => {
      for (const statement of fn.body) {
        if (statement.kind === 'set-global' && statement.global === global) return !reads([statement.value]);
        if (reads([statement])) return false;
      }
      return false;
    };
    const { initialiser, entry, entrySetsGlobals } = this.#program;
    return initialiser !== null && isIn(initialiser) && (!entrySetsGlobals || entry === null || isIn(entry));
  }

  #lookInto(outer: Node): void {
    if (outer.kind !== 'loop' && outer.kind !== 'try') return;
    visitAll([outer], (node) => {
      if (!makesArray(node)) return;
      const around = this.#surroundings.get(node) ?? { loops: [], isInTry: false };
      if (outer.kind === 'loop') around.loops.push(outer.id);
      else around.isInTry = true;
      this.#surroundings.set(node, around);
    });
  }

  #findGivers(functions: readonly MirFunction[]): ReadonlySet<FunctionId> {
    const givers = new Set<FunctionId>();
    let known = -1;
    while (known < givers.size) {
      known = givers.size;
      for (const fn of functions)
        if (!givers.has(fn.id) && this.#makesWhere(fn, givers, (reached) => reached.has(`return ${fn.id}`)))
          givers.add(fn.id);
    }
    return givers;
  }

  /** Whether the function makes an array, or is given one that a call made, that gets to such places. */
  #makesWhere(
    fn: MirFunction,
    givers: ReadonlySet<FunctionId>,
    test: (reached: ReadonlySet<string>) => boolean,
  ): boolean {
    let found = false;
    visitAll(nodesOf(fn), (node) => {
      if (found || !makesArray(node)) return;
      found = (node.kind !== 'call' || givers.has(node.function)) && test(this.#flow.reachedFrom(node));
    });
    return found;
  }

  #findKeepers(functions: readonly MirFunction[]): void {
    for (const fn of functions) if (this.#makesWhere(fn, this.#givers, isKept)) this.#keepers.add(fn.id);
    const callers = this.#reaching((node) => this.#keepers.has(calleeOf(node) ?? ''));
    for (const id of callers) this.#keepers.add(id);
    const seldom = new Set([...this.#seldom].map(({ id }) => id));
    for (const id of this.#keepers) if (!seldom.has(id)) this.#keepers.delete(id);
  }

  /** The functions with such a node, and those that call them. */
  #reaching(test: (node: Node) => boolean): ReadonlySet<FunctionId> {
    const functions = functionsOf(this.#program);
    const found = new Set<FunctionId>();
    let known = -1;
    while (known < found.size) {
      known = found.size;
      for (const fn of functions)
        if (!found.has(fn.id))
          visitAll(nodesOf(fn), (node) => {
            if (test(node) || found.has(calleeOf(node) ?? '')) found.add(fn.id);
          });
    }
    return found;
  }

  /** The functions that are called in a try, and what they call. */
  #calledInTries(functions: readonly MirFunction[]): ReadonlySet<FunctionId> {
    const called = new Set<FunctionId>();
    const note = (nodes: readonly Node[]): void =>
      visitAll(nodes, (node) => {
        const callee = calleeOf(node);
        if (callee !== null) called.add(callee);
      });
    for (const { body } of functions)
      visitAll(body, (node) => {
        if (node.kind === 'try') note([node]);
      });
    // A set goes on to what is added to it meanwhile.
    for (const id of called) note(this.#program.functions.get(id)?.body ?? []);
    return called;
  }

  #liveIn(fn: MirFunction): ReadonlyMap<LoopId, readonly LocalId[]> {
    const known = this.#live.get(fn) ?? findLiveLocals(fn);
    this.#live.set(fn, known);
    return known;
  }
}

function isKept(reached: ReadonlySet<string>): boolean {
  for (const place of reached) if (place.startsWith('global ')) return true;
  return false;
}

type ArrayMaker = Expression & { readonly kind: 'new-array' | 'array-literal' | 'call' };

function makesArray(node: Node): node is ArrayMaker {
  return (
    (node.kind === 'new-array' || node.kind === 'array-literal' || node.kind === 'call') && node.type.kind === 'array'
  );
}
