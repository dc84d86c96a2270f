// Files that hold plugins. JavaScript is imported unchanged. esbuild compiles TypeScript and decorators, which no
// engine runs, file by file, so that the imports in them keep their meaning; without esbuild, Node itself strips the
// types.

import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { wasmPlugin } from '../../runtime-host/api/plugins.ts';
import { isWasm } from '../../runtime-host/engine/wasm-bytes.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { isPlugin, readPlugins } from '../library/plugins.ts';
import type { Plugin } from '../library/plugins.ts';
import { UsageError } from './exit.ts';
import { readBytes } from './files.ts';

/**
 * Throws UsageError for a file without a plugin, with a faulty one, and for a TypeError of `check`, in which whoever
 * compiles holds plugins against the library.
 */
export async function loadPlugins(
  paths: readonly string[],
  command: string,
  check: (plugins: readonly Plugin[]) => unknown = () => {},
): Promise<readonly unknown[]> {
  const hooks = registerHooks({ resolve: resolveOwn, load: lowerSource });
  const plugins: unknown[] = [];
  try {
    for (const path of paths) plugins.push(...(await loadPlugin(path, command)));
    check(readPlugins(plugins));
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
    exported = Object.values(
      (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>,
    ).flat();
  } catch (error) {
    throw new UsageError(
      `cannot load the plugin ${shown}: ${escapeControls(firstLine(error))}` +
        (isMoreThanTypes(error) ? `: ${howToLower}` : ''),
      command,
    );
  }
  const plugins = [...new Set(exported.filter(isPlugin))];
  if (plugins.length === 0)
    throw new UsageError(
      `${shown} exports no plugin: it exports what defineModule gives, a class with @ScriptModule, or an object of one`,
      command,
    );
  return plugins;
}

/** Whether the file has TypeScript that Node cannot strip, such as an enum. */
function isMoreThanTypes(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;
type Load = NonNullable<Parameters<typeof registerHooks>[0]['load']>;

const ownModules: ReadonlySet<string> = new Set([
  'sluice',
  'sluice/host',
  'sluice/plugins',
  'sluice-host',
  'sluice-host/plugins',
]);

/** A plugin without a Sluice of its own gets this one; a plugin with one of its own, which works as well, keeps it. */
const resolveOwn: Resolve = (specifier, context, next) => {
  if (!ownModules.has(specifier)) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
};

const scripts: ReadonlyMap<string, 'ts' | 'tsx' | 'js' | 'jsx'> = new Map([
  ['ts', 'ts'],
  ['mts', 'ts'],
  ['tsx', 'tsx'],
  ['js', 'js'],
  ['mjs', 'js'],
  ['jsx', 'jsx'],
]);

/** In JavaScript, only a line with a decorator begins like this. */
const decorated = /^\s*(?:export\s+(?:default\s+)?)?@[A-Za-z_$(]/m;

const lowerSource: Load = (url, context, next) => {
  const loader = scripts.get(/\.(\w+)$/.exec(url)?.[1] ?? '');
  if (loader === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
  const path = fileURLToPath(url);
  const text = new TextDecoder().decode(readBytes(path));
  const isDecorated = decorated.test(text);
  if (loader === 'js' && !isDecorated) return next(url, context);
  const esbuild = findEsbuild(url);
  if (esbuild !== null)
    return {
      format: 'module',
      source: esbuild.transformSync(text, {
        loader,
        format: 'esm',
        target: 'es2023',
        sourcefile: path,
        logLevel: 'silent',
      }).code,
      shortCircuit: true,
    };
  if (loader !== 'ts' || isDecorated)
    throw new TypeError(`${path} has decorators or JSX, which no engine runs: ${howToLower}`);
  return { format: 'module-typescript', source: text, shortCircuit: true };
};

const howToLower = 'npm install esbuild, with which Sluice lowers them';

interface Esbuild {
  transformSync(text: string, options: Readonly<Record<string, unknown>>): { readonly code: string };
}

/**
 * The esbuild of the plugin, or the one beside this command. It is loaded on demand in the middle of an import, so this
 * must not wait.
 */
function findEsbuild(url: string): Esbuild | null {
  for (const from of [url, import.meta.url]) {
    try {
      return createRequire(from)('esbuild') as Esbuild;
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
