// Plugins that are modules of WebAssembly: each run has an instance of its own, whose exports the script imports as
// they are, with no JavaScript between the two. Modules that Sluice made import from the host what a script does.

import { initialiseExport, runtimeModule, stagingImport } from '../../src/abi/imports.ts';
import { bindFree } from '../namespaces/free-functions.ts';
import { PartReader } from '../marshalling/parts.ts';
import { runtimeFunctions } from '../marshalling/runtime-functions.ts';
import { stagingOf } from '../marshalling/staging.ts';
import { ValueWriter } from '../marshalling/value-writer.ts';
import type { UsedPlugin } from './used-plugin.ts';
import { exportNameOf, isOurs, wasmPart } from './wasm-part.ts';

/** What a run draws its random numbers and its time from. */
export interface Sources {
  readonly random: () => number;
  readonly clock: () => number;
}

/**
 * The functions of a new instance by the names that the script imports them under. `sources` are for modules that
 * Sluice made, whose guards call `endIfOver` now and then.
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

/** What a library with guards hears when it asks how much more it may allocate. */
const unlimited = 1 << 30;
/** So many units pass between two looks whether the run is over. */
const unitsBetween = 1 << 17;

/** What a library may use: it neither yields nor asks for anything, and has no structs to write. */
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
      ...runtimeFunctions(new ValueWriter({ structs: [] }), new PartReader(), staging, hooks),
      [stagingImport]: staging?.memory,
    },
    ...bindFree({ random, clock, raiseMemoryLimit: refuse }),
  };
}
