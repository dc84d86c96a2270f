// Which arrays and structs somebody sees whom the program does not know: the host, json, functions of the library and of
// the prelude. All others are seen by nodes alone that read and set variables, fields and elements, so that a pass may
// lay them out in another way, or follow what is in them.

import { nodesOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, StructId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import type { Type } from '../../language/types.ts';
import { elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass, ArrayClasses } from './alias-classes.ts';
import { functionsOf } from './analyses.ts';
import { fieldKey, localKey } from './assignments.ts';

/** Expressions that give an array which was in the program before, or which the node itself makes. */
export const arrayGivers: ReadonlySet<Node['kind']> = new Set([
  'null',
  'get-local',
  'get-global',
  'get-element',
  'call',
  'new-array',
  'array-literal',
  'conditional',
  'select',
  'sequence',
  'check-null',
]);

/** Nodes that hand an array on, compare it, or read or set what is in it. */
export const arrayTakers: ReadonlySet<Node['kind']> = new Set([
  'set-local',
  'set-global',
  'set-element',
  'get-element',
  'call',
  'return',
  'array-literal',
  'conditional',
  'select',
  'sequence',
  'check-null',
  'is-null',
  'same-object',
  'evaluate',
]);

/** The same of structs, and of arrays in them. */
const givers: ReadonlySet<Node['kind']> = new Set([...arrayGivers, 'get-field', 'struct-literal']);
const takers: ReadonlySet<Node['kind']> = new Set([...arrayTakers, 'get-field', 'set-field', 'struct-literal']);

/** Functions of the library that do with an array what nodes do: passes know what they mean. */
const plainFunctions: ReadonlySet<string> = new Set(['T[].length', 'T[].isEmpty', 'T[].push', 'T[].pop', 'T[].fill']);

export class Exposure {
  readonly #program: MirProgram;
  readonly #arrays: ArrayClasses;
  readonly #exposedArrays = new Set<ArrayClass>();
  readonly #exposedStructs = new Set<StructId>();

  constructor(program: MirProgram, arrays: ArrayClasses) {
    this.#program = program;
    this.#arrays = arrays;
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called) {
      if (fn === null) continue;
      this.#expose(fn.returns, () => arrays.at(`return ${fn.id}`));
      for (const { local } of fn.parameters)
        this.#expose(fn.locals[local]!.type, () => arrays.at(localKey(fn.id, local)));
    }
    for (const fn of functionsOf(program)) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
  }

  /** Whether somebody outside may see the arrays of a class, or have made them. */
  isExposed(array: ArrayClass): boolean {
    const root = rootOf(array);
    return root.isUnknown || this.#exposedArrays.has(root);
  }

  /** The same of the structs of a declaration. */
  isExposedStruct(struct: StructId): boolean {
    return this.#exposedStructs.has(struct);
  }

  #note(fn: MirFunction, node: Node): void {
    const isInside = node.kind === 'call' && this.#program.functions.has(node.function);
    const isPlain = node.kind === 'library-call' && plainFunctions.has(node.function);
    // An array of arrays that gets shorter gives one that was in it.
    const gives = node.kind === 'call' ? isInside : isPlain || !('type' in node) || givers.has(node.kind);
    const takes = node.kind === 'call' ? isInside : isPlain || takers.has(node.kind);
    if (!gives && 'type' in node) this.#exposeValue(fn, node);
    if (!takes) for (const part of partsOf(node)) if ('type' in part) this.#exposeValue(fn, part);
  }

  #exposeValue(fn: MirFunction, node: Expression): void {
    this.#expose(node.type, () => this.#arrays.of(fn, node));
  }

  /** All that can be reached from a value of the type is exposed; `array` gives its class where it is an array. */
  #expose(type: Type, array: () => ArrayClass): void {
    if (type.kind === 'array') {
      const own = array();
      this.#exposedArrays.add(rootOf(own));
      this.#expose(type.element, () => elementsOf(own));
    }
    if (type.kind !== 'struct' || this.#exposedStructs.has(type.id)) return;
    this.#exposedStructs.add(type.id);
    this.#program.structs.get(type.id)?.fields.forEach((field, index) => {
      this.#expose(field.type, () => this.#arrays.at(fieldKey(type.id, index)));
    });
  }
}
