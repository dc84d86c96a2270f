// Loads a file as a script that can be run: compiles a script, or takes a module unchanged.

import { loadScript as loadOnMachine } from '../../runtime-host/api/host.ts';
import { createNodePlatform, HostError, isWasm } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { nodeMachine } from '../../runtime-host/node/machine.ts';
import type { Thread } from '../../runtime-host/run/thread.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { readPlugins } from '../library/plugins.ts';
import { findCompiled, forgetCompiled, keepCompiled } from './cache.ts';
import { compileText } from './compile-text.ts';
import { decodeScript } from './files.ts';
import { promisingWithStack, stackOf } from './large-stack.ts';
import type { RunStack } from './large-stack.ts';
import { nameOfOperand, readOperand } from './standard-input.ts';

export interface Loaded {
  /** Null if the file has errors or nothing to run; the diagnostics have been printed. */
  readonly script: Script | null;
  readonly diagnostics: readonly Diagnostic[];
  /** The time from the bytes of the file to code that the engine can run. */
  readonly compileMs: number;
  readonly stack: RunStack;
}

export interface Loading {
  readonly options?: ScriptOptions;
  /** Whether the cache may be used for the script. */
  readonly usesCache?: boolean;
  /** The hooks around the script while it runs in this thread. */
  readonly thread?: Thread;
}

/** Throws UsageError or HostError for a file that is neither script nor module. */
export async function loadFile(
  operand: string,
  { options = {}, usesCache = false, thread = {} }: Loading = {},
): Promise<Loaded> {
  const bytes = readOperand(operand);
  const path = nameOfOperand(operand);
  const start = performance.now();
  const passed = (): number => performance.now() - start;
  // Guards protect only if this compiler wrote them; anybody may have made a module.
  if (isWasm(bytes) || path.endsWith('.wasm'))
    return {
      script: await loadModule(path, bytes, { ...options, isolation: 'process' }),
      diagnostics: [],
      compileMs: passed(),
      stack: stackOf(options.limits?.depthBytes, 'process'),
    };
  const stack = stackOf(options.limits?.depthBytes, 'thread');
  const text = decodeScript(path, bytes);
  const key = text + keyOf(options);
  const load = (wasm: Uint8Array<ArrayBuffer>): Promise<Script> => loadHere(wasm, options, thread, stack);
  const kept = usesCache ? await loadKept(path, key, load) : null;
  if (kept !== null) return { script: kept, diagnostics: [], compileMs: passed(), stack };
  const imported: string[] = [];
  const startedMs = Date.now();
  const { diagnostics, artifact } = await compileText(path, text, 'run', pluginsOf(options), imported);
  const script = artifact === null ? null : await load(artifact.wasm);
  // Scripts with warnings are not cached, so that every run prints the warnings.
  if (usesCache && artifact !== null && diagnostics.length === 0)
    keepCompiled(path, key, imported, artifact.wasm, startedMs);
  return { script, diagnostics, compileMs: passed(), stack };
}

/** Null if the script is not in the cache, or its entry is damaged. */
async function loadKept(
  path: string,
  key: string,
  load: (wasm: Uint8Array<ArrayBuffer>) => Promise<Script>,
): Promise<Script | null> {
  const wasm = findCompiled(path, key);
  if (wasm === null) return null;
  try {
    return await load(wasm);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    forgetCompiled(path, key);
    return null;
  }
}

/** A script that was compiled here runs in this thread, with the same stack depth as a built module in its process. */
export function loadHere(
  wasm: Uint8Array<ArrayBuffer>,
  options: ScriptOptions,
  thread: Thread,
  { depthBytes }: RunStack,
): Promise<Script> {
  return loadOnMachine(
    wasm,
    { ...options, limits: { ...options.limits, depthBytes }, platform: options.platform ?? createNodePlatform() },
    { ...nodeMachine, thread: { ...thread, promising: promisingWithStack(depthBytes) }, stacks: null },
  );
}

function pluginsOf({ plugins }: ScriptOptions): { readonly plugins?: readonly unknown[] } {
  return plugins === undefined ? {} : { plugins };
}

/** Distinguishes the modules of one text that was compiled against different plugins. */
function keyOf({ plugins }: ScriptOptions): string {
  const contracts = readPlugins(plugins).map(({ name, structs, functions }) => [
    name,
    structs,
    functions.map(({ row }) => row),
  ]);
  return contracts.length === 0 ? '' : `\0${JSON.stringify(contracts)}`;
}

/** Throws HostError with the name of the file. */
export async function loadModule(path: string, bytes: Uint8Array, options: ScriptOptions = {}): Promise<Script> {
  try {
    return await loadOnMachine(
      bytes,
      { ...options, platform: options.platform ?? createNodePlatform() },
      { ...nodeMachine, stacks: null },
    );
  } catch (error) {
    throw error instanceof HostError ? new HostError(`${escapeControls(path)}: ${error.message}`) : error;
  }
}
