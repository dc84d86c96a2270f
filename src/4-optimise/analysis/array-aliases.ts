// Whether two arrays of a program may be the same: those of different classes (alias-classes.ts) never are. Arrays from
// outside are all in one class for each type, since nobody has seen how they were made.

import { isCall } from '../../mir/kinds.ts';
import type { Node } from '../../mir/children.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Expression, LibraryCall } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import { ArrayClasses, elementsOf, rootOf, unite } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { fieldKey, localKey } from './assignments.ts';

/**
 * An array that is written: that of a local, a global or a field by its key, that which an expression gives, or those
 * that an operand of a call leads to.
 */
export type WrittenArray =
  | string
  | { readonly fn: MirFunction; readonly array: Expression }
  | { readonly fn: MirFunction; readonly call: LibraryCall; readonly place: Place };

export class ArrayAliases {
  readonly #program: MirProgram;
  readonly #classes: ArrayClasses;

  constructor(program: MirProgram) {
    this.#program = program;
    const functions = [...program.functions.values(), program.initialiser, program.entry].filter((fn) => fn !== null);
    this.#classes = new ArrayClasses(program, functions);
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called)
      for (const { local } of fn?.parameters ?? [])
        this.#takeIn(fn!.locals[local]!.type, () => this.#classes.at(localKey(fn!.id, local)));
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
    this.#classes.complete();
  }

  /** Whether an array that something in the program writes may be the one that an expression of a function gives. */
  mayBe(written: WrittenArray, fn: MirFunction, array: Expression): boolean {
    // A value of json may be the same array as one of an array of json.
    if (array.type.kind !== 'array' || array.type.element.kind === 'json') return true;
    const own = this.#classes.of(fn, array);
    return own.isUnknown || this.#classesOf(written, array.type).some((one) => one.isUnknown || rootOf(one) === own);
  }

  #classesOf(written: WrittenArray, type: Type): readonly ArrayClass[] {
    if (typeof written === 'string') return [this.#classes.at(written)];
    if ('array' in written) return [this.#classes.of(written.fn, written.array)];
    const { fn, call, place } = written;
    const key = typeKey(type);
    return this.#classes.placesAt(fn, call, place).flatMap((one) => (typeKey(one.type) === key ? [one.array()] : []));
  }

  /** What a call gives that is no function of the program, and what is stored in its arguments, come from outside. */
  #note(fn: MirFunction, node: Node): void {
    if (!isCall(node)) return;
    if (node.kind === 'call') {
      if (this.#program.functions.has(node.function)) return;
      for (const part of [node, ...node.arguments]) this.#takeIn(part.type, () => this.#classes.of(fn, part));
      return;
    }
    const { stores, isClosed } = this.#program.registry.byId(node.function).effects;
    if (isClosed) return;
    for (const place of [{ of: 'result', depth: 'itself' } as const, ...stores])
      for (const { type, array } of this.#classes.placesAt(fn, node, place)) this.#takeIn(type, array);
  }

  /** The arrays that can be reached from a value of the type are in the classes of those from outside. */
  #takeIn(type: Type, array: () => ArrayClass, seen: Set<string> = new Set()): void {
    if (type.kind === 'array') {
      unite(this.#classes.at(`outside ${typeKey(type)}`), array());
      this.#takeIn(type.element, () => elementsOf(array()), seen);
    }
    if (type.kind !== 'struct' || seen.has(type.id)) return;
    seen.add(type.id);
    this.#program.structs.get(type.id)?.fields.forEach((field, index) => {
      this.#takeIn(field.type, () => this.#classes.at(fieldKey(type.id, index)), seen);
    });
  }
}
