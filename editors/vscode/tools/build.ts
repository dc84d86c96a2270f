// Bundles the extension into dist/: its two entries, and the language server of the package `sluice`, for a process of
// its own and for a worker. Nothing is read but what is installed: `npm run package` works without a network.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';

const folder = fileURLToPath(new URL('../', import.meta.url));
const compiler = fileURLToPath(new URL('../../../packages/sluice/dist/', import.meta.url));

const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { readonly version: string };

const common = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  // That of the oldest VS Code which package.json takes.
  target: ['node22', 'chrome134'],
} as const satisfies BuildOptions;

/** The extension itself is loaded by the editor, which supplies `vscode`. */
const bundles: readonly BuildOptions[] = [
  {
    entryPoints: [`${folder}src/desktop.ts`],
    outfile: `${folder}dist/desktop.cjs`,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    entryPoints: [`${folder}src/web.ts`],
    outfile: `${folder}dist/web.cjs`,
    platform: 'browser',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    entryPoints: [`${folder}src/server.ts`],
    outfile: `${folder}dist/server.mjs`,
    platform: 'node',
    format: 'esm',
    define: { SLUICE_VERSION: JSON.stringify(manifest.version) },
    // The library of the server is in the older format, which wants its `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  },
  {
    entryPoints: [`${compiler}language-server-worker.js`],
    outfile: `${folder}dist/server-worker.js`,
    platform: 'browser',
    format: 'iife',
  },
];

/** Bundles all of it anew. */
export async function buildExtension(): Promise<void> {
  const missing = bundles.flatMap(({ entryPoints }) => entryPoints as string[]).filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`npm run build in the repository makes ${missing.join(' and ')} first`);
  rmSync(`${folder}dist`, { recursive: true, force: true });
  await Promise.all(bundles.map((options) => build({ ...common, ...options })));
}

if (import.meta.main) await buildExtension();
