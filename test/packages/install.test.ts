// The packed packages, installed into an empty folder as a stranger does it: sizes, what judges of packages say, every
// snippet of their pages run and type-checked, and what an older Node is told.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPackages, packageFolder, packageNames, root } from '../../tools/entries.ts';
import { installers, runNode, toolPath, whyNoTools } from './installers.ts';
import type { Installer } from './installers.ts';
import { packAll, serveRegistry } from './registry.ts';
import type { Packed, Registry } from './registry.ts';
import { stepsOf } from './snippets.ts';
import type { Step } from './snippets.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-packages-')));
let packed: readonly Packed[];
let registry: Registry;

beforeAll(async () => {
  packed = packAll(place);
  registry = await serveRegistry(packed);
}, 60_000);

afterAll(() => {
  registry.close();
  rmSync(place, { recursive: true, force: true });
});

/** In bytes, without source maps. */
const most = {
  sluice: { unpacked: 14_000_000, packed: 3_300_000 },
  'sluice-host': { unpacked: 600_000, packed: 220 * 1024 },
  'unplugin-sluice': { unpacked: 24 * 1024, packed: 12 * 1024 },
  'prettier-plugin-sluice': { unpacked: 12 * 1024, packed: 6 * 1024 },
  // Most of it is the host: grants and values are classes, so what decides, loads and runs is one copy in every thread.
  'sluice-map': { unpacked: 480 * 1024, packed: 184 * 1024 },
} as const;

