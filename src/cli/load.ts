// From a file to a script that can be run: a script is compiled, a module is taken as it is.

import { HostError, isWasm, loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { readPlugins } from '../library/plugins.ts';
import { findCompiled, forgetCompiled, keepCompiled } from './cache.ts';
import { compileText } from './compile-text.ts';
import { decodeScript } from './files.ts';
import { nameOfOperand, readOperand } from './standard-input.ts';

export interface Loaded {
  /** Null if the file has errors or nothing to run; what there is to say has been printed. */
  readonly script: Script | null;
  readonly diagnostics: readonly Diagnostic[];
  /** From the bytes of the file to code that the engine can run. */
  readonly compileMs: number;
}

/** Throws UsageError or HostError for a file that is neither. `usesCache`: a script that was compiled before is not compiled again. */
export async function loadFile(operand: string, options: ScriptOptions = {}, usesCache = false): Promise<Loaded> {
  const bytes = readOperand(operand);
  const path = nameOfOperand(operand);
  const start = performance.now();
  const passed = (): number => performance.now() - start;
  // Guards bind only what was compiled here: a module may be anybody's.
  if (isWasm(bytes) || path.endsWith('.wasm')) return { script: await loadModule(path, bytes, { ...options, isolation: 'process' }), diagnostics: [], compileMs: passed() };
  const text = decodeScript(path, bytes);
  const key = text + keyOf(options);
  const kept = usesCache ? await loadKept(path, key, options) : null;
  if (kept !== null) return { script: kept, diagnostics: [], compileMs: passed() };
  const imported: string[] = [];
  const startedMs = Date.now();
  const { diagnostics, artifact } = await compileText(path, text, 'run', pluginsOf(options), imported);
  const script = artifact === null ? null : await loadScript(artifact.wasm, options);
  // A script with warnings is compiled each time, so that they are said each time.
  if (usesCache && artifact !== null && diagnostics.length === 0) keepCompiled(path, key, imported, artifact.wasm, startedMs);
  return { script, diagnostics, compileMs: passed() };
}

/** Null if the script has not been compiled before, or what was kept of it is damaged. */
async function loadKept(path: string, key: string, options: ScriptOptions): Promise<Script | null> {
  const wasm = findCompiled(path, key);
  if (wasm === null) return null;
  try {
    return await loadScript(wasm, options);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    forgetCompiled(path, key);
    return null;
  }
}

function pluginsOf({ plugins }: ScriptOptions): { readonly plugins?: readonly unknown[] } {
  return plugins === undefined ? {} : { plugins };
}

/** What tells apart the modules of one text that was compiled against different plugins. */
function keyOf({ plugins }: ScriptOptions): string {
  const contracts = readPlugins(plugins).map(({ name, structs, functions }) => [name, structs, functions.map(({ row }) => row)]);
  return contracts.length === 0 ? '' : `\0${JSON.stringify(contracts)}`;
}

/** Throws HostError, which names the file. */
export async function loadModule(path: string, bytes: Uint8Array, options: ScriptOptions = {}): Promise<Script> {
  try {
    return await loadScript(bytes, options);
  } catch (error) {
    throw error instanceof HostError ? new HostError(`${escapeControls(path)}: ${error.message}`) : error;
  }
}
