// Bundles for browsers, in dist/browser: the runtime host alone (sluice-host.js), its worker (sluice-worker.js), what plugins are made
// with (sluice-plugins.js), and the compiler (sluice.js with binaryen.wasm beside it). Each is one minified ES module that imports
// nothing; the host loads its rarer parts when they are wanted (sluice-host-….js).

import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import type { Plugin } from 'rolldown';
import type { LibraryFunction } from '../src/library/declare.ts';
import { builtInLibraries } from '../src/library/registry.ts';
import { withoutXPath } from './without-xpath.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Where the bundles are put. */
export const bundleFolder = `${root}dist/browser/`;

const registryFile = `${root}src/library/registry.ts`;

/**
 * A host looks up nothing but which functions it supplies itself, and what they return: all else that the library says of them, and the rows
 * that are not its own, stay out of its bundle. A host that comes to need more does not bundle any more.
 */
const hostFunctionsOnly: Plugin = {
  name: 'host-functions-only',
  load: {
    filter: { id: registryFile.replaceAll('\\', '/') },
    handler: () => `export const builtInLibraries = ${JSON.stringify([{ functions: hostFunctions() }])};`,
  },
};

function hostFunctions(): Pick<LibraryFunction, 'id' | 'implementation' | 'returns'>[] {
  return builtInLibraries.flatMap(({ functions }) =>
    functions.filter(({ implementation }) => implementation.kind === 'host').map(({ id, implementation, returns }) => ({ id, implementation, returns })),
  );
}

export const bundles = [
  { entry: 'runtime-host/api/browser.ts', file: 'sluice-host.js', plugins: [hostFunctionsOnly], hasParts: true },
  { entry: 'runtime-host/browser/sluice-worker.ts', file: 'sluice-worker.js', plugins: [hostFunctionsOnly], hasParts: false },
  { entry: 'runtime-host/api/plugins.ts', file: 'sluice-plugins.js', plugins: [], hasParts: false },
  { entry: 'src/index.ts', file: 'sluice.js', plugins: [withoutXPath], hasParts: false },
] as const;

/** `sluice-host-rules.js`; a namespace's has the name of its folder. */
function nameOfPart({ facadeModuleId }: { readonly facadeModuleId?: string | null | undefined }): string {
  const [, namespace = '[name]'] = /namespaces[/\\]([^/\\]+)[/\\]functions\.ts$/.exec(facadeModuleId ?? '') ?? [];
  return `sluice-host-${namespace}.js`;
}

/** Makes every bundle. */
export async function bundleBrowser(): Promise<void> {
  rmSync(bundleFolder, { recursive: true, force: true });
  for (const { entry, file, plugins, hasParts } of bundles) {
    const bundle = await rolldown({
      input: root + entry,
      platform: 'browser',
      plugins: [...plugins],
      // By this Binaryen tells Node from browsers: what is Node's goes.
      transform: { define: { 'globalThis.process': 'undefined' } },
      external: /^node:/,
      preserveEntrySignatures: 'allow-extension',
    });
    const parts = hasParts ? { dir: bundleFolder, entryFileNames: file, chunkFileNames: nameOfPart } : { file: bundleFolder + file, codeSplitting: false };
    await bundle.write({ ...parts, format: 'esm', minify: true });
    await bundle.close();
  }
  copyFileSync(`${root}generated/binaryen.wasm`, `${bundleFolder}binaryen.wasm`);
}

/** Bytes of a bundle as servers send it. */
export function gzippedSize(file: (typeof bundles)[number]['file']): number {
  return gzipSync(readFileSync(bundleFolder + file), { level: 9 }).length;
}

if (process.argv[1] === import.meta.filename) await bundleBrowser();
