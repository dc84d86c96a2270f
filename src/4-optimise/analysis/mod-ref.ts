// What a piece of a program can change while it runs, by itself and through what it calls: the locals and globals that
// it sets, the fields of structs, and arrays, by the type of their elements and by which of them may be the same
// (array-aliases.ts).

import { typesAt } from '../../library/effects.ts';
import type { FieldTypes } from '../../library/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { partsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { Location } from '../../mir/effects.ts';
import type { Expression, FunctionId, GlobalId, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { ArrayAliases } from './array-aliases.ts';
import { ArrayWrites, writtenAt } from './array-writes.ts';
import { fieldKey } from './assignments.ts';

export interface Changes {
  /** Anything may change, since the host may call into the program meanwhile. */
  readonly everything: boolean;
  readonly locals: ReadonlySet<LocalId>;
  readonly globals: ReadonlySet<GlobalId>;
  readonly fields: ReadonlySet<string>;
  /** Whether the array that an expression of the function gives may get longer or shorter. */
  readonly mayResize: (array: Expression) => boolean;
  /** Whether an element of that array may be set. */
  readonly mayStore: (array: Expression) => boolean;
}

/** What is asked where constants alone will do. */
export const everythingChanges: Changes = {
  everything: true,
  locals: new Set(),
  globals: new Set(),
  fields: new Set(),
  mayResize: () => true,
  mayStore: () => true,
};

/** If a callee changes more places than this, everything counts as changed, since each loop asks. */
const largest = 5000;

class Collected {
  everything = false;
  readonly locals = new Set<LocalId>();
  readonly globals = new Set<GlobalId>();
  readonly resized = new ArrayWrites();
  readonly stored = new ArrayWrites();
  readonly fields = new Set<string>();
  readonly calls = new Set<FunctionId>();

  get size(): number {
    return 1 + this.globals.size + this.resized.size + this.stored.size + this.fields.size + this.calls.size;
  }

  /** Takes over what a callee changes; its locals are its own. */
  add(other: Collected): void {
    this.everything ||= other.everything;
    for (const key of ['globals', 'fields'] as const) for (const item of other[key]) this[key].add(item);
    for (const key of ['resized', 'stored'] as const) this[key].addAll(other[key]);
  }

  /** Takes over what a part of the same function changes. */
  addPart(other: Collected): void {
    this.add(other);
    for (const local of other.locals) this.locals.add(local);
    for (const callee of other.calls) this.calls.add(callee);
  }
}

/** The changes of every function of a program, found out when they are asked for. */
export class ProgramChanges {
  readonly #program: MirProgram;
  readonly #functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly #registry: LibraryRegistry;
  readonly #fieldsOf: FieldTypes;
  readonly #own = new Map<FunctionId, Collected>();
  /** Without what the functions change that they call. Each of the loops around asks for a loop again. */
  readonly #loops = new WeakMap<Node, Collected>();
  /** Made where an array is asked for and one of its type is written. */
  #aliases: ArrayAliases | null = null;

  constructor(program: MirProgram) {
    this.#program = program;
    this.#functions = program.functions;
    this.#registry = program.registry;
    this.#fieldsOf = (struct) => program.structs.get(struct)?.fields.map(({ type }) => type) ?? [];
  }

  /** What nodes of a function change, functions that they call included. */
  of(nodes: readonly Node[], fn: MirFunction): Changes {
    const { everything, locals, globals, fields, resized, stored } = this.#withCallees(nodes, fn);
    const isIn =
      (writes: ArrayWrites) =>
      (array: Expression): boolean =>
        everything || writes.mayBe(fn, array, () => (this.#aliases ??= new ArrayAliases(this.#program)));
    return { everything, locals, globals, fields, mayResize: isIn(resized), mayStore: isIn(stored) };
  }

  #withCallees(nodes: readonly Node[], fn: MirFunction): Collected {
    const found = this.#collect(nodes, fn);
    let size = 0;
    // What is added while walking is walked too.
    for (const id of found.calls) {
      const callee = this.#callee(id);
      size += callee?.size ?? 0;
      if (callee === null || size > largest) {
        found.everything = true;
        // Everything counts as changed already.
        return found;
      }
      found.add(callee);
      for (const next of callee.calls) found.calls.add(next);
    }
    return found;
  }

  #callee(id: FunctionId): Collected | null {
    const known = this.#own.get(id);
    if (known !== undefined) return known;
    const fn = this.#functions.get(id);
    if (fn === undefined) return null;
    const found = this.#collect(fn.body, fn);
    this.#own.set(id, found);
    return found;
  }

  #collect(nodes: readonly Node[], fn: MirFunction): Collected {
    const found = new Collected();
    const pending = [...nodes];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind === 'loop') found.addPart(this.#loop(node, fn));
      else {
        this.#note(node, fn, found);
        for (const part of partsOf(node)) pending.push(part);
      }
    }
    return found;
  }

  #loop(loop: Loop, fn: MirFunction): Collected {
    const known = this.#loops.get(loop);
    if (known !== undefined) return known;
    const found = this.#collect(partsOf(loop), fn);
    this.#note(loop, fn, found);
    this.#loops.set(loop, found);
    return found;
  }

  #note(node: Node, fn: MirFunction, found: Collected): void {
    const { writes, calls, waits } = effectsOf(node, this.#registry);
    if (waits) found.everything = true;
    if (calls !== null) found.calls.add(calls);
    for (const location of writes) this.#noteWrite(location, node, fn, found);
  }

  #noteWrite(location: Location, node: Node, fn: MirFunction, found: Collected): void {
    switch (location.kind) {
      case 'local':
        found.locals.add(location.local);
        return;
      case 'global':
        found.globals.add(location.global);
        return;
      case 'field':
        found.fields.add(fieldKey(location.struct, location.field));
        return;
      case 'contents':
        for (const type of typesAt(location.type, location.depth, this.#fieldsOf)) {
          if (type.kind === 'struct')
            this.#fieldsOf(type.id).forEach((_, field) => found.fields.add(fieldKey(type.id, field)));
          else found.stored.add(type, writtenAt(node, location, fn));
        }
        return;
      case 'length':
        for (const type of typesAt(location.type, location.depth, this.#fieldsOf))
          found.resized.add(type, writtenAt(node, location, fn));
        return;
      // Only the nest that puts something there reads it.
      case 'scratch':
    }
  }
}
