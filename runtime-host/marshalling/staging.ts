// The staging memory of a script: int[] and double[] cross in chunks through it, without a call for each element. While
// an instance has one, only that instance writes to it. A returned memory is wiped and reused, which is faster than
// making a new one.

import { runtimeModule, stagingBytes, stagingImport } from '../../src/abi/imports.ts';

export type Numbers = Float64Array | BigInt64Array;

export class Staging {
  readonly memory = new WebAssembly.Memory({ initial: stagingBytes / 65_536, maximum: stagingBytes / 65_536 });
  readonly #doubles = new Float64Array(this.memory.buffer);
  readonly #ints = new BigInt64Array(this.memory.buffer);

  /** Copies `count` elements of an array, from index `at` on, to where the module loads them. */
  put(source: Numbers, at: number, count: number): void {
    const part = at === 0 && count === source.length ? source : source.subarray(at, at + count);
    if (part instanceof Float64Array) this.#doubles.set(part);
    else this.#ints.set(part);
  }

  /** Copies the `count` elements that the module has stored into an array, from index `at` on. */
  take(target: Numbers, at: number, count: number): void {
    if (target instanceof Float64Array)
      target.set(count === this.#doubles.length ? this.#doubles : this.#doubles.subarray(0, count), at);
    else target.set(count === this.#ints.length ? this.#ints : this.#ints.subarray(0, count), at);
  }

  wipe(): void {
    this.#doubles.fill(0);
  }
}

/** At most so many free memories are kept. */
const mostFree = 4;

/** The staging memories of a script's instances. */
export class StagingPool {
  readonly #free: Staging[] = [];

  take(): Staging {
    return this.#free.pop() ?? new Staging();
  }

  /** Takes back the memory of an instance of which nothing runs any more. */
  give(staging: Staging): void {
    if (this.#free.length >= mostFree) return;
    staging.wipe();
    this.#free.push(staging);
  }
}

/** Null for a module that does not import the memory. */
export function stagingOf(module: WebAssembly.Module): StagingPool | null {
  const isImported = WebAssembly.Module.imports(module).some(
    ({ module: from, name, kind }) => kind === 'memory' && from === runtimeModule && name === stagingImport,
  );
  return isImported ? new StagingPool() : null;
}
