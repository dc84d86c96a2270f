// From a file to a script that can be run: a script is compiled, a module is taken as it is.

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
  /** Null if the file has errors or nothing to run; what there is to say has been printed. */
  readonly script: Script | null;
  readonly diagnostics: readonly Diagnostic[];
  /** From the bytes of the file to code that the engine can run. */
  readonly compileMs: number;
  readonly stack: RunStack;
}

export interface Loading {
  readonly options?: ScriptOptions;
  /** A script that was compiled before is not compiled again. */
  readonly usesCache?: boolean;
  /** What is done for a script while it runs. */
  readonly thread?: Thread;
}

/** Throws UsageError or HostError for a file that is neither. */
export async function loadFile(
  operand: string,
  { options = {}, usesCache = false, thread = {} }: Loading = {},
): Promise<Loaded> {
  const bytes = readOperand(operand);
  const path = nameOfOperand(operand);
  const start = performance.now();
  const passed = (): number => performance.now() - start;
  // Guards bind only what was compiled here: a module may be anybody's.
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
  const load = (wasm: Uint8Array<ArrayBuffer>): Promise<Script> =>
    loadHere(wasm, options, { ...thread, promising: promisingWithStack(stack.depthBytes) }, stack);
  const kept = usesCache ? await loadKept(path, key, load) : null;
  if (kept !== null) return { script: kept, diagnostics: [], compileMs: passed(), stack };
  const imported: string[] = [];
  const startedMs = Date.now();
  const { diagnostics, artifact } = await compileText(path, text, 'run', pluginsOf(options), imported);
  const script = artifact === null ? null : await load(artifact.wasm);
  // A script with warnings is compiled each time, so that they are said each time.
  if (usesCache && artifact !== null && diagnostics.length === 0)
    keepCompiled(path, key, imported, artifact.wasm, startedMs);
  return { script, diagnostics, compileMs: passed(), stack };
}

/** Null if the script has not been compiled before, or what was kept of it is damaged. */
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

/** A script that was compiled here runs in this thread, as deep as a built module does in its process. */
function loadHere(
  wasm: Uint8Array<ArrayBuffer>,
  options: ScriptOptions,
  thread: Thread,
  { depthBytes }: RunStack,
): Promise<Script> {
  return loadOnMachine(
    wasm,
    { ...options, limits: { ...options.limits, depthBytes }, platform: options.platform ?? createNodePlatform() },
    { ...nodeMachine, thread, stacks: null },
  );
}

function pluginsOf({ plugins }: ScriptOptions): { readonly plugins?: readonly unknown[] } {
  return plugins === undefined ? {} : { plugins };
}

/** What tells apart the modules of one text that was compiled against different plugins. */
function keyOf({ plugins }: ScriptOptions): string {
  const contracts = readPlugins(plugins).map(({ name, structs, functions }) => [
    name,
    structs,
    functions.map(({ row }) => row),
  ]);
  return contracts.length === 0 ? '' : `\0${JSON.stringify(contracts)}`;
}

/** Throws HostError, which names the file. */
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
