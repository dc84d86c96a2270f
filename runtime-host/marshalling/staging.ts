// The memory of a script: int[] and double[] cross in chunks through its first page, without a call for each element.
// Loop nests work in it, and arrays on the stack lie there, for which it may grow where a module says so. While an
// instance has one, only that one writes to it. A returned memory is wiped and reused, by whichever script comes next:
// making a new one is slower, and takes addresses that the engine gives back late.

import {
  mostScratchPages,
  mostStackPages,
  runtimeModule,
  scratchImport,
  stackImport,
  stagedNumbers,
  stagingImport,
} from '../../src/abi/imports.ts';
import { HostError } from '../errors/errors.ts';
import { floor, max, min, timeNow } from '../primordials/untampered.ts';

const pageBytes = 65_536;

export type Numbers = Float64Array | BigInt64Array;

export class Staging {
  readonly memory: WebAssembly.Memory;
  readonly maximum: number;
  /** When the instance that has it took it. */
  takenAt = 0;
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

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** What nests have used is wiped too. */
  wipe(): void {
    new Uint8Array(this.memory.buffer).fill(0);
  }
}

interface FreeStaging {
  readonly staging: Staging;
  /** Who alone may take it: how far a memory has grown, another script must not see. Null for one that has not. */
  readonly owner: StagingPool | null;
}

/** Pages beside the arrays on the stack: that of the boundary, and one for what is left of the last one. */
const besideArrays = 2;

/** At most so many free memories are kept, of so many bytes each and together. */
const mostFree = 16;
const mostBytes = 1 << 26;
const mostBytesTogether = 1 << 26;
/** So many are wiped in no time, and so many in a millisecond. */
const fewBytes = 1 << 20;
const wipedEachMs = 1 << 23;

/** The free memories of all scripts of the thread, wiped, in the order in which they came back. */
const free: FreeStaging[] = [];

/** Some engines set addresses aside for as much as a memory may have: with fewer a script that needs less runs. */
function makeMemory(maximum: number): WebAssembly.Memory {
  const make = (most: number): WebAssembly.Memory =>
    withRoom(
      () => new WebAssembly.Memory({ initial: 1, maximum: most }),
      () => true,
    );
  try {
    return make(maximum);
  } catch (error) {
    if (maximum <= mostScratchPages) throw error;
    return make(mostScratchPages);
  }
}

/**
 * What `make` makes out of addresses, of which engines have few: a page of Chromium has room for about 125 memories.
 * Throws HostError where there is no room even without the free memories; `isForRoom` tells that from other errors.
 */
export function withRoom<Made>(make: () => Made, isForRoom: (error: unknown) => boolean): Made {
  for (;;) {
    try {
      return make();
    } catch (error) {
      if (!isForRoom(error)) throw error;
      if (free.length === 0)
        throw new HostError('the engine has no room for another memory: too many scripts are kept', { cause: error });
      free.length = 0;
    }
  }
}

/** The staging memories of a script's instances, or of a plugin's. */
export class StagingPool {
  readonly #maximum: number;

  /** In pages. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** For a run that may have so many bytes. */
  take(bytes = Infinity): Staging {
    const room = floor(bytes / pageBytes) + (this.#maximum === mostStackPages ? besideArrays : 0);
    const maximum = max(min(this.#maximum, room), 1);
    const find = (wanted: StagingPool | null): number =>
      free.findLastIndex(({ staging, owner }) => owner === wanted && staging.maximum === maximum);
    const own = find(this);
    const at = own < 0 ? find(null) : own;
    const staging = at < 0 ? new Staging(maximum) : free.splice(at, 1)[0]!.staging;
    staging.takenAt = timeNow();
    return staging;
  }

  /** Takes back the memory of an instance of which nothing runs any more. */
  give(staging: Staging): void {
    // A short run need not pay for how much a long one had: wiping it would take longer than the run.
    const isShort = staging.bytes > fewBytes && (timeNow() - staging.takenAt) * wipedEachMs < staging.bytes;
    if (staging.bytes > mostBytes || isShort) return;
    staging.wipe();
    free.push({ staging, owner: staging.bytes > pageBytes ? this : null });
    let bytes = free.reduce((sum, one) => sum + one.staging.bytes, 0);
    while (free.length > mostFree || bytes > mostBytesTogether) bytes -= free.shift()!.staging.bytes;
  }
}

const pools = new WeakMap<WebAssembly.Module, StagingPool | null>();

/** Null for a module that does not import the memory. */
export function stagingOf(module: WebAssembly.Module): StagingPool | null {
  let pool = pools.get(module);
  if (pool === undefined) pools.set(module, (pool = makePool(module)));
  return pool;
}

function makePool(module: WebAssembly.Module): StagingPool | null {
  const imported = WebAssembly.Module.imports(module).find(
    ({ module: from, kind }) => kind === 'memory' && from === runtimeModule,
  );
  return imported === undefined ? null : new StagingPool(mostPages.get(imported.name) ?? 1);
}

const mostPages: ReadonlyMap<string, number> = new Map([
  [scratchImport, mostScratchPages],
  [stackImport, mostStackPages],
]);

/** The memory as a module may import it. */
export function memoryImports(staging: Staging | null): Readonly<Record<string, WebAssembly.Memory>> {
  return staging === null
    ? {}
    : { [stagingImport]: staging.memory, [scratchImport]: staging.memory, [stackImport]: staging.memory };
}
