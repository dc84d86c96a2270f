// Which arrays of a program can be the same: every place that holds an array is in a class, and whatever is assigned to
// another joins its class. Two arrays of different classes never are the same.
//
// Source: points-to analysis by unification; Steensgaard, "Points-to Analysis in Almost Linear Time" (POPL 1996).

import type { CheckedFunction, CheckedProgram, Expression } from '../2-check/typed-tree.ts';
import { arrayOf } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { fieldKey } from './changes.ts';
import { nodesOf, visitAll } from './operands.ts';
import type { Node } from './operands.ts';

/** A class, or what became part of one. */
export interface ArrayClass {
  parent: ArrayClass | null;
  /** The class of the arrays that are its elements. */
  elements: ArrayClass | null;
}

/** Methods whose result shares nothing but elements with their receiver. */
const copying: ReadonlySet<string> = new Set(['T[].slice', 'T[].copy', 'T[].concat', 'T[].pop', 'T[].removeAt']);

export class ArrayClasses {
  readonly #program: CheckedProgram;
  readonly #classes = new Map<string, ArrayClass>();
  /** Where an array is made, or comes from outside. */
  readonly #made = new Map<Expression, ArrayClass>();

  constructor(program: CheckedProgram, functions: readonly CheckedFunction[]) {
    this.#program = program;
    for (const fn of functions) {
      visitAll(nodesOf(fn), (node) => this.#note(fn, node));
      for (const { local, initialiser } of fn.parameters) if (initialiser?.type.kind === 'array') unite(this.at(`local ${fn.id} ${local}`), this.of(fn, initialiser));
    }
  }

  /** The class of the array that an expression gives. */
  of(fn: CheckedFunction, node: Expression): ArrayClass {
    switch (node.kind) {
      case 'get-local':
        return this.at(`local ${fn.id} ${node.local}`);
      case 'get-global':
        return this.at(`global ${node.global}`);
      case 'get-field':
        return this.at(fieldKey(node.struct, node.field));
      case 'get-element':
        return elementsOf(this.of(fn, node.array));
      case 'call':
        return this.at(`return ${node.function}`);
      case 'sequence':
        return this.of(fn, node.value);
      case 'conditional':
        return unite(this.of(fn, node.then), this.of(fn, node.otherwise));
      case 'library-call': {
        const made = this.#makeAt(node);
        const [receiver] = node.arguments;
        if (!copying.has(node.function)) return made;
        const from = this.of(fn, receiver!);
        return node.function === 'T[].pop' || node.function === 'T[].removeAt' ? unite(made, elementsOf(from)) : unite(made, from);
      }
      default:
        return this.#makeAt(node);
    }
  }

  /** The class of a place: a local, global, field or result by its key. */
  at(key: string): ArrayClass {
    const known = this.#classes.get(key);
    if (known !== undefined) return rootOf(known);
    const made = newClass();
    this.#classes.set(key, made);
    return made;
  }

  #makeAt(node: Expression): ArrayClass {
    const made = this.#made.get(node) ?? newClass();
    this.#made.set(node, made);
    return rootOf(made);
  }

  #note(fn: CheckedFunction, node: Node): void {
    // What unites classes by itself does so before anybody asks.
    if ('type' in node && node.type.kind === 'array') this.of(fn, node);
    const assign = (into: () => ArrayClass, value: Expression): void => {
      if (value.type.kind === 'array') unite(into(), this.of(fn, value));
    };
    switch (node.kind) {
      case 'set-local':
        assign(() => this.at(`local ${fn.id} ${node.local}`), node.value);
        return;
      case 'set-global':
        assign(() => this.at(`global ${node.global}`), node.value);
        return;
      case 'set-field':
        assign(() => this.at(fieldKey(node.struct, node.field)), node.value);
        return;
      case 'struct-literal':
        for (const { field, value } of node.fields) assign(() => this.at(fieldKey(node.struct, field)), value);
        return;
      case 'set-element':
        assign(() => elementsOf(this.of(fn, node.array)), node.value);
        return;
      case 'array-literal':
        for (const value of node.elements) assign(() => elementsOf(this.of(fn, node)), value);
        return;
      case 'return':
        if (node.value !== null) assign(() => this.at(`return ${fn.id}`), node.value);
        return;
      case 'call':
        this.#program.functions.get(node.function)?.parameters.forEach(({ local }, index) => assign(() => this.at(`local ${node.function} ${local}`), node.arguments[index]!));
        return;
      case 'library-call':
        // What a method is given may end up in its array.
        if (node.arguments[0]?.type.kind === 'array') {
          for (const argument of node.arguments.slice(1)) {
            if (isElement(argument.type, node.arguments[0].type)) assign(() => elementsOf(this.of(fn, node.arguments[0]!)), argument);
            else assign(() => this.of(fn, node.arguments[0]!), argument);
          }
        }
        return;
      default:
        return;
    }
  }
}

function isElement(type: Type, array: Type): boolean {
  return array.kind === 'array' && depthOf(arrayOf(type)) === depthOf(array);
}

function depthOf(type: Type): number {
  return type.kind === 'array' ? 1 + depthOf(type.element) : 0;
}

function newClass(): ArrayClass {
  return { parent: null, elements: null };
}

export function rootOf(one: ArrayClass): ArrayClass {
  let root = one;
  while (root.parent !== null) root = root.parent;
  if (root !== one) one.parent = root;
  return root;
}

/** The class of the arrays in arrays of a class. */
export function elementsOf(one: ArrayClass): ArrayClass {
  const root = rootOf(one);
  root.elements ??= newClass();
  return rootOf(root.elements);
}

function unite(one: ArrayClass, other: ArrayClass): ArrayClass {
  const [a, b] = [rootOf(one), rootOf(other)];
  if (a === b) return a;
  b.parent = a;
  if (b.elements !== null) {
    if (a.elements === null) a.elements = b.elements;
    else unite(a.elements, b.elements);
  }
  return rootOf(a);
}