describe('a packed package', () => {
  it.each(allPackages)('holds what is used, and no more: %s', (name) => {
    const { files } = packed.find((one) => one.name === name)!;
    expect(
      files.filter(
        ({ path }) =>
          !/^(package\.json|README\.md|bin\/sluice\.mjs|dist\/[\w/.-]+\.(js|d\.ts|map|wasm|txt)|dist\/compiler-id)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    const shipped = files.filter(({ path }) => !path.endsWith('.map'));
    expect(shipped.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(most[name].unpacked);
    // Packed in one piece they are somewhat smaller.
    expect(
      shipped.reduce((sum, { path }) => sum + gzipSync(readFileSync(join(packageFolder(name), path))).length, 0),
    ).toBeLessThanOrEqual(most[name].packed);
  });

  it.each(allPackages)('satisfies publint and attw: %s', { timeout: 120_000 }, async (name) => {
    const why = whyNoTools();
    if (why !== null) throw new Error(why);
    const { path } = packed.find((one) => one.name === name)!;
    expect(await runNode(place, [toolPath('publint/src/cli.js'), path, '--strict', '--pack', 'false'])).toMatchObject({
      code: 0,
    });
    expect(
      await runNode(place, [toolPath('@arethetypeswrong/cli/dist/index.js'), path, '--profile', 'esm-only']),
    ).toMatchObject({ code: 0 });
  });
});

const pages = ['README.md', ...packageNames.map((name) => `packages/${name}/README.md`)];

async function installInto({ name, install }: Installer): Promise<string> {
  const folder = join(place, name.replaceAll(' ', '-'), 'project');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "type": "module", "private": true }');
  await install(folder, registry.url);
  return folder;
}

async function take(folder: string, node: readonly string[], step: Step, at: string): Promise<void> {
  if (step.kind === 'file') {
    writeFileSync(join(folder, step.name), step.text);
    return;
  }
  if (step.kind === 'program') writeFileSync(join(folder, `${at}.ts`), step.text);
  const words = Array.from(step.text.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
  const given = step.kind === 'program' ? [...node, `${at}.ts`] : [...node, 'sluice.mjs', ...words];
  const ended = await runNode(folder, given);
  expect(ended, step.text).toMatchObject({
    code: 0,
    stderr: '',
    ...(step.prints === null ? {} : { stdout: step.prints }),
  });
}

describe.each(installers)('installed with $name', ({ name, node, install }) => {
  it('does what the pages show', { timeout: 120_000 }, async () => {
    const why = whyNoTools();
    if (why !== null) throw new Error(why);
    const folder = await installInto({ name, install });
    // The command, wherever it has been put.
    writeFileSync(
      join(folder, 'sluice.mjs'),
      "await import(new URL('../bin/sluice.mjs', import.meta.resolve('sluice')).href);\n",
    );
    // Where each program starts slowly, one page says enough.
    for (const page of node === undefined ? pages : [pages.find((one) => one.includes('sluice/'))!]) {
      const steps = stepsOf(readFileSync(join(root, page), 'utf8'));
      expect(steps.filter(({ kind }) => kind === 'program').length, page).toBeGreaterThan(0);
      for (const [at, step] of steps.entries()) {
        if (step.kind === 'program' && step.text.includes("'squares.wasm'"))
          expect(await runNode(folder, ['sluice.mjs', 'build', 'squares.slu', '-o', 'squares.wasm'])).toMatchObject({
            code: 0,
          });
        await take(folder, node ?? [], step, `${page.replaceAll(/\W/g, '-')}-${at}`);
      }
    }
  });
});

describe('the types', () => {
  const folder = join(place, 'types');
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2024',
    allowImportingTsExtensions: true,
  };
  const ofNode = { ...strict, lib: ['es2024'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const ofPages = { ...strict, lib: ['es2024', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' };

  beforeAll(async () => {
    mkdirSync(join(folder, 'page'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    await installers[0]!.install(folder, registry.url);
    for (const page of pages) {
      for (const [at, { kind, text }] of stepsOf(readFileSync(join(root, page), 'utf8')).entries())
        if (kind === 'program') writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}-${at}.ts`), text);
    }
    writeFileSync(
      join(folder, 'page/page.ts'),
      "import { createBrowserPlatform, loadScript } from 'sluice/host';\n" +
        "import { defineModule } from 'sluice/plugins';\n" +
        'export const page = [createBrowserPlatform, loadScript, defineModule];\n',
    );
  }, 120_000);

  it.each<readonly [string, object]>([
    ['nodenext', { ...ofNode, module: 'nodenext' }],
    ['bundler', { ...ofNode, lib: ['es2024', 'dom'], module: 'esnext', moduleResolution: 'bundler' }],
  ])('fit every snippet: %s', { timeout: 120_000 }, async (_way, compilerOptions) => {
    expect(await check('*.ts', compilerOptions)).toBe('');
  });

  it('want the ints that they were written for', { timeout: 120_000 }, async () => {
    mkdirSync(join(folder, 'ints'), { recursive: true });
    const [types, options] = [
      "{ readonly ints: 'number'; readonly arguments: {}; readonly yields: never; " +
        'readonly result: number; readonly exports: {}; }',
      { ...ofNode, module: 'nodenext' },
    ];
    const load = async (given: string): Promise<string> => {
      const text =
        `import { loadScript } from 'sluice/host';\nexport interface Types ${types}\n` +
        `export const given: number = await (await loadScript<Types>('x.wasm'${given})).run().result;\n`;
      writeFileSync(join(folder, 'ints/ints.ts'), text);
      return check('ints/*.ts', options);
    };
    expect(await load(", { ints: 'number', isolation: 'worker' }")).toBe('');
    for (const wrong of ['', ', {}', ", { ints: 'auto' }"])
      expect((await load(wrong)).split('\n').filter((line) => line.includes('error TS'))).toHaveLength(1);
  });

  it('are those of browsers where the condition says so', { timeout: 120_000 }, async () => {
    expect(await check('page/*.ts', ofPages)).toContain("has no exported member named 'createBrowserPlatform'");
    expect(await check('page/*.ts', { ...ofPages, customConditions: ['browser'] })).toBe('');
  });

  async function check(files: string, compilerOptions: object): Promise<string> {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [files] }));
    return (await runNode(folder, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false']))
      .stdout;
  }
});
