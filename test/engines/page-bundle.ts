// Bundles the page's side of the tests. The product itself stays out: the page imports the bundles that are shipped.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Entries of the product, and the bundle in which a page finds each. */
const shipped: Readonly<Record<string, string>> = {
  'runtime-host/api/index.ts': '/sluice-host.js',
  'runtime-host/api/plugins.ts': '/sluice-plugins.js',
  'src/index.ts': '/sluice.js',
};

const useShipped: Plugin = {
  name: 'use-shipped-bundles',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, options);
    const bundle = found === null ? undefined : shipped[found.id.slice(root.length).replaceAll('\\', '/')];
    return bundle === undefined ? found : { id: bundle, external: 'absolute' };
  },
};

/** The text of the module that the page loads. */
export async function bundlePage(): Promise<string> {
  const bundle = await rolldown({ input: `${root}test/engines/page.ts`, platform: 'browser', plugins: [useShipped] });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
