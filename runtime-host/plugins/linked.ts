// Plugins that are WebAssembly modules: each run has its own instance, whose exports the script imports directly,
// without JavaScript in between. If Sluice made such a module, its imports are those of a script.

import { initialiseExport, runtimeModule } from '../../src/abi/imports.ts';
import { bindFree } from '../namespaces/free-functions.ts';
import { ValueReader } from '../marshalling/value-reader.ts';
import { runtimeFunctions } from '../marshalling/runtime-functions.ts';
import { HostError } from '../errors/errors.ts';
import { textOf } from '../errors/failures.ts';
import { isStackOverflow } from '../engine/engine-errors.ts';
import { memoryImports, stagingOf, withRoom } from '../marshalling/staging.ts';
import type { Staging } from '../marshalling/staging.ts';
import { isInstance } from '../primordials/untampered.ts';
import { ValueWriter } from '../marshalling/value-writer.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { exportNameOf, isOurs, wasmPart } from './wasm-part.ts';
import type { Imports } from './wasm-part.ts';

/** The sources of a run's random numbers and time. */
export interface Sources {
  readonly random: () => number;
  readonly clock: () => number;
}

/** An instance of a plugin for one run. */
export interface LinkedInstance {
  /** By their import names in the script. */
  readonly functions: Readonly<Record<string, unknown>>;
  /** Called when nothing of the run happens any more. */
  readonly close: () => void;
}

/**
 * Makes an instance. `sources` are for modules that Sluice made; the guards of such a module call `endIfOver` from time
 * to time. Throws HostError if the engine cannot make one, and what the module's own start throws.
 */
export function linkPlugin(
  { name: plugin, code, owned, functions }: UsedPlugin,
  sources: Sources | null,
  endIfOver: () => void = () => {},
): LinkedInstance {
  const { module, imports } = code === null ? wasmPart(owned!.wasm) : { module: code, imports: {} };
  const ours = isOurs(module);
  const pool = ours ? stagingOf(module) : null;
  const staging = pool?.take() ?? null;
  const close = (): void => {
    if (staging !== null) pool!.give(staging);
  };
  try {
    const exports = instantiate(plugin, module, ours ? importsOf(staging, sources!, endIfOver) : imports);
    const { [initialiseExport]: initialise } = exports;
    if (ours && typeof initialise === 'function') (initialise as () => void)();
    return {
      functions: Object.fromEntries(
        functions.map(({ name, importName }) => [importName, exports[exportNameOf(ours, name)]]),
      ),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function instantiate(plugin: string, module: WebAssembly.Module, imports: Imports): Readonly<Record<string, unknown>> {
  try {
    return withRoom(() => new WebAssembly.Instance(module, imports), isOfMemory).exports;
  } catch (error) {
    if (isInstance(error, HostError) || isInstance(error, WebAssembly.RuntimeError) || isStackOverflow(error))
      throw error;
    throw new HostError(`the plugin ${plugin} cannot be started`, { cause: error });
  }
}

/** What engines throw for a module that has a memory of its own. */
function isOfMemory(error: unknown): boolean {
  return isInstance(error, RangeError) && /memory/i.test(textOf(error, 'message'));
}

/** The answer for a library whose guards ask how much more it may allocate. */
const unlimited = 1 << 30;
/** After so many units, the guards check whether the run is over. */
const unitsBetween = 1 << 17;

/** The imports of a library: it neither yields nor needs permissions, and has no structs to write. */
function importsOf(
  staging: Staging | null,
  { random, clock }: Sources,
  endIfOver: () => void,
): Record<string, Record<string, unknown>> {
  const refuse = (): never => {
    throw new Error('a plugin cannot do this');
  };
  const poll = (): number => {
    endIfOver();
    return unitsBetween;
  };
  const hooks = {
    yield: refuse,
    yieldsSuspend: false,
    finish: refuse,
    checkNesting: () => {},
    takeFailure: refuse,
    passArgument: refuse,
    poll,
    reserve: () => unlimited,
    messageOf: () => '',
    misfit: refuse,
    noteStack: () => {},
  };
  return {
    [runtimeModule]: {
      ...runtimeFunctions(new ValueWriter({ structs: [] }), new ValueReader(), staging, hooks),
      ...memoryImports(staging),
    },
    ...bindFree({ random, clock, raiseMemoryLimit: refuse }),
  };
}
