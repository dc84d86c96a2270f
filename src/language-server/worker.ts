// The language server in a worker of a browser: the page posts messages of JSON-RPC as objects, and gets answers in the
// same form. There is no disk: scripts import what is open.

import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { noFiles } from './environment.ts';
import { serve } from './serve.ts';

const scope = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];

serve(createConnection(ProposedFeatures.all, new BrowserMessageReader(scope), new BrowserMessageWriter(scope)), {
  files: noFiles,
  version: '0.1.0',
});
