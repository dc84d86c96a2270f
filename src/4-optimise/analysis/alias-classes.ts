// Which arrays of a program can be the same: every place that holds an array is in a class, and whatever is assigned to
// another joins its class. Two arrays of different classes never are the same.
//
// Source: points-to analysis by unification; Steensgaard, "Points-to Analysis in Almost Linear Time" (POPL 1996).

import type { MirFunction, MirProgram, Expression, LibraryCall, LocalId } from '../../mir/mir.ts';
import { sameType, typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import { fieldKey } from './mod-ref.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';

/** A type that a place holds, and the class of its arrays where it is one of arrays. */
interface ArrayPlace {
  readonly type: Type;
  readonly array: () => ArrayClass;
}

/** A class, or what became part of one. */
export interface ArrayClass {
  parent: ArrayClass | null;
  /** The class of the arrays that are its elements. */
  elements: ArrayClass | null;
  /** Whether nothing is known of its arrays: they may be any, with anything in them. */
  readonly isUnknown: boolean;
}

export class ArrayClasses {
  readonly #program: MirProgram;
  readonly #classes = new Map<string, ArrayClass>();
  /** Where an array is made, or comes from outside. */
  readonly #made = new Map<Expression, ArrayClass>();
  readonly #unknown = newClass(true);
  #isComplete = false;

  constructor(program: MirProgram, functions: readonly MirFunction[]) {
    this.#program = program;
    for (const fn of functions) {
      visitAll(nodesOf(fn), (node) => this.#note(fn, node));
      for (const { local, initialiser } of fn.parameters)
        if (initialiser?.type.kind === 'array') unite(this.at(`local ${fn.id} ${local}`), this.of(fn, initialiser));
    }
  }

  /** The class of the array that an expression gives. */
  of(fn: MirFunction, node: Expression): ArrayClass {
    switch (node.kind) {
      case 'get-local':
        return this.at(`local ${fn.id} ${node.local}`);
      case 'get-global':
        return this.at(`global ${node.global}`);
      case 'get-field':
        return this.at(fieldKey(node.struct, node.field));
      case 'get-element':
        return elementsOf(this.of(fn, node.array));
      case 'get-hoisted':
        return elementsOf(this.ofHoisted(fn, node.hoisted.elements));
      case 'call':
        return this.at(`return ${node.function}`);
      case 'sequence':
        return this.of(fn, node.value);
      case 'conditional':
        return unite(this.of(fn, node.then), this.of(fn, node.otherwise));
      default:
        return this.#makeAt(node);
    }
  }

  /** The class of the array whose elements are in a local. */
  ofHoisted(fn: MirFunction, elements: LocalId): ArrayClass {
    return this.at(`local ${fn.id} ${elements}`);
  }

  /** The class of a place: a local, global, field or result by its key. */
  at(key: string): ArrayClass {
    const known = this.#classes.get(key);
    if (known !== undefined) return rootOf(known);
    const made = newClass();
    this.#classes.set(key, made);
    return made;
  }

  /** The program has been looked through: an expression that is asked for first from now on was written by a pass. */
  complete(): void {
    this.#unknown.elements = this.#unknown;
    this.#isComplete = true;
  }

  #makeAt(node: Expression): ArrayClass {
    const made = this.#made.get(node) ?? (this.#isComplete ? this.#unknown : newClass());
    this.#made.set(node, made);
    return rootOf(made);
  }

  #note(fn: MirFunction, node: Node): void {
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
      case 'hoist-array':
        if (node.array.type.kind === 'array') unite(this.ofHoisted(fn, node.elements), this.of(fn, node.array));
        return;
      case 'set-hoisted':
        assign(() => elementsOf(this.ofHoisted(fn, node.hoisted.elements)), node.value);
        return;
      case 'array-literal':
        for (const value of node.elements) assign(() => elementsOf(this.of(fn, node)), value);
        return;
      case 'return':
        if (node.value !== null) assign(() => this.at(`return ${fn.id}`), node.value);
        return;
      case 'call':
        this.#program.functions
          .get(node.function)
          ?.parameters.forEach(({ local }, index) =>
            assign(() => this.at(`local ${node.function} ${local}`), node.arguments[index]!),
          );
        return;
      case 'library-call':
        for (const { to, from } of this.#program.registry.byId(node.function).effects.flows)
          this.#flow(this.placesAt(fn, node, to), this.placesAt(fn, node, from));
        return;
      default:
        return;
    }
  }

  /** The arrays at a place of a call. */
  placesAt(fn: MirFunction, call: LibraryCall, { of, depth }: Place): readonly ArrayPlace[] {
    const operand = of === 'result' ? call : call.arguments[of]!;
    const itself = { type: operand.type, array: () => this.of(fn, operand) };
    if (depth === 'itself') return [itself];
    if (depth === 'contents') return this.#contentsOf(itself);
    const reached = new Map<string, ArrayPlace>();
    const pending: ArrayPlace[] = [itself];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      // Of arrays in structs and of rows in arrays there is one class a type; what is reached twice is the same.
      const key = typeKey(next.type);
      if (reached.has(key)) this.#flow([next], [reached.get(key)!]);
      else {
        reached.set(key, next);
        pending.push(...this.#contentsOf(next));
      }
    }
    return [...reached.values()];
  }

  #contentsOf({ type, array }: ArrayPlace): readonly ArrayPlace[] {
    if (type.kind === 'array') return [{ type: type.element, array: () => elementsOf(array()) }];
    if (type.kind !== 'struct') return [];
    return (this.#program.structs.get(type.id)?.fields ?? []).map((field, index) => ({
      type: field.type,
      array: () => this.at(fieldKey(type.id, index)),
    }));
  }

  /** Arrays of one type that may be the same from now on. */
  #flow(to: readonly ArrayPlace[], from: readonly ArrayPlace[]): void {
    for (const target of to) {
      if (target.type.kind !== 'array') continue;
      for (const source of from) if (sameType(target.type, source.type)) unite(target.array(), source.array());
    }
  }
}

function newClass(isUnknown = false): ArrayClass {
  return { parent: null, elements: null, isUnknown };
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
  const roots = [rootOf(one), rootOf(other)] as const;
  const [a, b] = roots[1].isUnknown ? [roots[1], roots[0]] : roots;
  if (a === b) return a;
  b.parent = a;
  if (b.elements !== null) {
    if (a.elements === null) a.elements = b.elements;
    else unite(a.elements, b.elements);
  }
  return rootOf(a);
}
