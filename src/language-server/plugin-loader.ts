// Plugins: functions of a host that scripts may call. Their declarations come from JavaScript, which is run for them
// in a process of its own, and in workspaces alone that the user trusts. Whoever starts the server with plugins has
// chosen them.

import { DidChangeWatchedFilesNotification } from 'vscode-languageserver';
import type { Disposable } from 'vscode-languageserver';
import { resolvePath } from '../source-reader.ts';
import { baseName } from './names.ts';
import type { Session } from './session.ts';

export class PluginLoader {
  readonly #session: Session;
  readonly #whenLoaded: () => void;
  #loaded: readonly string[] = [];
  /** Counts loads: what an earlier one finds does not matter any more. */
  #loads = 0;
  #watching: Disposable | null = null;

  constructor(session: Session, whenLoaded: () => void) {
    this.#session = session;
    this.#whenLoaded = whenLoaded;
  }

  /** Loads what the settings say now, unless it is loaded. What goes wrong is shown to the user. */
  async load(): Promise<void> {
    const wanted = this.#wanted();
    if (JSON.stringify(wanted) === JSON.stringify(this.#loaded)) return;
    this.#loaded = wanted;
    await this.#watch(wanted);
    await this.#loadAll(wanted);
  }

  /** Files have changed: loads anew if a plugin is among them. */
  async changed(names: readonly string[]): Promise<void> {
    if (this.#loaded.some((path) => names.includes(path))) await this.#loadAll(this.#loaded);
  }

  /** Absolute paths. */
  #wanted(): readonly string[] {
    const { connection, environment, settings, folders } = this.#session;
    const [folder] = folders;
    const chosen = settings.plugins.map((path) => absolutePath(path.replaceAll('\\', '/'), folder));
    const given = environment.plugins ?? [];
    if (settings.trusted) return [...given, ...chosen];
    if (chosen.length > 0) connection.console.info('plugins are code: they are loaded when this workspace is trusted');
    return given;
  }

  async #loadAll(paths: readonly string[]): Promise<void> {
    const { connection, environment, analyses } = this.#session;
    const load = environment.loadPlugins;
    this.#loads += 1;
    const own = this.#loads;
    if (paths.length > 0 && load === undefined) {
      connection.console.warn('plugins are not loaded: this server starts no processes');
      return;
    }
    try {
      const plugins = paths.length === 0 ? [] : await load!(paths);
      if (this.#loads !== own) return;
      analyses.usePlugins(plugins);
      this.#whenLoaded();
    } catch (error) {
      connection.window.showErrorMessage(`Sluice: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #watch(paths: readonly string[]): Promise<void> {
    const { connection, client } = this.#session;
    this.#watching?.dispose();
    this.#watching = null;
    if (paths.length === 0 || client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    this.#watching = await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [...new Set(paths.map(baseName))].map((name) => ({ globPattern: `**/${name}` })),
    });
  }
}

function absolutePath(path: string, folder: string | undefined): string {
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  return isAbsolute || folder === undefined ? path : resolvePath(path, `${folder}/`);
}
