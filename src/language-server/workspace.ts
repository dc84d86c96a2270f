// The folders of the workspace and the files in them: what the client tells when they change, outside of its windows
// too.

import { DidChangeWatchedFilesNotification } from 'vscode-languageserver';
import type { Publisher } from './publisher.ts';
import type { Session } from './session.ts';
import { readSettings } from './settings.ts';
import type { PluginLoader } from './plugin-loader.ts';

/** Handlers, before the session begins. */
export function answerWorkspace(session: Session, publisher: Publisher, plugins: PluginLoader): void {
  const { connection } = session;
  // Whatever has changed: files are known by their stamps.
  connection.onDidChangeWatchedFiles(() => publisher.schedule());
  connection.onDidChangeConfiguration(async ({ settings }) => {
    session.settings = readSettings((settings as { readonly sluice?: unknown } | null)?.sluice, session.settings);
    await plugins.load();
    publisher.schedule();
  });
}

/** What can only be asked for when the session has begun. */
export async function watchWorkspace(session: Session, publisher: Publisher): Promise<void> {
  const { connection, client } = session;
  if (client.workspace?.workspaceFolders === true)
    connection.workspace.onDidChangeWorkspaceFolders(async () => {
      const folders = await connection.workspace.getWorkspaceFolders();
      session.useFolders(folders?.map(({ uri }) => uri) ?? []);
      publisher.schedule();
    });
  if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*.slu' }],
    });
}
