// What the packages consist of: each file that somebody imports or starts, where it comes from, and on which platforms
// it is found by which name. The bundles, the `exports` of the packages, their types and the tests follow this one
// table.

import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

/** Those that need no packages but each other. */
export const packageNames = ['sluice-host', 'sluice'] as const;
export const allPackages = [...packageNames, 'unplugin-sluice', 'prettier-plugin-sluice', 'sluice-map'] as const;
export type PackageName = (typeof allPackages)[number];
export type PlatformName = 'any' | 'node' | 'browser';

export interface Entry {
  readonly package: PackageName;
  /** What importers write behind the name of the package; null for a file that is only started by others beside it. */
  readonly subpath: string | null;
  /** `node` is Deno and Bun as well. */
  readonly platform: PlatformName;
  /** From the repository's root. */
  readonly source: string;
  /** In the package's `dist`, without its extension. */
  readonly file: string;
  /** What Node loads in its place: a file that says so where Node is too old. */
  readonly front?: string;
  /** One file that imports nothing of the package: what is loaded from elsewhere, or where nothing else can be read. */
  readonly isAlone?: true;
}

export const entries: readonly Entry[] = [
  {
    package: 'sluice-host',
    subpath: '.',
    platform: 'node',
    source: 'runtime-host/api/node.ts',
    file: 'node/host',
    front: 'node/index',
  },
  {
    package: 'sluice-host',
    subpath: '.',
    platform: 'browser',
    source: 'runtime-host/api/browser.ts',
    file: 'browser/sluice-host',
  },
  {
    package: 'sluice-host',
    subpath: './plugins',
    platform: 'node',
    source: 'runtime-host/api/plugins.ts',
    file: 'node/plugin-makers',
    front: 'node/plugins',
  },
  {
    package: 'sluice-host',
    subpath: './plugins',
    platform: 'browser',
    source: 'runtime-host/api/plugins.ts',
    file: 'browser/sluice-plugins',
    isAlone: true,
  },
  {
    package: 'sluice-host',
    subpath: './worker',
    platform: 'node',
    source: 'runtime-host/node/worker-main.ts',
    file: 'node/worker-main',
    isAlone: true,
  },
  {
    package: 'sluice-host',
    subpath: './worker',
    platform: 'browser',
    source: 'runtime-host/browser/sluice-worker.ts',
    file: 'browser/sluice-worker',
    isAlone: true,
  },
  { package: 'sluice', subpath: '.', platform: 'any', source: 'src/index.ts', file: 'sluice', front: 'index' },
  {
    package: 'sluice',
    subpath: './format',
    platform: 'any',
    source: 'src/format.ts',
    file: 'formatting',
    front: 'format',
  },
  { package: 'sluice', subpath: null, platform: 'node', source: 'src/cli/start.ts', file: 'cli' },
  {
    package: 'sluice',
    subpath: null,
    platform: 'node',
    source: 'src/compile-worker-main.ts',
    file: 'compile-worker-main',
  },
  {
    package: 'sluice',
    subpath: null,
    platform: 'node',
    source: 'src/cli/language-server/plugin-process-main.ts',
    file: 'plugin-process-main',
  },
  {
    package: 'sluice',
    subpath: null,
    platform: 'node',
    source: 'runtime-host/node/worker-main.ts',
    file: 'worker-main',
    isAlone: true,
  },
  {
    package: 'sluice',
    subpath: './language-server/worker',
    platform: 'browser',
    source: 'src/language-server/worker.ts',
    file: 'language-server-worker',
  },
  {
    package: 'unplugin-sluice',
    subpath: '.',
    platform: 'node',
    source: 'unplugin/index.ts',
    file: 'plugin',
    front: 'index',
  },
  {
    package: 'prettier-plugin-sluice',
    subpath: '.',
    platform: 'node',
    source: 'prettier-plugin/index.ts',
    file: 'plugin',
    front: 'index',
  },
  {
    package: 'sluice-map',
    subpath: '.',
    platform: 'node',
    source: 'map/index.ts',
    file: 'map',
    front: 'index',
  },
  {
    package: 'sluice-map',
    subpath: null,
    platform: 'node',
    source: 'map/local/worker-main.ts',
    file: 'worker-main',
  },
];

/** What `sluice` has of `sluice-host`, under the names that its users know. */
export const reExports: readonly {
  readonly package: PackageName;
  readonly subpath: string;
  readonly file: string;
  readonly of: string;
}[] = [
  { package: 'sluice', subpath: './host', file: 'host', of: 'sluice-host' },
  { package: 'sluice', subpath: './plugins', file: 'plugins', of: 'sluice-host/plugins' },
];

export function packageFolder(name: PackageName): string {
  return `${root}packages/${name}`;
}

export function entryOf(name: PackageName, subpath: string, platform: PlatformName): Entry {
  return entries.find((entry) => entry.package === name && entry.subpath === subpath && entry.platform === platform)!;
}

/** Engines that are as browsers are: none of Node's modules, files found by URL. */
const browserConditions = ['workerd', 'browser'] as const;

type Conditions = { readonly [condition: string]: string | Conditions };

/** The `exports` of a package. */
export function exportsOf(name: PackageName): Readonly<Record<string, string | Conditions>> {
  const found: Record<string, string | Conditions> = {};
  const target = (file: string, types = file): Conditions => ({
    types: `./dist/${types}.d.ts`,
    default: `./dist/${file}.js`,
  });
  for (const subpath of new Set(entries.filter((entry) => entry.package === name).map((entry) => entry.subpath))) {
    if (subpath === null) continue;
    const own = entries.filter((entry) => entry.package === name && entry.subpath === subpath);
    const ofBrowsers = own.find(({ platform }) => platform !== 'node');
    // What is for browsers alone is found everywhere: bundlers and servers run in Node.
    const ofNode = own.find(({ platform }) => platform !== 'browser') ?? own[0]!;
    const forBrowsers =
      ofBrowsers === undefined || (ofBrowsers === ofNode && ofBrowsers.platform === 'browser')
        ? []
        : browserConditions.map((condition) => [condition, target(ofBrowsers.file)] as const);
    found[subpath] = { ...Object.fromEntries(forBrowsers), ...target(ofNode.front ?? ofNode.file, ofNode.file) };
  }
  for (const { package: of, subpath, file } of reExports) if (of === name) found[subpath] = target(file);
  return { ...found, './package.json': './package.json' };
}

/** Whose files a page loads that no bundler has made. */
export const pageFolders: readonly string[] = [
  `${packageFolder('sluice-host')}/dist/browser/`,
  `${packageFolder('sluice')}/dist/`,
];
