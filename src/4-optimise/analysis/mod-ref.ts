// What a piece of a program can change while it runs, by itself and through what it calls: the locals and globals that
// it sets, the fields of structs, and arrays by the type of their elements, since any two arrays of a type may be the
// same.

import { typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { typesAt } from '../../library/effects.ts';
import type { FieldTypes } from '../../library/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { partsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { Location } from '../../mir/effects.ts';
import type { FunctionId, GlobalId, LocalId, Loop, StructId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';

export interface Changes {
  /** Anything may change, since the host may call into the program meanwhile. */
  readonly everything: boolean;
  readonly locals: ReadonlySet<LocalId>;
  readonly globals: ReadonlySet<GlobalId>;
  /** Keys of the element types of arrays that get longer or shorter. */
  readonly resized: ReadonlySet<string>;
  /** Keys of the element types of arrays of which elements are set. */
  readonly stored: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

/** What `Changes` calls a field. */
export function fieldKey(struct: StructId, field: number): string {
  return `${struct}.${field}`;
}

/** If a callee changes more places than this, everything counts as changed, since each loop asks. */
const largest = 5000;

class Collected {
  everything = false;
  readonly locals = new Set<LocalId>();
  readonly globals = new Set<GlobalId>();
  readonly resized = new Set<string>();
  readonly stored = new Set<string>();
  readonly fields = new Set<string>();
  readonly calls = new Set<FunctionId>();

  get size(): number {
    return 1 + this.globals.size + this.resized.size + this.stored.size + this.fields.size + this.calls.size;
  }

  /** Takes over what a callee changes; its locals are its own. */
  add(other: Collected): void {
    this.everything ||= other.everything;
    for (const key of ['globals', 'resized', 'stored', 'fields'] as const)
      for (const item of other[key]) this[key].add(item);
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
  readonly #functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly #registry: LibraryRegistry;
  readonly #fieldsOf: FieldTypes;
  readonly #own = new Map<FunctionId, Collected>();
  /** Without what the functions change that they call. Each of the loops around asks for a loop again. */
  readonly #loops = new WeakMap<Node, Collected>();

  constructor(program: MirProgram) {
    this.#functions = program.functions;
    this.#registry = program.registry;
    this.#fieldsOf = (struct) => program.structs.get(struct)?.fields.map(({ type }) => type) ?? [];
  }

  /** What the nodes change, functions that they call included. */
  of(nodes: readonly Node[]): Changes {
    const found = this.#collect(nodes);
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
    const found = this.#collect(fn.body);
    this.#own.set(id, found);
    return found;
  }

  #collect(nodes: readonly Node[]): Collected {
    const found = new Collected();
    const pending = [...nodes];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind === 'loop') found.addPart(this.#loop(node));
      else {
        this.#note(node, found);
        for (const part of partsOf(node)) pending.push(part);
      }
    }
    return found;
  }

  #loop(loop: Loop): Collected {
    const known = this.#loops.get(loop);
    if (known !== undefined) return known;
    const found = this.#collect(partsOf(loop));
    this.#note(loop, found);
    this.#loops.set(loop, found);
    return found;
  }

  #note(node: Node, found: Collected): void {
    const { writes, calls, waits } = effectsOf(node, this.#registry);
    if (waits) found.everything = true;
    if (calls !== null) found.calls.add(calls);
    for (const location of writes) this.#noteWrite(location, found);
  }

  #noteWrite(location: Location, found: Collected): void {
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
          else found.stored.add(elementKey(type));
        }
        return;
      case 'length':
        for (const type of typesAt(location.type, location.depth, this.#fieldsOf)) found.resized.add(elementKey(type));
        return;
      // Only the nest that puts something there reads it.
      case 'scratch':
    }
  }
}

function elementKey(type: Type): string {
  return type.kind === 'array' ? typeKey(type.element) : typeKey(type);
}
