// The part of the library `unplugin` that is used here: its own types want those of every bundler that there is.

declare module 'unplugin' {
  interface Place {
    readonly file: string;
    readonly line: number;
    readonly column: number;
  }

  export interface Message {
    readonly message: string;
    readonly id: string;
    readonly loc: Place;
    readonly frame: string;
  }

  /** What a hook is called on. Those of Rollup's kind have more than others. */
  export interface Context {
    addWatchFile(path: string): void;
    error(message: Message): void;
    warn(message: Message): void;
    /** Answers with the reference of the file where the bundler is Rollup, or like it. */
    emitFile(file: { readonly type: 'asset'; readonly name: string; readonly source: Uint8Array }): unknown;
    /** Of Vite. */
    readonly environment?: { readonly mode: string; readonly config: { readonly consumer: string } };
  }

  export interface PluginHooks {
    readonly name: string;
    readonly load: {
      readonly filter: { readonly id: RegExp };
      readonly handler: (this: Context, id: string) => Promise<string>;
    };
    readonly vite: object;
    readonly esbuild: object;
  }

  export function createUnplugin<Options, Plugins>(
    factory: (options: Options | undefined, meta: { readonly framework: string }) => PluginHooks,
  ): Plugins;
}
