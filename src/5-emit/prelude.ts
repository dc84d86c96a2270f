// The prelude: runtime support in the language itself, which is checked when the compiler is built, and stored as Mir.
// A function's tree is read when a program first needs it.

import type { FunctionId, StructId } from '../mir/mir.ts';
import type { MirFunction, Global, Struct } from '../mir/program.ts';
import { createSourceFile } from '../source.ts';
import type { Span } from '../source.ts';

/** The output of `tools/build-prelude.ts`. */
export interface StoredPrelude {
  /** Trees as text, without spans. */
  readonly functions: Readonly<Record<FunctionId, string>>;
  /** Lists of globals and structs, in the same form. */
  readonly globals: string;
  readonly structs: string;
  /** Functions that can raise a run-time error. */
  readonly throwing: readonly FunctionId[];
}

const runtimeFile = createSourceFile('<runtime>', '');
const runtimeSpan: Span = { file: runtimeFile, start: 0, end: 0 };

export class Prelude {
  readonly #stored: StoredPrelude;
  readonly #throwing: ReadonlySet<FunctionId>;
  readonly #read = new Map<FunctionId, MirFunction>();
  #globals: readonly Global[] | null = null;
  #structs: ReadonlyMap<StructId, Struct> | null = null;

  constructor(stored: StoredPrelude) {
    this.#stored = stored;
    this.#throwing = new Set(stored.throwing);
  }

  function(id: FunctionId): MirFunction {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const text = this.#stored.functions[id];
    if (text === undefined) throw new Error(`no function ${id}`);
    const fn = revive(JSON.parse(text)) as MirFunction;
    this.#read.set(id, fn);
    return fn;
  }

  throws(id: FunctionId): boolean {
    return this.#throwing.has(id);
  }

  get structs(): ReadonlyMap<StructId, Struct> {
    this.#structs ??= new Map(
      (revive(JSON.parse(this.#stored.structs)) as Struct[]).map((struct) => [struct.id, struct]),
    );
    return this.#structs;
  }

  global(id: string): Global {
    this.#globals ??= revive(JSON.parse(this.#stored.globals)) as Global[];
    const global = this.#globals.find((candidate) => candidate.id === id);
    if (global === undefined) throw new Error(`no global ${id}`);
    return global;
  }
}

/** Writes a tree as text: big integers, and doubles that JSON lacks, are marked; spans are left out. */
export function storeTree(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'span') return 0;
    if (typeof value === 'bigint') return { $int: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $double: Object.is(value, -0) ? '-0' : String(value) };
    return value;
  });
}

/** Replaces marked values in the tree itself: twice as fast as a reviver of JSON.parse. */
function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = revive(value[at]);
    return value;
  }
  const node = value as Record<string, unknown>;
  if (node['$int'] !== undefined) return BigInt(node['$int'] as string);
  if (node['$double'] !== undefined) return Number(node['$double']);
  for (const key in node) {
    const part = node[key];
    if (key === 'span') node[key] = runtimeSpan;
    else if (typeof part === 'object' && part !== null) node[key] = revive(part);
  }
  return node;
}
