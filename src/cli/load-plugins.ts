// Files that hold plugins. JavaScript is imported as it is; TypeScript and decorators, which no engine runs, are lowered by
// esbuild on the way, file by file, so that every import in them means what it meant.

import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { wasmPlugin } from '../../runtime-host/api/plugins.ts';
import { isWasm } from '../../runtime-host/engine/wasm-bytes.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { registryWith } from '../library/plugin-registry.ts';
import { isPlugin, readPlugins } from '../library/plugins.ts';
import { UsageError } from './exit.ts';
import { readBytes } from './files.ts';
import { packagePath } from './package.ts';

/** Throws UsageError. */
export async function loadPlugins(paths: readonly string[], command: string): Promise<readonly unknown[]> {
  const hooks = registerHooks({ resolve: resolveOwn, load: lowerSource });
  const plugins: unknown[] = [];
  try {
    for (const path of paths) plugins.push(...(await loadPlugin(path, command)));
    registryWith(readPlugins(plugins));
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(escapeControls(error.message), command) : error;
  } finally {
    hooks.deregister();
  }
  return plugins;
}

async function loadPlugin(path: string, command: string): Promise<readonly unknown[]> {
  const bytes = readBytes(path);
  const shown = escapeControls(path);
  let exported: unknown[];
  try {
    if (isWasm(bytes)) return [wasmPlugin(bytes)];
    exported = Object.values((await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>).flat();
  } catch (error) {
    throw new UsageError(`cannot load the plugin ${shown}: ${escapeControls(firstLine(error))}`, command);
  }
  const plugins = [...new Set(exported.filter(isPlugin))];
  if (plugins.length === 0) throw new UsageError(`${shown} exports no plugin: it exports what defineModule gives, a class with @ScriptModule, or an object of one`, command);
  return plugins;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;
type Load = NonNullable<Parameters<typeof registerHooks>[0]['load']>;

const ownModules: Readonly<Record<string, string>> = { sluice: 'dist/src/index.js', 'sluice/host': 'dist/runtime-host/api/node.js', 'sluice/plugins': 'dist/runtime-host/api/plugins.js' };

/** A plugin that stands alone finds Sluice here; one with a Sluice of its own, which is as good, finds that. */
const resolveOwn: Resolve = (specifier, context, next) => {
  const own = ownModules[specifier];
  if (own === undefined) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    return next(pathToFileURL(packagePath(own)).href, context);
  }
};

const scripts: ReadonlyMap<string, 'ts' | 'tsx' | 'js' | 'jsx'> = new Map([['ts', 'ts'], ['mts', 'ts'], ['tsx', 'tsx'], ['js', 'js'], ['mjs', 'js'], ['jsx', 'jsx']]);

const lowerSource: Load = (url, context, next) => {
  const loader = scripts.get(/\.(\w+)$/.exec(url)?.[1] ?? '');
  if (loader === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
  const path = fileURLToPath(url);
  const text = new TextDecoder().decode(readBytes(path));
  // No line of JavaScript begins so but one with a decorator.
  if (loader === 'js' && !/^\s*(?:export\s+(?:default\s+)?)?@[A-Za-z_$(]/m.test(text)) return next(url, context);
  const { code } = loadEsbuild().transformSync(text, { loader, format: 'esm', target: 'es2023', sourcefile: path, logLevel: 'silent' });
  return { format: 'module', source: code, shortCircuit: true };
};

interface Esbuild {
  transformSync(text: string, options: Readonly<Record<string, unknown>>): { readonly code: string };
}

/** Loaded when it is wanted, in the midst of an import, where nothing can be waited for. */
function loadEsbuild(): Esbuild {
  try {
    return createRequire(import.meta.url)('esbuild') as Esbuild;
  } catch {
    throw new UsageError('plugins in TypeScript or with decorators need esbuild: npm install esbuild');
  }
}
