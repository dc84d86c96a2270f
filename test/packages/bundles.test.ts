// The packages as the build makes them: what they load, how large they are, and that their package.json says what is
// there.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allPackages, entries, exportsOf, packageFolder, reExports, root } from '../../tools/entries.ts';
import type { PackageName } from '../../tools/entries.ts';
import { distOf, gzippedSize, loadedWith } from './files.ts';

interface Manifest {
  readonly sideEffects: readonly string[];
  readonly version: string;
  readonly exports: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

function manifestOf(name: PackageName | null): Manifest {
  return JSON.parse(
    readFileSync(`${name === null ? root : `${packageFolder(name)}/`}package.json`, 'utf8'),
  ) as Manifest;
}

describe('the files for browsers', () => {
  it('are a host of at most 31 KB, and a plugin 8 KiB', () => {
    expect(
      gzippedSize('sluice-host', loadedWith('sluice-host', 'browser/sluice-host.js', 'at once').files),
    ).toBeLessThanOrEqual(31_000);
    expect(
      gzippedSize('sluice-host', loadedWith('sluice-host', 'browser/sluice-plugins.js', 'at once').files),
    ).toBeLessThanOrEqual(8 * 1024);
  });

  it('load what only workers, limits and logs need when it is wanted', () => {
    const [first, all] = (['at once', 'sooner or later'] as const).map(
      (when) => loadedWith('sluice-host', 'browser/sluice-host.js', when).files,
    );
    const later = all!.filter((file) => !first!.includes(file)).join();
    for (const part of ['isolation', 'run-limits', 'logging']) expect(later).toContain(`sluice-host-${part}`);
  });

  it.each(entries.filter(({ subpath, platform }) => subpath !== null && platform !== 'node'))(
    'import nothing but parts of their own: $file',
    ({ package: name, file, isAlone }) => {
      const { files, others } = loadedWith(name, `${file}.js`, 'sooner or later');
      expect(others).toEqual([]);
      if (isAlone) expect(files).toEqual([`${file}.js`]);
    },
  );
});

/** What is installed beside a package, by its file. */
const ofOthers: Partial<Record<PackageName, Readonly<Record<string, readonly string[]>>>> = {
  'unplugin-sluice': { plugin: ['sluice', 'unplugin'] },
  'prettier-plugin-sluice': { plugin: ['sluice/format'] },
  'sluice-map': {
    map: ['@duckdb/node-bindings', 'apache-arrow', 'cli-progress', 'lz4js', 'piscina', 'sluice'],
    'worker-main': ['@duckdb/node-bindings', 'apache-arrow', 'lz4js'],
  },
};

describe('the files for Node', () => {
  it.each(entries.filter(({ subpath, platform }) => subpath === null || platform !== 'browser'))(
    'import nothing but parts of their own and what Node has: $file',
    ({ package: name, file, isAlone }) => {
      const { files, others } = loadedWith(name, `${file}.js`, 'sooner or later');
      expect(others.filter((other) => !other.startsWith('node:')).toSorted()).toEqual(ofOthers[name]?.[file] ?? []);
      if (isAlone) expect(files).toEqual([`${file}.js`]);
    },
  );

  it('look at the version of Node before anything else', () => {
    for (const { package: name, front } of entries) {
      if (front === undefined) continue;
      const loads = [...readFileSync(join(distOf(name), `${front}.js`), 'utf8').matchAll(/'(\.\/.*?)'/g)].map(
        (match) => match[1],
      );
      expect([loads[0], loads.length]).toEqual(['./need-node.js', 2]);
    }
  });
});

describe('the notices', () => {
  it('name all packages whose code is in the bundles', () => {
    const notices = readFileSync(join(distOf('sluice'), 'third-party-notices.txt'), 'utf8');
    const named = new Set<string>();
    for (const file of readdirSync(distOf('sluice'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.map')) continue;
      const { sources } = JSON.parse(readFileSync(join(distOf('sluice'), file), 'utf8')) as { sources: string[] };
      for (const source of sources) {
        const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
        if (name !== undefined) named.add(name);
      }
    }
    expect([...named]).toEqual(expect.arrayContaining(['minimatch', 'prettier', 'semver']));
    expect([...named].filter((name) => !new RegExp(`^(?:.*/)?${name}$`, 'm').test(notices))).toEqual([]);
  });
});

describe('package.json', () => {
  it.each(allPackages)('of %s exports what there is', (name) => {
    expect(manifestOf(name).exports).toEqual(exportsOf(name));
    const targets = JSON.stringify(exportsOf(name)).match(/\.\/[^"]+\.[jt]s(?=")/g)!;
    for (const target of targets) expect(existsSync(join(packageFolder(name), target)), target).toBe(true);
  });

  it('of all have one version and need one Node', () => {
    const all = [null, ...allPackages].map(manifestOf);
    expect(new Set(all.map(({ version }) => version)).size).toBe(1);
    expect(new Set(all.map(({ engines }) => engines.node))).toEqual(new Set(['>=24.20']));
    expect(manifestOf('sluice').dependencies).toEqual({ 'sluice-host': all[0]!.version });
    expect(manifestOf('sluice-host').dependencies).toBeUndefined();
    expect(manifestOf('unplugin-sluice').peerDependencies).toEqual({
      sluice: all[0]!.version,
      'sluice-host': all[0]!.version,
    });
    expect(manifestOf('prettier-plugin-sluice').peerDependencies).toEqual({
      prettier: '^3.0.0',
      sluice: all[0]!.version,
    });
  });

  // Bundlers leave out what is imported for nothing but its effects.
  it.each(allPackages)('of %s names the files that do something by being loaded', (name) => {
    const { sideEffects } = manifestOf(name);
    const started = entries.filter(({ package: of, subpath }) => of === name && /(?:^|\/)worker$/.test(subpath ?? ''));
    for (const { file } of started) expect(sideEffects).toContain(`./dist/${file}.js`);
    // A file that only hands others on begins them: esbuild forgets that where it may leave the file out.
    const handingOn = [
      ...entries.flatMap(({ package: of, front }) => (of === name && front !== undefined ? [front] : [])),
      ...reExports.flatMap(({ package: of, file }) => (of === name ? [file] : [])),
    ];
    for (const file of handingOn) expect(sideEffects).toContain(`./dist/${file}.js`);
    for (const file of sideEffects) expect(globSync(join(packageFolder(name), file)), file).not.toEqual([]);
  });

  it.each(allPackages)('of %s runs nothing when it is installed', (name) => {
    expect(manifestOf(name)).not.toHaveProperty('scripts');
    expect(manifestOf(name)).not.toHaveProperty('optionalDependencies');
  });
});

describe('a part that is of the other package', () => {
  it('is the same thing', async () => {
    for (const { package: name, subpath, of } of reExports) {
      const [here, there] = await Promise.all([import(name + subpath.slice(1)), import(of)] as Promise<object>[]);
      expect(here).toEqual(there);
    }
  });
});
