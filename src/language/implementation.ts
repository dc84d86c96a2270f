// Where an operator or a library function runs: a closed union, read by the checker (to know what
// may throw), the emitter (to know what to write) and the host (to know what it must supply).

export type Implementation =
  /** One wasm instruction on the operands in order, such as `f64.sqrt`. */
  | { readonly kind: 'instruction'; readonly op: string }
  /** A few instructions that the emitter writes inline; `name` is a key of its intrinsics table. */
  | { readonly kind: 'intrinsic'; readonly name: string; readonly throws: boolean }
  /** A function of the prelude, by name. */
  /** `isGeneric`: it takes arrays of T though the row names ints, which are not as large in all arrays. */
  | { readonly kind: 'prelude'; readonly name: string; readonly isGeneric?: true }
  /** An import that the host supplies, with a permission or without one. */
  | { readonly kind: 'host'; readonly permission: string | null }
  /** A value known at compile time. */
  | { readonly kind: 'constant'; readonly value: number }
  | PluginImplementation;

/** A function of a plugin. */
export interface PluginImplementation {
  readonly kind: 'plugin';
  /** The namespace of the plugin, which its imports come from. */
  readonly plugin: string;
  /** The name of the import. */
  readonly importName: string;
  /**
   * How values reach the plugin: numbers as wasm parameters, either to JavaScript (`direct`) or to another module
   * (`linked`); or all arguments and results that are neither texts nor numbers in the stream (`streamed`).
   */
  readonly way: 'direct' | 'linked' | 'streamed';
  /** The host may suspend the script during the call. */
  readonly waits: boolean;
  /** Everything that a module which calls it relies on, as text: functions with equal texts are the same function. */
  readonly contract: string;
}

export function instruction(op: string): Implementation {
  return { kind: 'instruction', op };
}
export function intrinsic(name: string): Implementation {
  return { kind: 'intrinsic', name, throws: false };
}
/** An intrinsic that can raise a run-time error and therefore needs its place in the source. */
export function throwingIntrinsic(name: string): Implementation {
  return { kind: 'intrinsic', name, throws: true };
}
export function prelude(name: string): Implementation {
  return { kind: 'prelude', name };
}
/** One that takes arrays of T, for a row of arrays of ints or doubles. */
export function genericPrelude(name: string): Implementation {
  return { kind: 'prelude', name, isGeneric: true };
}
export function host(permission: string | null = null): Implementation {
  return { kind: 'host', permission };
}
export function constant(value: number): Implementation {
  return { kind: 'constant', value };
}
