// Locals that are spilled to globals: those of a function that returns at an OSR entry, and the live-outs of an
// outlined loop. Nothing else runs between spill and reload, so all functions share the same globals.

import type { ExpressionRef, WasmModule, WasmType } from './binaryen.ts';
import type { Emitter } from './emitter.ts';

/** A wasm local. */
export interface Variable {
  readonly local: number;
  readonly type: WasmType;
}

/** A local and the global to which it is spilled. */
export interface Kept extends Variable {
  readonly global: string;
}

/** Locals with their globals: the first local of a type has the first global of that type, and so on. */
export class SpilledLocals {
  readonly #emitter: Emitter;
  readonly #kept = new Map<number, Kept>();
  readonly #taken = new Map<WasmType, number>();

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** The variables with their globals, which are allocated if necessary. */
  keep(variables: readonly Variable[]): readonly Kept[] {
    return variables.map((variable) => this.#kept.get(variable.local) ?? this.#add(variable));
  }

  /** All variables that have a global. */
  all(): readonly Kept[] {
    return [...this.#kept.values()];
  }

  #add({ local, type }: Variable): Kept {
    const index = this.#taken.get(type) ?? 0;
    this.#taken.set(type, index + 1);
    const kept = { local, type, global: declareKept(this.#emitter, type, index) };
    this.#kept.set(local, kept);
    return kept;
  }
}

function declareKept(emitter: Emitter, type: WasmType, index: number): string {
  // Binaryen's numbers for types differ between processes.
  const types = emitter.once('kept types', () => new Map<WasmType, number>());
  if (!types.has(type)) types.set(type, types.size);
  const name = `$kept${types.get(type)}.${index}`;
  emitter.declare(name, () => emitter.module.addGlobal(name, type, true, emitter.zero(type)));
  return name;
}

export function emitSpill(m: WasmModule, { global, local, type }: Kept): ExpressionRef {
  return m.global.set(global, m.local.get(local, type));
}

export function emitReload(m: WasmModule, { global, local, type }: Kept): ExpressionRef {
  return m.local.set(local, m.global.get(global, type));
}
