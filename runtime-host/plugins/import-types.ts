// Checks that a module calls plugins with the types of their signatures, also if Sluice did not make the module: it is
// linked once to functions of exactly these types that do nothing.

import { runtimeModule } from '../../src/abi/imports.ts';
import { cannotStart, HostError } from '../errors/errors.ts';
import { createObject } from '../primordials/untampered.ts';
import { memoryImports } from '../marshalling/staging.ts';
import type { StagingPool } from '../marshalling/staging.ts';
import { isWired } from '../marshalling/type-guards.ts';
import type { UsedFunction, UsedPlugin } from './used-plugin.ts';
import { functionOfType, wireOf } from '../engine/wasm-types.ts';

/** Throws HostError for a module that imports a plugin's function with other types. */
export function checkImportTypes(
  module: WebAssembly.Module,
  plugins: readonly UsedPlugin[],
  staging: StagingPool | null,
): void {
  if (plugins.length === 0) return;
  // Without prototypes: a plugin may have any name.
  const imports = createObject(null) as Record<string, Record<string, unknown>>;
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= createObject(null) as Record<string, unknown>)[name] = () => 0;
  const taken = staging?.take() ?? null;
  if (taken !== null) Object.assign(imports[runtimeModule]!, memoryImports(taken));
  for (const { name, functions } of plugins)
    imports[name] = Object.fromEntries(functions.map((fn) => [fn.importName, standIn(fn)]));
  try {
    void new WebAssembly.Instance(module, imports);
  } catch (error) {
    const isMisfit = error instanceof WebAssembly.LinkError;
    throw new HostError(
      isMisfit
        ? "this module imports a plugin's function with other types than it has: it was not made by Sluice"
        : cannotStart,
      { cause: error },
    );
  } finally {
    if (taken !== null) staging!.give(taken);
  }
}

function standIn({ parameters, returns, way }: UsedFunction): unknown {
  const wires = parameters.filter(isWired).map(({ type }) => wireOf[type as string]!);
  return functionOfType(wires, way === 'streamed' ? 'i32' : returns === null ? null : wireOf[returns as string]!);
}
