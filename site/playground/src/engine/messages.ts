// What the page and the engine, a worker with compiler and host, say to each other. All of it is plain data.

import type { FromNetwork, ToNetwork } from '../network/messages.ts';
import type { ToWorkers } from '../workers/page-worker.ts';
import type { Extent, FunctionSize, Manifest, View } from './vocabulary.ts';

export interface Compiled {
  /** Errors, as the command line shows them. */
  readonly errors: readonly string[];
  /** Null for a script with errors. */
  readonly program: {
    readonly manifest: Manifest;
    readonly bytes: number;
    readonly functions: readonly FunctionSize[];
    /** WebAssembly text, where it was asked for. */
    readonly text: string | null;
  } | null;
  readonly milliseconds: number;
}

/** Limits of a run; null for none. */
export interface Limits {
  readonly timeMs: number | null;
  readonly memoryBytes: number | null;
  readonly fuel: number | null;
  readonly outputItems: number | null;
}

/** Files in memory, by their path from the folder of the script. */
export type Files = Readonly<Record<string, string>>;

export interface Source {
  readonly text: string;
  readonly files: Files;
}

export interface RunRequest {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly limits: Limits;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a value looks like: row `view` of the views of a run. `value` is set where it can be drawn or has columns. */
export interface ShownValue {
  readonly view: number;
  readonly text: string;
  readonly value: unknown;
}

export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
}

export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly frames: readonly Frame[];
}

export interface Finished {
  /** Null if it returned nothing, or did not get that far. */
  readonly result: ShownValue | null;
  readonly failure: Failure | null;
  readonly wasStopped: boolean;
  readonly milliseconds: number;
  readonly fuel: number | null;
  readonly files: Files;
}

/** What a script wants, in words: `read the file` and `/home/a.txt`. */
export interface Wish {
  readonly kind: string;
  readonly verb: string;
  readonly object: string;
}

export type Answer = 'once' | 'always' | 'deny';

export type ToEngine =
  | { readonly kind: 'compile'; readonly id: number; readonly source: Source; readonly wantsText: boolean }
  | { readonly kind: 'warm'; readonly id: number }
  | { readonly kind: 'run'; readonly id: number; readonly request: RunRequest }
  | { readonly kind: 'stop' }
  | { readonly kind: 'forget' }
  | { readonly kind: 'answer'; readonly wish: number; readonly answer: Answer }
  | ({ readonly kind: 'from-network' } & FromNetwork)
  | { readonly kind: 'worker-failed'; readonly worker: number; readonly message: string };

export type FromEngine =
  | { readonly kind: 'compiled'; readonly id: number; readonly compiled: Compiled }
  | { readonly kind: 'warmed'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'views'; readonly views: readonly View[] }
  | { readonly kind: 'values'; readonly values: readonly ShownValue[] }
  | { readonly kind: 'finished'; readonly id: number; readonly finished: Finished }
  | { readonly kind: 'wish'; readonly wish: number; readonly what: Wish }
  | ({ readonly kind: 'to-network' } & ToNetwork)
  | ({ readonly kind: 'to-workers' } & ToWorkers);

export type { Extent, Manifest, View };
