// What the extension does wherever it runs: the session with the language server, and the commands about it. The
// entries desktop.ts and web.ts add what their platforms have.

import * as vscode from 'vscode';
import { Session } from './session.ts';
import type { ClientMaker } from './session.ts';
import { section } from './settings.ts';

/** A change of one of these wants another server. */
const startingSettings = ['path', 'languageServer', 'plugins'];

export async function startExtension(
  context: vscode.ExtensionContext,
  makeClient: ClientMaker,
  canRun: boolean,
): Promise<Session> {
  const session = new Session(makeClient, canRun);
  context.subscriptions.push(
    session,
    vscode.commands.registerCommand('sluice.restartServer', () => session.restart()),
    vscode.commands.registerCommand('sluice.showOutput', () => session.showOutput()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => session.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (startingSettings.some((name) => change.affectsConfiguration(`${section}.${name}`))) await session.restart();
      else if (change.affectsConfiguration(section)) await session.sendSettings();
    }),
  );
  await vscode.commands.executeCommand('setContext', 'sluice.canRun', canRun);
  await session.start();
  return session;
}
