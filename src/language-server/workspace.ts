// The folders of the workspace and the files in them: what the client tells when they change, outside of its windows
// too.

import { CodeLensRefreshRequest, DidChangeWatchedFilesNotification } from 'vscode-languageserver';
import { nameOfUri } from './names.ts';
import type { Publisher } from './publisher.ts';
import type { Session } from './session.ts';
import { readSettings, readWorkspaceSettings } from './settings.ts';
import type { PluginLoader } from './plugin-loader.ts';

/** Handlers, before the session begins. */
export function answerWorkspace(session: Session, publisher: Publisher, plugins: PluginLoader): void {
  const { connection } = session;
  // Whatever has changed: files are known by their stamps.
  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    publisher.schedule();
    await plugins.changed(changes.map(({ uri }) => nameOfUri(uri)));
  });
  connection.onDidChangeConfiguration(async ({ settings }) => {
    const given = (settings as { readonly sluice?: unknown } | null)?.sluice ?? null;
    // Clients of today only say that something has changed.
    if (given === null) await askForSettings(session);
    else session.settings = readSettings(given, session.settings);
    await plugins.load();
    publisher.schedule();
    await refresh(session);
  });
}

/** Settings of the workspace, from clients that are asked for them. */
export async function askForSettings(session: Session): Promise<void> {
  if (session.client.workspace?.configuration !== true) return;
  const given: unknown = await session.connection.workspace.getConfiguration('sluice');
  session.settings = readWorkspaceSettings(given, session.settings);
}

/** Has the client ask again for what it shows in the text. */
export async function refresh({ connection, client: { workspace } }: Session): Promise<void> {
  if (workspace?.codeLens?.refreshSupport === true) await connection.sendRequest(CodeLensRefreshRequest.type);
  if (workspace?.inlayHint?.refreshSupport === true) await connection.languages.inlayHint.refresh();
  if (workspace?.semanticTokens?.refreshSupport === true) await connection.languages.semanticTokens.refresh();
}

/** What can only be asked for when the session has begun. */
export async function watchWorkspace(session: Session, publisher: Publisher, plugins: PluginLoader): Promise<void> {
  const { connection, client } = session;
  if (client.workspace?.workspaceFolders === true)
    connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
      session.changeFolders(
        added.map(({ uri }) => uri),
        removed.map(({ uri }) => uri),
      );
      publisher.schedule();
      // Paths of plugins begin at the first folder.
      await plugins.load();
    });
  if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*.slu' }],
    });
}
