// Stack allocation: arrays of numbers that no one sees behind the function that makes them lie on a stack in linear
// memory, which gives them back when the function ends. Nobody collects them, their rows follow each other, and engines
// look at no length when they are read.
//
//   double[][] grid = new double[n][n];     grid: stack double[][]
//
// The types of elements say so, and follow an array to functions that are given it, and back from functions that return it:
// what these have put on the stack stays there as long as their caller runs. Limits count such arrays as all others.
// What a loop makes is gone when its next iteration begins; what globals hold stays, where it is made once.
//
// Does not apply to arrays that are put into structs or other arrays, or seen by the host, the library or json; nor to those
// that the next iteration still has, that recursion returns, that globals hold and any function may replace, or that a try
// makes, whose clauses go on without it; nor to what is resized, may be null, or is known to be small.
//
// Source: escape analysis; Choi, Gupta, Serrano, Sreedhar, Midkiff, "Escape Analysis for Java" (OOPSLA 1999).

import { arrayOf, onStack } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { nodesOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, LibraryCall } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { ArrayClasses, elementsOf, rootOf } from '../analysis/alias-classes.ts';
import type { ArrayClass } from '../analysis/alias-classes.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { ArrayLifetimes } from '../analysis/array-lifetimes.ts';
import { localKey } from '../analysis/assignments.ts';
import { arrayGivers, arrayTakers } from '../analysis/exposure.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { functionsOfAnyArray, isOfNumbers, withArrayTypes } from '../retyped-arrays.ts';

export const stackAllocation: Pass = {
  name: 'stack-allocation',
  summary: 'arrays of numbers that do not outlive the function that makes them lie on a stack in linear memory',
  isRequired: false,
  keeps: ['recursion', 'ranges'],
  run: (program, context) =>
    functionsOf(program).some(makesArrays)
      ? new Escapes(program, new ArrayLifetimes(program, context.analyses.get('recursion'))).run(context)
      : program,
};

function makesArrays(fn: MirFunction): boolean {
  let makes = false;
  visitAll(nodesOf(fn), (node) => {
    makes ||= node.kind === 'new-array' && isOfNumbers(node.type);
  });
  return makes;
}

type NewArray = Expression & { readonly kind: 'new-array' };

/** Takers that keep an array or compare it, and what gives none. */
const escapes: ReadonlySet<Node['kind']> = new Set(['array-literal', 'is-null', 'same-object']);
const others: ReadonlySet<Node['kind']> = new Set(['null']);

/** Library functions that take arrays of arrays on the stack. */
const takingRows: ReadonlySet<string> = new Set(['T[].length', 'T[].isEmpty']);

function takesIt({ function: id, arguments: [array] }: LibraryCall): boolean {
  return takingRows.has(id) || (functionsOfAnyArray.has(id) && array !== undefined && dimensionsOf(array.type) === 1);
}

class Escapes {
  readonly #program: MirProgram;
  readonly #arrays: ArrayClasses;
  readonly #lifetimes: ArrayLifetimes;
  readonly #escaping = new Set<ArrayClass>();
  /** Classes with an array that may be large. */
  readonly #large = new Set<ArrayClass>();

  constructor(program: MirProgram, lifetimes: ArrayLifetimes) {
    this.#program = program;
    this.#lifetimes = lifetimes;
    const functions = functionsOf(program);
    this.#arrays = new ArrayClasses(program, functions);
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called) {
      if (fn === null) continue;
      this.#giveUp(fn.returns, this.#arrays.at(`return ${fn.id}`));
      for (const { local } of fn.parameters)
        this.#giveUp(fn.locals[local]!.type, this.#arrays.at(localKey(fn.id, local)));
    }
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
    for (const { id, type } of program.globals.values()) {
      const own = (): ArrayClass => this.#arrays.at(`global ${id}`);
      if (this.#placed(type, own) !== type && !lifetimes.isSetFirst(id)) this.#giveUp(type, own());
    }
  }

  run(context: PassContext): MirProgram {
    const placed = withArrayTypes(this.#program, this.#arrays, (type, of) => this.#placed(type, of));
    return mapFunctions(placed, context, (fn) =>
      this.#lifetimes.leavesArrays(fn) ? { ...fn, leavesOnStack: true } : fn,
    );
  }

  #note(fn: MirFunction, node: Node): void {
    const isInside = node.kind === 'call' && this.#program.functions.has(node.function);
    if ('type' in node && isOfNumbers(node.type)) {
      const own = this.#arrays.of(fn, node);
      if (!this.#mayGive(fn, node)) this.#giveUp(node.type, own);
      else if (node.kind === 'new-array' && !isSmall(node)) this.#enlarge(node.type, own);
    }
    const isTaking = node.kind === 'library-call' && takesIt(node);
    const isPlain = node.kind !== 'call' && arrayTakers.has(node.kind) && !escapes.has(node.kind);
    const storesRow = node.kind === 'set-element' && node.value.type.kind === 'array';
    if ((isTaking || isInside || isPlain) && !storesRow) return;
    for (const part of partsOf(node))
      if ('type' in part && isOfNumbers(part.type)) this.#giveUp(part.type, this.#arrays.of(fn, part));
  }

  /** Whether an array that the node gives may lie on the stack. */
  #mayGive(fn: MirFunction, node: Expression): boolean {
    if (node.kind === 'new-array' && node.lengths.length !== dimensionsOf(node.type)) return false;
    if (node.kind === 'call' && !this.#program.functions.has(node.function)) return false;
    return arrayGivers.has(node.kind) && !others.has(node.kind) && this.#lifetimes.isBounded(fn, node);
  }

  #giveUp(type: Type, of: ArrayClass): void {
    if (type.kind !== 'array') return;
    this.#escaping.add(rootOf(of));
    if (type.element.kind === 'array') this.#giveUp(type.element, elementsOf(of));
  }

  #enlarge(type: Type, of: ArrayClass): void {
    if (type.kind !== 'array') return;
    this.#large.add(rootOf(of));
    if (type.element.kind === 'array') this.#enlarge(type.element, elementsOf(of));
  }

  /** The type where its arrays lie on the stack; `of` gives their class. */
  #placed(type: Type, of: () => ArrayClass): Type {
    if (type.kind !== 'array' || !isOfNumbers(type)) return type;
    return this.#isPlaced(type, of()) ? arrayOf(onStack(type.element)) : type;
  }

  #isPlaced({ element }: Type & { readonly kind: 'array' }, of: ArrayClass): boolean {
    const root = rootOf(of);
    if (root.isUnknown || this.#escaping.has(root) || !this.#large.has(root)) return false;
    return element.kind !== 'array' || this.#isPlaced(element, elementsOf(root));
  }
}

/** What has fewer elements costs nothing to collect, and is read in one instruction less where it is collected. */
const fewest = 4096n;

function isSmall({ lengths }: NewArray): boolean {
  let all = 1n;
  for (const length of lengths) {
    if (length.kind !== 'int') return false;
    all *= length.value;
  }
  return all < fewest;
}

function dimensionsOf(type: Type): number {
  return type.kind === 'array' ? 1 + dimensionsOf(type.element) : 0;
}
