// `sluice lsp`: the language server, with the files, processes and workers of this machine.

import { resolve } from 'node:path';
import { startServer } from '../../language-server/server.ts';
import type { CommandInput } from '../command.ts';
import { packageVersion } from '../package.ts';
import { workspaceFiles } from './workspace-files.ts';

/** Never ends by itself: the process ends with the session. */
export async function lspCommand({ values }: CommandInput): Promise<number> {
  startServer({
    files: workspaceFiles(),
    formatOptions: async (name) => (await import('../editor-config.ts')).formatOptionsOf(name),
    loadPlugins: async (paths) => (await import('./plugin-process.ts')).declarationsOf(paths),
    measureCosts: async (task, signal) => (await import('./costs.ts')).measureCosts(task, signal),
    plugins: (values.get('plugin') ?? []).map((path) => resolve(path).replaceAll('\\', '/')),
    version: packageVersion(),
  });
  return new Promise<number>(() => {});
}
