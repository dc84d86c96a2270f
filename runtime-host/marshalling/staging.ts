// The memory of a script: int[] and double[] cross in chunks through its first page, without a call for each element,
// and loop nests work in it, for which it may grow where a module says so. While an instance has one, only that one
// writes to it. A returned memory is wiped and reused, which is faster than making a new one.

import { mostScratchPages, runtimeModule, scratchImport, stagedNumbers, stagingImport } from '../../src/abi/imports.ts';
import { HostError } from '../errors/errors.ts';
import { floor, max, min } from '../primordials/untampered.ts';

export type Numbers = Float64Array | BigInt64Array;

export class Staging {
  readonly memory: WebAssembly.Memory;
  readonly maximum: number;
  #doubles!: Float64Array;
  #ints!: BigInt64Array;

  constructor(maximum: number) {
    this.maximum = maximum;
    this.memory = makeMemory(maximum);
    this.#look();
  }

  /** Views end when the memory grows. */
  #look(): void {
    if (this.#doubles?.length > 0) return;
    this.#doubles = new Float64Array(this.memory.buffer, 0, stagedNumbers);
    this.#ints = new BigInt64Array(this.memory.buffer, 0, stagedNumbers);
  }

  /** Copies `count` elements of an array, from index `at` on, to where the module loads them. */
  put(source: Numbers, at: number, count: number): void {
    const part = at === 0 && count === source.length ? source : source.subarray(at, at + count);
    this.#look();
    if (part instanceof Float64Array) this.#doubles.set(part);
    else this.#ints.set(part);
  }

  /** Copies the `count` elements that the module has stored into an array, from index `at` on. */
  take(target: Numbers, at: number, count: number): void {
    this.#look();
    if (target instanceof Float64Array)
      target.set(count === this.#doubles.length ? this.#doubles : this.#doubles.subarray(0, count), at);
    else target.set(count === this.#ints.length ? this.#ints : this.#ints.subarray(0, count), at);
  }

  /** Whether it is worth keeping: what nests have used is wiped too. */
  wipe(): boolean {
    const { buffer } = this.memory;
    if (buffer.byteLength > mostKept) return false;
    new Uint8Array(buffer).fill(0);
    return true;
  }
}

/** Engines set aside gigabytes of addresses for each memory: a page of Chromium has room for about 125. */
function makeMemory(maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum });
  } catch (error) {
    throw new HostError('the engine has no room for another memory: too many scripts are kept', { cause: error });
  }
}

/** At most so many free memories are kept, none of them larger in bytes. */
const mostFree = 4;
const mostKept = 1 << 24;

/** The staging memories of a script's instances. */
export class StagingPool {
  readonly #free: Staging[] = [];
  readonly #maximum: number;

  /** In pages. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** For a run that may have so many bytes. */
  take(bytes = Infinity): Staging {
    const maximum = max(min(this.#maximum, floor(bytes / 65_536)), 1);
    const at = this.#free.findIndex((staging) => staging.maximum === maximum);
    return at < 0 ? new Staging(maximum) : this.#free.splice(at, 1)[0]!;
  }

  /** Takes back the memory of an instance of which nothing runs any more. */
  give(staging: Staging): void {
    if (this.#free.length < mostFree && staging.wipe()) this.#free.push(staging);
  }
}

/** Null for a module that does not import the memory. */
export function stagingOf(module: WebAssembly.Module): StagingPool | null {
  const imported = WebAssembly.Module.imports(module).find(
    ({ module: from, kind }) => kind === 'memory' && from === runtimeModule,
  );
  return imported === undefined ? null : new StagingPool(imported.name === scratchImport ? mostScratchPages : 1);
}

/** The memory as a module may import it. */
export function memoryImports(staging: Staging | null): Readonly<Record<string, WebAssembly.Memory>> {
  return staging === null ? {} : { [stagingImport]: staging.memory, [scratchImport]: staging.memory };
}
