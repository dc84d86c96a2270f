// The plugin for bundlers: `import { integrate } from './integral.slu'` is a module of JavaScript that runs the
// compiled script.

import { createUnplugin } from 'unplugin';
import { compileFile } from './compile-file.ts';
import { messagesOf } from './messages.ts';
import { moduleText } from './module-text.ts';
import { readOptions } from './options.ts';
import type { SluiceOptions } from './options.ts';
import { writeDeclarations } from './type-files.ts';

export type { SluiceOptions };

/** The plugin for each bundler. */
export interface SluicePlugins {
  readonly vite: (options?: SluiceOptions) => { name: string };
  readonly rollup: (options?: SluiceOptions) => { name: string };
  readonly rolldown: (options?: SluiceOptions) => { name: string };
  readonly webpack: (options?: SluiceOptions) => { apply(compiler: unknown): void };
  readonly rspack: (options?: SluiceOptions) => { apply(compiler: unknown): void };
  readonly esbuild: (options?: SluiceOptions) => { name: string; setup(build: unknown): void };
}

/** Those that take assets whose place is told to the program that is built. */
const ofRollupsKind: readonly string[] = ['vite', 'rollup', 'rolldown'];

/** Before Vite 7 there is none, or it does not tell of Vite. */
interface ViteContext {
  readonly meta?: { readonly viteVersion?: string };
}

interface ViteConfig {
  readonly optimizeDeps?: { readonly exclude?: readonly string[] };
}

interface ViteModule {
  readonly id: string | null;
}

/** What Vite says of a file that has changed. */
interface HotUpdate {
  readonly file: string;
  readonly modules: readonly ViteModule[];
}

interface HotUpdateContext {
  readonly environment: {
    readonly moduleGraph: { getModulesByFile(file: string): ReadonlySet<ViteModule> | undefined };
  };
}

/** The plugins, by bundler: `plugins: [sluice.vite()]`. */
export const sluice: SluicePlugins = createUnplugin<SluiceOptions, SluicePlugins>((options = {}, { framework }) => {
  const { ints, types, inlineBelow } = readOptions(options);
  /** What each script imports, as paths: kept when it fails, too, so that mending what it imports loads it again. */
  const imported = new Map<string, readonly string[]>();
  let root = process.cwd();
  return {
    name: 'sluice',
    load: {
      filter: { id: /\.slu$/ },
      async handler(id) {
        const { artifact, diagnostics, imports } = await compileFile(id, root);
        imported.set(slashed(id), imports.map(slashed));
        for (const path of imports) this.addWatchFile(path);
        const { error, warnings } = messagesOf(diagnostics, root, framework);
        for (const warning of warnings) this.warn(warning);
        if (error !== null || artifact === null) {
          // Where that does not throw, a module that says nothing of its exports adds no further errors.
          this.error(error!);
          return 'module.exports = {};';
        }
        if (types) {
          const why = writeDeclarations(id, artifact.manifest, ints);
          if (why !== null) this.warn({ message: why, id, loc: { file: id, line: 1, column: 0 }, frame: '' });
        }
        // A server of Vite emits nothing while a program is developed, nor does a build for servers.
        const emits =
          ofRollupsKind.includes(framework) &&
          (this.environment === undefined ||
            (this.environment.mode === 'build' && this.environment.config.consumer === 'client'));
        const isFile = emits && artifact.wasm.length >= inlineBelow;
        const reference = isFile
          ? String(
              this.emitFile({ type: 'asset', name: `${/([^/\\]+)\.slu$/.exec(id)![1]}.wasm`, source: artifact.wasm }),
            )
          : null;
        return moduleText(artifact, ints, reference);
      },
    },
    vite: {
      config(this: ViteContext | undefined, { optimizeDeps }: ViteConfig): object {
        if (optimizeDeps?.exclude?.includes('sluice-host')) return {};
        // Found while a page is being loaded, it would have the page loaded anew. Before Vite 8 the worker's file is
        // lost where the host is bundled.
        const bundles = Number.parseInt(this?.meta?.viteVersion ?? '0', 10) >= 8;
        return { optimizeDeps: { [bundles ? 'include' : 'exclude']: ['sluice-host'] } };
      },
      configResolved(config: { readonly root: string }): void {
        root = config.root;
      },
      hotUpdate(this: HotUpdateContext, { file, modules }: HotUpdate): readonly ViteModule[] | undefined {
        const importers = [...imported]
          .filter(([, paths]) => paths.includes(file))
          .flatMap(([id]) => [...(this.environment.moduleGraph.getModulesByFile(id) ?? [])]);
        return importers.length === 0 ? undefined : [...new Set([...modules, ...importers])];
      },
    },
    esbuild: { loader: 'js', onLoadFilter: /\.slu$/ },
  };
});

/** As bundlers write paths. */
function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
