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

if (typeof Reflect.get(globalThis, 'addEventListener') !== 'function') {
  throw new Error(
    'sluice/language-server/worker runs in a worker of a browser: start it with new Worker(…). ' +
      'In Node, start sluice lsp',
  );
}

/** The types of the library name those of browsers, which are not ours. */
const scope = globalThis as never;

serve(createConnection(ProposedFeatures.all, new BrowserMessageReader(scope), new BrowserMessageWriter(scope)), {
  files: noFiles,
  version: '0.1.0',
});
