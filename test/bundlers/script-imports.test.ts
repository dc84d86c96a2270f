// Programs that import scripts, built with the plugin of `unplugin-sluice` by each bundler, and run in Node and in
// Chromium; errors and warnings of scripts as bundlers hand them on, and the types that TypeScript finds.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { browserKinds, navigate, startBrowser, whyNotHere } from '../engines/browsers.ts';
import type { Browser } from '../engines/browsers.ts';
import { stepsOf } from '../packages/snippets.ts';
import { packageFolder, root } from '../../tools/entries.ts';
import { bundlers } from './bundlers.ts';
import type { Bundle, Bundler } from './bundlers.ts';
import { answer, area, integral, pluginOf, writeProject } from './script-imports.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-imports-')));
const folder = join(place, 'project');
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const why = existsSync(join(import.meta.dirname, 'node_modules/unplugin'))
  ? await whyNotHere(chromium)
  : '`npm ci` in test/bundlers installs the bundlers';
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
let server: Server;
let browser: Browser | null = null;

beforeAll(async () => {
  if (why !== null) throw new Error(why);
  writeProject(folder);
  server = createServer((request, response) => {
    const path = join(place, decodeURIComponent(new URL(request.url!, 'http://page').pathname));
    if (path.endsWith('page.html'))
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>A program</title>');
    else if (existsSync(path))
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(readFileSync(path));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await startBrowser(chromium);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(place, { recursive: true, force: true });
});

let count = 0;

async function make(
  bundler: Bundler,
  platform: Bundle['platform'],
  options: object,
): Promise<{ readonly out: string; readonly files: readonly string[] }> {
  count += 1;
  const out = join(place, `out${count}`);
  mkdirSync(out);
  await bundler.bundle({
    folder,
    entry: platform === 'node' ? 'program.js' : 'page.js',
    out,
    platform,
    plugin: await pluginOf(folder, bundler.name, options),
  });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  return { out, files: readdirSync(out, { recursive: true, encoding: 'utf8' }) };
}

/** As a file of its own, and in the module's text. */
const forms = [{ inlineBelow: 0 }, {}] as const;
const emits = (name: string, platform: Bundle['platform']): boolean =>
  ['Rollup', 'Rolldown'].includes(name) || (name === 'Vite' && platform === 'browser');
const hasModule = (files: readonly string[]): boolean => files.some((file) => /integral-[\w-]+\.wasm$/.test(file));

/** In which bundlers that do not minify name the files that parts come from, by the way from where they run. */
function withoutComments(code: string): string {
  return code.replace(/^\s*\/\/.*$/gm, '');
}

describe.each(bundlers)('with $name', (bundler) => {
  it.each(forms)('an imported script runs in Node: %o', { timeout: 120_000 }, async (form) => {
    const { out, files } = await make(bundler, 'node', form);
    expect(hasModule(files)).toBe('inlineBelow' in form && emits(bundler.name, 'node'));
    expect(spawnSync(process.execPath, [join(out, 'main.js')], { cwd: tmpdir(), encoding: 'utf8' })).toMatchObject({
      stdout: `${answer}\n`,
      stderr: '',
      status: 0,
    });
    for (const file of files)
      if (file.endsWith('.js'))
        expect(withoutComments(readFileSync(join(out, file), 'utf8')), file).not.toContain(place);
  });

  it.each(forms)('an imported script runs in a browser: %o', { timeout: 120_000 }, async (form) => {
    const { out, files } = await make(bundler, 'browser', form);
    expect(hasModule(files)).toBe('inlineBelow' in form && emits(bundler.name, 'browser'));
    const page = await browser!.newPage();
    const url = `http://localhost:${(server.address() as AddressInfo).port}/${out.slice(place.length + 1)}/`;
    await navigate(page, `${url}page.html`);
    // Rspack's modules do not wait for what their entries wait for.
    const begun =
      'new Promise((resolve) => { const look = () => (globalThis.runBundled === undefined ? ' +
      'setTimeout(look, 20) : resolve()); look(); })';
    expect(await page.evaluate(`import('${url}main.js').then(() => ${begun}).then(() => runBundled())`)).toBe(answer);
  });

  it('errors of a script are those of the build', { timeout: 120_000 }, async () => {
    writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * hight'));
    try {
      const told = await make(bundler, 'node', {}).then(
        () => '',
        (error: unknown) => String((error as Error).message),
      );
      expect(told).toContain("there is no variable 'hight' here");
      // Others say the place by properties, which the next test looks at.
      if (!['Rollup'].includes(bundler.name)) expect(told).toContain('return width * hight;');
      expect(told.match(/SemanticError E\d+/g)).toHaveLength(1);
    } finally {
      writeFileSync(join(folder, 'lib/area.slu'), area);
    }
  });
});

/**
 * Starts building again whenever a file changes, and tells of each end whether there were errors. Gives what stops it.
 */
type Watch = (plugin: unknown, ended: (hasErrors: boolean) => void) => Promise<() => Promise<void>>;

interface Packer {
  watch(
    options: object,
    done: (error: Error | null, stats?: { hasErrors(): boolean }) => void,
  ): { close(done: () => void): void };
}

async function watchPacked(
  make: (options: object) => Packer,
  ...[plugin, ended]: Parameters<Watch>
): ReturnType<Watch> {
  const out = { path: join(place, 'watched'), module: true };
  const packer = make({
    mode: 'development',
    context: folder,
    entry: './program.js',
    target: 'node24',
    devtool: false,
    experiments: { outputModule: true },
    output: out,
    plugins: [plugin],
  });
  const watching = packer.watch({ aggregateTimeout: 20, poll: 50 }, (error, stats) =>
    ended(error !== null || stats!.hasErrors()),
  );
  return () => new Promise((resolve) => watching.close(resolve));
}

const watches: Readonly<Record<string, Watch>> = {
  webpack: async (plugin, ended) =>
    watchPacked(((await import(String('webpack'))) as { default: (options: object) => Packer }).default, plugin, ended),
  Rspack: async (plugin, ended) =>
    watchPacked(
      ((await import(String('@rspack/core'))) as { rspack: (options: object) => Packer }).rspack,
      plugin,
      ended,
    ),
  esbuild: async (plugin, ended) => {
    const { context } = (await import(String('esbuild'))) as {
      context(options: object): Promise<{ watch(): Promise<void>; dispose(): Promise<void> }>;
    };
    const tell = {
      name: 'tell',
      setup: (build: { onEnd(told: (result: { errors: readonly unknown[] }) => void): void }) =>
        build.onEnd(({ errors }) => ended(errors.length > 0)),
    };
    const watching = await context({
      absWorkingDir: folder,
      entryPoints: ['program.js'],
      outdir: join(place, 'watched'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      plugins: [plugin, tell],
    });
    await watching.watch();
    return () => watching.dispose();
  },
};

it.each(Object.entries(watches))('%s watches what a script imports', { timeout: 60_000 }, async (name, watch) => {
  const ends: boolean[] = [];
  const stop = await watch(await pluginOf(folder, name, {}), (hasErrors) => ends.push(hasErrors));
  const last = (hasErrors: boolean): Promise<void> =>
    vi.waitFor(() => expect(ends.at(-1)).toBe(hasErrors), { timeout: 20_000, interval: 50 });
  try {
    await last(false);
    writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * hight'));
    await last(true);
    writeFileSync(join(folder, 'lib/area.slu'), area);
    await last(false);
  } finally {
    await stop();
    writeFileSync(join(folder, 'lib/area.slu'), area);
  }
});

describe('with Rollup', () => {
  const bundler = bundlers.find(({ name }) => name === 'Rollup')!;

  it('an error says where it is and shows the line', async () => {
    writeFileSync(
      join(folder, 'integral.slu'),
      integral.replace('calls++;', 'call++;').replace('return calls;', 'return cals;'),
    );
    try {
      const error = (await make(bundler, 'node', {}).catch((thrown: unknown) => thrown)) as {
        readonly loc: unknown;
        readonly frame: string;
        readonly message: string;
        readonly watchFiles: readonly string[];
      };
      expect(error).toMatchObject({
        loc: { file: join(folder, 'integral.slu'), line: 6, column: 3 },
        message: expect.stringContaining("there is no variable 'call' here") as string,
      });
      expect(error.frame).toMatch(/^ -->.*integral\.slu:6:3\n {2}\|\n6 \| {3}call\+\+;\n {2}\| {3}\^+/);
      // The second one is told with it.
      expect(error.frame).toContain('return cals;');
      expect(error.watchFiles).toContain(join(folder, 'lib/area.slu'));
    } finally {
      writeFileSync(join(folder, 'integral.slu'), integral);
    }
  });

  it('warnings are those of the bundler, with their place', async () => {
    writeFileSync(join(folder, 'warned.slu'), 'export int one() {\n  return 1;\n  return 2;\n}\n');
    const warned: unknown[] = [];
    const rollupName = 'rollup';
    const { rollup } = (await import(rollupName)) as { rollup(options: object): Promise<{ close(): Promise<void> }> };
    await (
      await rollup({
        input: join(folder, 'warned.slu'),
        external: ['sluice-host'],
        plugins: [await pluginOf(folder, 'Rollup', {})],
        onLog: (_level: string, log: unknown) => warned.push(log),
      })
    ).close();
    expect(warned).toEqual([
      expect.objectContaining({
        loc: { file: join(folder, 'warned.slu'), line: 3, column: 3 },
        message: expect.stringMatching(/Warning W\d+/) as string,
        frame: expect.stringContaining('return 2;') as string,
      }),
    ]);
  });

  it('types of somebody else are left as they are, and a file that is no script is refused in a sentence', async () => {
    const own = join(folder, 'lib/area.d.slu.ts');
    writeFileSync(own, 'export {};\n');
    writeFileSync(join(folder, 'lib/entry.js'), "import { area } from './area.slu';\nconsole.log(area(2, 3));\n");
    writeFileSync(join(folder, 'lib/binary.slu'), '\0asm');
    const build = async (entry: string): Promise<unknown> =>
      bundler.bundle({
        folder: join(folder, 'lib'),
        entry,
        out: join(place, 'lib'),
        platform: 'node',
        plugin: await pluginOf(folder, 'Rollup', {}),
      });
    await build('entry.js');
    expect(readFileSync(own, 'utf8')).toBe('export {};\n');
    await expect(build('binary.slu')).rejects.toThrow('cannot read binary.slu: it is a binary file');
    rmSync(own);
  });
});

it('the page of the package shows what happens', { timeout: 60_000 }, async () => {
  const steps = stepsOf(readFileSync(join(packageFolder('unplugin-sluice'), 'README.md'), 'utf8'));
  const [script, config, program] = [
    steps.find(({ kind }) => kind === 'file')!,
    ...steps.filter(({ kind }) => kind === 'program'),
  ];
  expect(config!.text).toContain('plugins: [sluice.vite()]');
  const source = join(folder, 'readme');
  mkdirSync(source);
  writeFileSync(join(source, script.name), script.text);
  writeFileSync(join(source, 'program.js'), program!.text);
  const out = join(place, 'readme');
  const vite = bundlers.find(({ name }) => name === 'Vite')!;
  await vite.bundle({
    folder: source,
    entry: 'program.js',
    out,
    platform: 'node',
    plugin: await pluginOf(folder, 'Vite', {}),
  });
  // A bundle of Vite for Node does not find the worker's file by itself: docs/host.md says so.
  mkdirSync(join(out, 'assets'), { recursive: true });
  copyFileSync(join(folder, 'node_modules/sluice-host/dist/node/worker-main.js'), join(out, 'assets/worker-main.js'));
  expect(spawnSync(process.execPath, [join(out, 'main.js')], { encoding: 'utf8' })).toMatchObject({
    stdout: program!.prints!,
    stderr: '',
  });
});

describe('an option', () => {
  it.each<readonly [object, string]>([
    [
      { limits: { fuel: 1 } },
      'unplugin-sluice has no option "limits": there are ints, types, inlineBelow; ' +
        'permissions and limits are given to the default export of a script',
    ],
    [{ ints: 'Number' }, "the option ints of unplugin-sluice takes 'bigint', 'number' or 'auto'"],
    [{ types: 'no' }, 'the option types of unplugin-sluice takes true or false'],
    [{ inlineBelow: -1 }, 'the option inlineBelow of unplugin-sluice takes a number of bytes'],
  ])('that cannot be one is refused: %o', (options, message) =>
    expect(pluginOf(folder, 'Rollup', options)).rejects.toThrow(new TypeError(message)),
  );
});

describe('the types of an imported script', () => {
  const program = `import { sluice } from 'unplugin-sluice';
import loadIntegral, { contents, count, integrate } from './integral.slu';

const area: number = integrate(0, 1, 1_000);
const calls: bigint = count();
const text: Promise<string | null> = contents('file.txt');
const script = await loadIntegral({ isolation: 'worker', limits: { timeMs: 1_000 } });
const result: bigint | undefined = await script.run({ n: 12 }).result;
const plugins: { name: string }[] = [sluice.vite(), sluice.rollup({ ints: 'auto', types: false, inlineBelow: 0 })];
export { area, calls, plugins, result, text };
// @ts-expect-error: a text is no number
integrate('0', 1, 1_000);
// @ts-expect-error: main takes n
script.run({});
`;
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2024',
    allowArbitraryExtensions: true,
    lib: ['es2024'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };

  it.each([{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler', lib: ['es2024', 'dom'] }])(
    'fit a strict program: %o',
    { timeout: 60_000 },
    async (way) => {
      await make(
        bundlers.find(({ name }) => name === 'Rollup')!,
        'node',
        {},
      );
      writeFileSync(join(folder, 'typed.ts'), program);
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...strict, ...way }, include: ['typed.ts'] }),
      );
      const { stdout } = spawnSync(
        process.execPath,
        [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false'],
        { cwd: folder, encoding: 'utf8' },
      );
      expect(stdout).toBe('');
    },
  );

  it('follow the option ints, and are not written where nobody wants them', async () => {
    const path = join(folder, 'integral.d.slu.ts');
    rmSync(path, { force: true });
    const bundler = bundlers.find(({ name }) => name === 'Rollup')!;
    await make(bundler, 'node', { ints: 'number', types: false });
    expect(existsSync(path)).toBe(false);
    await make(bundler, 'node', { ints: 'number' });
    expect(readFileSync(path, 'utf8')).toContain('count(): number;');
  });
});
