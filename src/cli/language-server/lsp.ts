// `sluice lsp`: the language server, with the files, processes and workers of this machine.

import { startServer } from '../../language-server/server.ts';
import { packageVersion } from '../package.ts';
import { workspaceFiles } from './workspace-files.ts';

/** Never ends by itself: the process ends with the session. */
export async function lspCommand(): Promise<number> {
  startServer({
    files: workspaceFiles(),
    formatOptions: async (name) => (await import('../editor-config.ts')).formatOptionsOf(name),
    version: packageVersion(),
  });
  return new Promise<number>(() => {});
}
