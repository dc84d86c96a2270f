// The language server that the extension brings along, as a process of its own: that of `sluice lsp`, without what
// compiles.

import { workspaceFiles } from '../../../src/cli/language-server/workspace-files.ts';
import { startServer } from '../../../src/language-server/server.ts';

/** That of the extension, which the bundler puts in. */
declare const SLUICE_VERSION: string;

startServer({ files: workspaceFiles(), version: SLUICE_VERSION });
