// Plugins: functions of a host that scripts may call. Their declarations come from JavaScript, which is run for them
// in a process of its own, and in workspaces alone that the user trusts. Whoever starts the server with plugins has
// chosen them.

import type { Session } from './session.ts';
import { resolvePath } from '../source-reader.ts';

export class PluginLoader {
  readonly #session: Session;
  readonly #whenLoaded: () => void;
  #loaded = '[]';

  constructor(session: Session, whenLoaded: () => void) {
    this.#session = session;
    this.#whenLoaded = whenLoaded;
  }

  /** Loads what the settings say now, unless it is loaded. What goes wrong is shown to the user. */
  async load(): Promise<void> {
    const { connection, environment, settings, folders, analyses } = this.#session;
    const given = environment.plugins ?? [];
    const [folder] = folders;
    const chosen = settings.plugins.map((path) =>
      path.startsWith('/') || isAbsolute(path) || folder === undefined ? path : resolvePath(path, `${folder}/`),
    );
    if (chosen.length > 0 && !settings.trusted)
      connection.console.info('plugins are code: they are loaded when this workspace is trusted');
    const wanted = [...given, ...(settings.trusted ? chosen : [])];
    const key = JSON.stringify(wanted);
    if (key === this.#loaded) return;
    this.#loaded = key;
    if (wanted.length > 0 && environment.loadPlugins === undefined) {
      connection.console.warn('plugins are not loaded: there are no processes here');
      return;
    }
    try {
      const plugins = wanted.length === 0 ? [] : await environment.loadPlugins!(wanted);
      if (this.#loaded !== key) return;
      analyses.usePlugins(plugins);
      this.#whenLoaded();
    } catch (error) {
      connection.window.showErrorMessage(`Sluice: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function isAbsolute(path: string): boolean {
  return /^[A-Za-z]:[/\\]/.test(path);
}
