// Which places may hold null: variables, parameters, results, fields, and the elements of the arrays of a class. A place
// holds none if nothing that may be null is ever assigned to it, whatever the order in which things happen.
//
// Source: a forward analysis of the whole program without regard to the flow of control, as that of
// alias-classes.ts, whose classes it asks.

import { flatten, nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, every } from '../../mir/effects.ts';
import { isWorkedOut } from '../../mir/kinds.ts';
import { isNeverNull } from '../../mir/never-null.ts';
import type { Expression, GlobalId, SetElement, Statement } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isNullable } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass, ArrayClasses } from './alias-classes.ts';
import { functionsOf } from './analyses.ts';
import { assignmentsOf, fieldKey, localKey } from './assignments.ts';
import type { Target } from './assignments.ts';
import type { Exposure } from './exposure.ts';

/** A variable, a field or a result by its key, or the elements of a class. */
type Place = string | ArrayClass;

interface Flow {
  readonly to: Place;
  readonly fn: MirFunction;
  readonly value: Expression;
}

export class NullPlaces {
  readonly #program: MirProgram;
  readonly #arrays: ArrayClasses;
  readonly #exposure: Exposure;
  readonly #places = new Set<Place>();
  readonly #filled: ReadonlyMap<Expression, SetElement>;

  /** `filled` are the arrays that are filled behind `new` (filled-arrays.ts). */
  constructor(
    program: MirProgram,
    arrays: ArrayClasses,
    exposure: Exposure,
    filled: ReadonlyMap<Expression, SetElement>,
  ) {
    this.#program = program;
    this.#arrays = arrays;
    this.#exposure = exposure;
    const functions = functionsOf(program);
    this.#filled = filled;
    for (const { id, value } of program.globals.values())
      if (value === null ? !isSetFirst(program, id) : value.kind === 'null') this.#places.add(`global ${id}`);
    for (const fn of [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)])
      for (const { local } of fn?.parameters ?? []) this.#places.add(localKey(fn!.id, local));
    const flows: Flow[] = [];
    for (const fn of functions) visitAll(nodesOf(fn), (node) => flows.push(...this.#flowsOf(fn, node)));
    for (let before = -1; before !== this.#places.size;) {
      before = this.#places.size;
      for (const { to, fn, value } of flows)
        if (!this.#places.has(to) && this.mayBeNull(fn, value)) this.#places.add(to);
    }
  }

  /** Whether an element of an array of the class may be null. */
  hasNull(array: ArrayClass): boolean {
    return this.#exposure.isExposed(array) || this.#places.has(rootOf(array));
  }

  mayBeNull(fn: MirFunction, node: Expression): boolean {
    if (!isNullable(node.type) || isNeverNull(node)) return false;
    if (isWorkedOut(node)) return true;
    switch (node.kind) {
      case 'get-local':
        return this.#places.has(localKey(fn.id, node.local));
      case 'get-global':
        return this.#places.has(`global ${node.global}`);
      case 'get-field':
        return this.#exposure.isExposedStruct(node.struct) || this.#places.has(fieldKey(node.struct, node.field));
      case 'get-element':
        return this.hasNull(this.#arrays.of(fn, node.array));
      case 'call':
        return !this.#program.functions.has(node.function) || this.#places.has(`return ${node.function}`);
      case 'library-call':
        return node.function !== 'T[].pop' || this.hasNull(this.#arrays.of(fn, node.arguments[0]!));
      case 'conditional':
      case 'select':
        return this.mayBeNull(fn, node.then) || this.mayBeNull(fn, node.otherwise);
      case 'check-null':
        return false;
      case 'sequence':
        return this.mayBeNull(fn, node.value);
      case 'get-hoisted':
      case 'built-text':
        return true;
    }
  }

  #flowsOf(fn: MirFunction, node: Node): readonly Flow[] {
    if (node.kind === 'new-array' && !this.#filled.has(node))
      this.#noteNew(node.type, node.lengths.length, this.#arrays.of(fn, node));
    if (node.kind === 'try') for (const { local } of node.clauses) this.#places.add(localKey(fn.id, local));
    if (node.kind === 'library-call' && (node.function === 'T[].push' || node.function === 'T[].fill')) {
      const [array, value] = node.arguments as readonly [Expression, Expression];
      return isNullable(value.type) ? [{ to: rootOf(this.#arrays.of(fn, array)), fn, value }] : [];
    }
    return assignmentsOf(this.#program, fn, node)
      .filter(({ value }) => isNullable(value.type))
      .map(({ target, value, fn: of }) => ({ to: this.#placeOf(of, target), fn: of, value }));
  }

  #placeOf(fn: MirFunction, target: Target): Place {
    return typeof target === 'string' ? target : rootOf(this.#arrays.ofHolder(fn, target));
  }

  /** The elements of a new array are null, or arrays of the next length. */
  #noteNew(type: Type, lengths: number, made: ArrayClass): void {
    if (type.kind !== 'array' || !isNullable(type.element)) return;
    if (lengths === 1) this.#places.add(rootOf(made));
    else this.#noteNew(type.element, lengths - 1, elementsOf(made));
  }
}

/** Whether a global is set before anybody can read it: by what runs first, which calls nobody until then. */
function isSetFirst({ initialiser, entry, entrySetsGlobals, exports, registry }: MirProgram, id: GlobalId): boolean {
  const first = [
    ...(entrySetsGlobals ? [entry] : []),
    ...(!entrySetsGlobals || exports.length > 0 ? [initialiser] : []),
  ];
  return first.every((fn) => fn !== null && isSetIn(fn.body, id, registry));
}

function isSetIn(body: readonly Statement[], id: GlobalId, registry: LibraryRegistry): boolean {
  const statements = flatten(body);
  const at = statements.findIndex((node) => node.kind === 'set-global' && node.global === id);
  return (
    at >= 0 &&
    every(statements.slice(0, at + 1), (node) => {
      const { calls, waits, isExternal } = effectsOf(node, registry);
      // Small functions that read it have been inlined.
      const isRead = node.kind === 'get-global' && node.global === id;
      return !isRead && calls === null && !waits && !isExternal;
    })
  );
}
