// The options and the result of the emitter.

import type { Manifest } from '../abi/manifest.ts';

/** Guards that are compiled in: what a module counts by itself. */
export interface CompiledGuards {
  /** Count used units, and ask the host from time to time: for the limits of fuel and time. */
  readonly use?: boolean;
  /** Count the depth of nested calls. */
  readonly depth?: boolean;
  /** Count allocations whose size is not fixed, and ask the host from time to time. */
  readonly memory?: boolean;
}

/** The options of the emitter. */
export interface EmitOptions {
  /** Optimise; only turned off to inspect or test the unoptimised code. Default true. */
  readonly optimise?: boolean;
  /** The value that the program was optimised for. */
  readonly iterationsPerCall?: number;
  /** Guards to compile in. Default all of them; `{}` for none. */
  readonly guards?: CompiledGuards;
  /** Also make a source map (version 3, with the sources in it). Default false. */
  readonly sourceMap?: boolean;
  /** Also print the module as text. Default false. */
  readonly text?: boolean;
}

/** A module with its manifest, source map and text. */
export interface EmittedProgram {
  /** A complete module with its manifest. */
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly manifest: Manifest;
  /** JSON text of the source map, or null. */
  readonly sourceMap: string | null;
  /** WebAssembly text, or null. */
  readonly text: string | null;
}
