// The bundlers: how each makes a program of the packages for browsers and for Node, and which of their files it finds
// by itself.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bundle {
  /** The folder of the program's sources, with the packages in its node_modules. */
  readonly folder: string;
  /** The entry: `page.js`, `program.js`. */
  readonly entry: string;
  readonly out: string;
  readonly platform: 'browser' | 'node';
  /** A plugin of this bundler, if it has any. */
  readonly plugin?: unknown;
}

export interface Bundler {
  readonly name: string;
  /**
   * Where it follows `new URL('./file', import.meta.url)`; elsewhere files are copied, and the options say where they
   * are.
   */
  readonly findsFiles: readonly Bundle['platform'][];
  /** Makes `out/main.js`, an ES module. Rejects with what the bundler says. */
  readonly bundle: (bundle: Bundle) => Promise<void>;
}

/** Loaded by name: they are installed here, not with the product. */
async function load<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

type Build = (options: object) => Promise<{ write(options: object): Promise<unknown>; close(): Promise<void> }>;

function pluginsOf(plugin: unknown): readonly unknown[] {
  return plugin === undefined ? [] : [plugin];
}

async function packInto(
  { folder, entry, out, platform, plugin }: Bundle,
  compile: (
    options: object,
    done: (error: Error | null, stats: { hasErrors(): boolean; toString(): string } | undefined) => void,
  ) => { close(done: () => void): void } | undefined,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const options = {
      mode: 'production',
      context: folder,
      entry: `./${entry}`,
      target: platform === 'browser' ? 'web' : 'node24',
      devtool: false,
      cache: false,
      plugins: pluginsOf(plugin),
      output: {
        path: out,
        filename: 'main.js',
        module: true,
        ...(platform === 'browser' ? { publicPath: 'auto' } : {}),
      },
      experiments: { outputModule: true },
      performance: false,
      // What it is made of has been minified.
      optimization: { minimize: false },
    };
    const compiler = compile(options, (error, stats) => {
      const end = (): void =>
        error !== null || stats!.hasErrors() ? reject(error ?? new Error(stats!.toString())) : resolve();
      if (compiler === undefined) end();
      else compiler.close(end);
    });
  });
}

export const bundlers: readonly Bundler[] = [
  {
    name: 'Vite',
    findsFiles: ['browser'],
    bundle: async ({ folder, entry, out, platform, plugin }) => {
      const { build } = await load<{ build(options: object): Promise<unknown> }>('vite');
      const output = { entryFileNames: 'main.js' };
      await build({
        root: folder,
        logLevel: 'error',
        configFile: false,
        base: './',
        worker: { format: 'es' },
        plugins: pluginsOf(plugin),
        build: {
          outDir: out,
          emptyOutDir: true,
          target: 'esnext',
          copyPublicDir: false,
          rolldownOptions: { input: join(folder, entry), output, preserveEntrySignatures: 'strict' },
          ...(platform === 'node' ? { ssr: true } : {}),
        },
        ...(platform === 'node' ? { ssr: { noExternal: true } } : {}),
      });
    },
  },
  {
    name: 'Rollup',
    findsFiles: [],
    bundle: async ({ folder, entry, out, platform, plugin }) => {
      const [{ rollup }, { nodeResolve }] = await Promise.all([
        load<{ rollup: Build }>('rollup'),
        load<{ nodeResolve(options: object): unknown }>('@rollup/plugin-node-resolve'),
      ]);
      const bundle = await rollup({
        input: join(folder, entry),
        plugins: [...pluginsOf(plugin), nodeResolve({ browser: platform === 'browser', rootDir: folder })],
        external: platform === 'node' ? /^node:/ : [],
      });
      await bundle.write({ dir: out, format: 'es', entryFileNames: 'main.js' });
      await bundle.close();
    },
  },
  {
    name: 'webpack',
    findsFiles: ['browser', 'node'],
    bundle: async (bundle) =>
      packInto(bundle, (await load<{ default: Parameters<typeof packInto>[1] }>('webpack')).default),
  },
  {
    name: 'Rspack',
    findsFiles: ['browser', 'node'],
    bundle: async (bundle) =>
      packInto(bundle, (await load<{ rspack: Parameters<typeof packInto>[1] }>('@rspack/core')).rspack),
  },
  {
    name: 'esbuild',
    findsFiles: [],
    bundle: async ({ folder, entry, out, platform, plugin }) => {
      const { build } = await load<{ build(options: object): Promise<unknown> }>('esbuild');
      await build({
        absWorkingDir: folder,
        entryPoints: { main: entry },
        outdir: out,
        bundle: true,
        splitting: true,
        format: 'esm',
        target: 'esnext',
        platform,
        logLevel: 'silent',
        plugins: pluginsOf(plugin),
      });
    },
  },
  {
    name: 'Rolldown',
    findsFiles: [],
    bundle: async ({ folder, entry, out, platform, plugin }) => {
      const { rolldown } = await load<{ rolldown: Build }>('rolldown');
      const bundle = await rolldown({ input: join(folder, entry), cwd: folder, platform, plugins: pluginsOf(plugin) });
      await bundle.write({ dir: out, format: 'esm', entryFileNames: 'main.js' });
      await bundle.close();
    },
  },
];

/** What a bundler that follows no URLs leaves to people: the files, and where they are. */
export function copyFiles({ folder, out, platform }: Bundle): void {
  const modules = join(folder, 'node_modules');
  copyFileSync(join(modules, 'sluice/dist/binaryen.wasm'), join(out, 'compiler.wasm'));
  copyFileSync(
    join(modules, 'sluice-host/dist', platform === 'browser' ? 'browser/sluice-worker.js' : 'node/worker-main.js'),
    join(out, 'worker.js'),
  );
}

/**
 * The program: a script that is compiled and runs in a worker. `files` says where files are that the bundler did not
 * find.
 */
export function writePrograms(folder: string): void {
  const program = `import { compile } from 'sluice';
import { loadScript } from 'sluice/host';

export async function run(files = {}) {
  const { artifact, diagnostics } = await compile('squares.slu', 'main(int n) { yield n; return n * n; }', { wasmUrl: files.wasmUrl });
  if (artifact === null) return diagnostics[0].message;
  const script = await loadScript(artifact.wasm, { isolation: 'worker', workerUrl: files.workerUrl, limits: { timeMs: 20_000 } });
  return String(await script.run({ n: 12 }).result);
}
`;
  writeFileSync(join(folder, 'run.js'), program);
  const told = 'const told = (error) => `${error.name}: ${error.message}`;\n';
  writeFileSync(
    join(folder, 'page.js'),
    `import { run } from './run.js';\n\n${told}globalThis.runBundled = (files) => run(files).catch(told);\n`,
  );
  writeFileSync(
    join(folder, 'program.js'),
    `import { run } from './run.js';\n\n${told}const at = (name) => new URL(name, 'file://' + process.cwd() + ` +
      `'/');\nconsole.log(await run(process.argv[2] === 'copied' ? { wasmUrl: at('compiler.wasm'), workerUrl: ` +
      `at('worker.js') } : {}).catch(told));\n`,
  );
}
