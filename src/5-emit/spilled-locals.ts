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
export interface SpilledLocal extends Variable {
  readonly global: string;
}

/** Locals with their globals: the first local of a type has the first global of that type, and so on. */
export class SpilledLocals {
  readonly #emitter: Emitter;
  readonly #spilled = new Map<number, SpilledLocal>();
  readonly #taken = new Map<WasmType, number>();

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** The variables with their globals, which are allocated if necessary. */
  spill(variables: readonly Variable[]): readonly SpilledLocal[] {
    return variables.map((variable) => this.#spilled.get(variable.local) ?? this.#add(variable));
  }

  /** All variables that have a global. */
  all(): readonly SpilledLocal[] {
    return [...this.#spilled.values()];
  }

  #add({ local, type }: Variable): SpilledLocal {
    const index = this.#taken.get(type) ?? 0;
    this.#taken.set(type, index + 1);
    const spilled = { local, type, global: declareGlobal(this.#emitter, type, index) };
    this.#spilled.set(local, spilled);
    return spilled;
  }
}

function declareGlobal(emitter: Emitter, type: WasmType, index: number): string {
  // Binaryen's numbers for types differ between processes.
  const types = emitter.once('spilled types', () => new Map<WasmType, number>());
  if (!types.has(type)) types.set(type, types.size);
  const name = `$spill${types.get(type)}.${index}`;
  emitter.declare(name, () => emitter.module.addGlobal(name, type, true, emitter.zero(type)));
  return name;
}

export function emitSpill(m: WasmModule, { global, local, type }: SpilledLocal): ExpressionRef {
  return m.global.set(global, m.local.get(local, type));
}

export function emitReload(m: WasmModule, { global, local, type }: SpilledLocal): ExpressionRef {
  return m.local.set(local, m.global.get(global, type));
}
