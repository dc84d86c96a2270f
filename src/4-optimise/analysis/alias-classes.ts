// Which arrays of a program can be the same: every place that holds an array is in a class, and whatever is assigned to
// another joins its class. Two arrays of different classes never are the same.
//
// Source: points-to analysis by unification; Steensgaard, "Points-to Analysis in Almost Linear Time" (POPL 1996).

import type { Expression, LibraryCall, LocalId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { sameType, typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import { isWorkedOut } from '../../mir/kinds.ts';
import { assignmentsOf, fieldKey, localKey } from './assignments.ts';
import type { Holder, Target } from './assignments.ts';
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
        if (initialiser?.type.kind === 'array') unite(this.at(localKey(fn.id, local)), this.of(fn, initialiser));
    }
  }

  /** The class of the array that an expression gives. */
  of(fn: MirFunction, node: Expression): ArrayClass {
    if (isWorkedOut(node)) return this.#makeAt(node);
    switch (node.kind) {
      case 'get-local':
        return this.at(localKey(fn.id, node.local));
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
      // What a library function gives may be in its arguments: its row says so. A text is no array.
      case 'library-call':
      case 'built-text':
        return this.#makeAt(node);
      case 'check-null':
        return this.of(fn, node.operand);
      case 'sequence':
        return this.of(fn, node.value);
      case 'conditional':
      case 'select':
        return unite(this.of(fn, node.then), this.of(fn, node.otherwise));
    }
  }

  /** The class of the array whose elements are in a local. */
  ofHoisted(fn: MirFunction, elements: LocalId): ArrayClass {
    return this.at(localKey(fn.id, elements));
  }

  /** The class of a place: a local, global, field or result by its key. */
  at(key: string): ArrayClass {
    const known = this.#classes.get(key);
    if (known !== undefined) return rootOf(known);
    const made = this.#isComplete ? this.#unknown : newClass();
    this.#classes.set(key, made);
    return made;
  }

  /** The program has been looked through: what is asked for first from now on was written by a pass. */
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
    // These nodes unite classes, so they are visited before anybody asks for a class.
    if ('type' in node && node.type.kind === 'array') this.of(fn, node);
    for (const { target, value, fn: of } of assignmentsOf(this.#program, fn, node))
      if (holdsArray(value.type)) unite(this.#targeted(of, target), this.of(of, value));
    if (node.kind !== 'library-call') return;
    for (const { to, from } of this.#program.registry.byId(node.function).effects.flows)
      this.#flow(this.placesAt(fn, node, to), this.placesAt(fn, node, from));
  }

  #targeted(fn: MirFunction, target: Target): ArrayClass {
    return typeof target === 'string' ? this.at(target) : elementsOf(this.ofHolder(fn, target));
  }

  /** The class of an array whose element is assigned. */
  ofHolder(fn: MirFunction, holder: Holder): ArrayClass {
    return 'array' in holder ? this.of(fn, holder.array) : this.ofHoisted(fn, holder.elements);
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
      // Arrays in structs and rows in arrays have one class for each type; a type that is reached twice has the same
      // class.
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

  /** Unites the classes of two arrays of one type. */
  #flow(to: readonly ArrayPlace[], from: readonly ArrayPlace[]): void {
    for (const target of to) {
      if (target.type.kind !== 'array') continue;
      for (const source of from) if (sameType(target.type, source.type)) unite(target.array(), source.array());
    }
  }
}

/** An array itself, or its elements in a local. */
function holdsArray({ kind }: Type): boolean {
  return kind === 'array' || kind === 'elements';
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

export function unite(one: ArrayClass, other: ArrayClass): ArrayClass {
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
