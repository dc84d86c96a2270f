// Plugins that are WebAssembly modules: each run has its own instance, whose exports the script imports directly,
// without JavaScript in between. If Sluice made such a module, its imports are those of a script.

import { initialiseExport, runtimeModule } from '../../src/abi/imports.ts';
import { bindFree } from '../namespaces/free-functions.ts';
import { ValueReader } from '../marshalling/value-reader.ts';
import { runtimeFunctions } from '../marshalling/runtime-functions.ts';
import { memoryImports, stagingOf } from '../marshalling/staging.ts';
import { ValueWriter } from '../marshalling/value-writer.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { exportNameOf, isOurs, wasmPart } from './wasm-part.ts';

/** The sources of a run's random numbers and time. */
export interface Sources {
  readonly random: () => number;
  readonly clock: () => number;
}

/**
 * The functions of a new instance by their import names in the script. `sources` are for modules that Sluice made; the
 * guards of such a module call `endIfOver` from time to time.
 */
export function linkedFunctions(
  { code, owned, functions }: UsedPlugin,
  sources: Sources | null,
  endIfOver: () => void = () => {},
): Record<string, unknown> {
  const { module, imports } = code === null ? wasmPart(owned!.wasm) : { module: code, imports: {} };
  const ours = isOurs(module);
  const instance = new WebAssembly.Instance(module, ours ? importsOf(module, sources!, endIfOver) : imports);
  const { [initialiseExport]: initialise } = instance.exports;
  if (ours && typeof initialise === 'function') (initialise as () => void)();
  return Object.fromEntries(
    functions.map(({ name, importName }) => [importName, instance.exports[exportNameOf(ours, name)]]),
  );
}

/** The answer for a library whose guards ask how much more it may allocate. */
const unlimited = 1 << 30;
/** After so many units, the guards check whether the run is over. */
const unitsBetween = 1 << 17;

/** The imports of a library: it neither yields nor needs permissions, and has no structs to write. */
function importsOf(
  module: WebAssembly.Module,
  { random, clock }: Sources,
  endIfOver: () => void,
): Record<string, Record<string, unknown>> {
  const staging = stagingOf(module)?.take() ?? null;
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
