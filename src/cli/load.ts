// From a file to a script that can be run: a script is compiled, a module is taken as it is.

import type { CompileResult } from '../compile.ts';
import { HostError, isWasm, loadScript } from '../../runtime-host/node.ts';
import type { Script } from '../../runtime-host/node.ts';
import { escapeControls } from '../diagnostics/display.ts';
import type { EmitOptions } from '../3-emit/emitted-program.ts';
import { printDiagnostics } from './diagnostics.ts';
import { UsageError } from './exit.ts';
import { decodeScript, readBytes } from './files.ts';

export interface Loaded {
  /** Null if the file has errors or nothing to run; what there is to say has been printed. */
  readonly script: Script | null;
  readonly diagnostics: CompileResult['diagnostics'];
  /** Zero for a module that was built before. */
  readonly compileMs: number;
}

/** Throws UsageError or HostError for a file that is neither. */
export async function loadFile(path: string): Promise<Loaded> {
  const bytes = readBytes(path);
  if (isWasm(bytes) || path.endsWith('.wasm')) return { script: await loadModule(path, bytes), diagnostics: [], compileMs: 0 };
  const text = decodeScript(path, bytes);
  const start = performance.now();
  const { diagnostics, artifact } = await compileText(path, text, {});
  const compileMs = performance.now() - start;
  return { script: artifact === null ? null : await loadScript(artifact.wasm), diagnostics, compileMs };
}

async function loadModule(path: string, bytes: Uint8Array): Promise<Script> {
  try {
    return await loadScript(bytes);
  } catch (error) {
    throw error instanceof HostError ? new HostError(`${escapeControls(path)}: ${error.message}`) : error;
  }
}

/** Compiles and prints diagnostics. */
export async function compileText(path: string, text: string, options: EmitOptions): Promise<CompileResult> {
  const { compile } = await import('../compile.ts');
  const result = await compile(path, text, options);
  printDiagnostics(result.diagnostics);
  return result;
}

/** The text of a file that must be a script. */
export function readScript(path: string, command: string): string {
  const bytes = readBytes(path);
  if (isWasm(bytes)) throw new UsageError(`sluice ${command} takes a script, and ${path} is a module that is built already`, command);
  return decodeScript(path, bytes);
}
