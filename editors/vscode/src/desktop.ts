// The extension where there is Node: the language server is a process of its own, and scripts are run, tested and built
// by the command line in a terminal.

import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { findCommandLine } from './desktop/command-line.ts';
import { registerLoops } from './desktop/loops.ts';
import { registerRunCommands } from './desktop/run-commands.ts';
import { registerTasks } from './desktop/tasks.ts';
import { registerWasmText } from './desktop/wasm-text.ts';
import { startExtension } from './extension.ts';
import { clientId, clientName } from './session.ts';
import type { NamedClient } from './session.ts';
import { readSettings } from './settings.ts';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerRunCommands(context);
  registerTasks(context);
  registerLoops(context);
  registerWasmText(context);
  const session = await startExtension(context, (options) => makeClient(context, options), true);
  context.subscriptions.push({ dispose: () => session.stop() });
}

async function makeClient(context: vscode.ExtensionContext, options: LanguageClientOptions): Promise<NamedClient> {
  const { server, options: serverOptions } = await chooseServer(context);
  return { client: new LanguageClient(clientId, clientName, serverOptions, options), server };
}

interface ChosenServer {
  readonly server: string;
  readonly options: ServerOptions;
}

/** The server of the workspace's own compiler, if the settings want it and there is one; else that of the extension. */
async function chooseServer(context: vscode.ExtensionContext): Promise<ChosenServer> {
  if (readSettings().languageServer === 'workspace' && vscode.workspace.isTrusted) {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    const found = findCommandLine(folder?.uri);
    if (found !== null)
      return {
        server: `the server of ${found}`,
        options: {
          command: found,
          args: ['lsp'],
          transport: TransportKind.stdio,
          options: { shell: process.platform === 'win32' },
        },
      };
    void vscode.window.showWarningMessage(
      'There is no command sluice whose language server could be taken: that of the extension is.',
    );
  }
  const module = context.asAbsolutePath('dist/server.mjs');
  return {
    server: 'the server of the extension',
    options: { module, transport: TransportKind.stdio, options: { execArgv: [] } },
  };
}
