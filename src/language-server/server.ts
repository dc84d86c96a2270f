// The language server over standard input and output, in Node. `sluice lsp` starts it; how the machine's files are
// read, plugins loaded and costs measured comes from there.

import process from 'node:process';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Environment } from './environment.ts';
import { serve } from './serve.ts';

/** Serves the client at standard input and output, and ends the process with the session. */
export function startServer(environment: Environment): void {
  serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout), environment);
}
