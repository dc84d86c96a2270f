// What the emitter hands over.

import type { Manifest } from '../abi/manifest.ts';

/** Guards that are compiled in: what a module keeps count of by itself. */
export interface CompiledGuards {
  /** Count what is used, and ask the host now and then: for the limits of fuel and of time. */
  readonly use?: boolean;
  /** Count how deep calls are nested. */
  readonly depth?: boolean;
  /** Count what is allocated whose size is not fixed, and ask the host now and then. */
  readonly memory?: boolean;
}

/** How a module is made. */
export interface EmitOptions {
  /** Optimise; off only to look at what was written or to test it. Default true. */
  readonly optimise?: boolean;
  /** As the program was optimised for. */
  readonly iterationsPerCall?: number;
  /** Guards to compile in. Default all of them; `{}` for none. */
  readonly guards?: CompiledGuards;
  /** Also make a source map (version 3, with the sources in it). Default false. */
  readonly sourceMap?: boolean;
  /** Also print the module as text. Default false. */
  readonly text?: boolean;
}

/** A module that was made, and what it is accompanied by. */
export interface EmittedProgram {
  /** A complete module, the manifest inside. */
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly manifest: Manifest;
  /** JSON text of the source map, or null. */
  readonly sourceMap: string | null;
  /** WebAssembly text, or null. */
  readonly text: string | null;
}
