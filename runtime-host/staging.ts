// The staging memory of a script: int[] and double[] go through it in chunks, instead of a call for each
// element. The runs of a script share it, since a chunk is taken out as soon as it is in; what a run has put
// there is wiped when it ends.

import { runtimeModule, stagingBytes, stagingImport } from '../src/abi/imports.ts';

export type Numbers = Float64Array | BigInt64Array;

export class Staging {
  readonly memory = new WebAssembly.Memory({ initial: stagingBytes / 65_536, maximum: stagingBytes / 65_536 });
  readonly #doubles = new Float64Array(this.memory.buffer);
  readonly #ints = new BigInt64Array(this.memory.buffer);
  /** Elements that have been used since the last wiping, from the first on. */
  #used = 0;

  /** Copies `count` elements of an array, from `at` on, to where the module loads them. */
  put(source: Numbers, at: number, count: number): void {
    if (count > this.#used) this.#used = count;
    const part = at === 0 && count === source.length ? source : source.subarray(at, at + count);
    if (part instanceof Float64Array) this.#doubles.set(part);
    else this.#ints.set(part);
  }

  /** Copies the `count` elements that the module has stored into an array, from `at` on. */
  take(target: Numbers, at: number, count: number): void {
    if (count > this.#used) this.#used = count;
    if (target instanceof Float64Array) target.set(count === this.#doubles.length ? this.#doubles : this.#doubles.subarray(0, count), at);
    else target.set(count === this.#ints.length ? this.#ints : this.#ints.subarray(0, count), at);
  }

  wipe(): void {
    if (this.#used === 0) return;
    this.#doubles.fill(0, 0, this.#used);
    this.#used = 0;
  }
}

/** Null for a module that does not ask for the memory. */
export function stagingOf(module: WebAssembly.Module): Staging | null {
  const isImported = WebAssembly.Module.imports(module).some(({ module: from, name, kind }) => kind === 'memory' && from === runtimeModule && name === stagingImport);
  return isImported ? new Staging() : null;
}
