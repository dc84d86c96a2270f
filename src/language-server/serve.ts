// One session with a client: what the server can do, the documents that are opened, changed and closed, and the
// handlers of all requests. `server.ts` and `worker.ts` hand in a connection.

import { TextDocumentSyncKind } from 'vscode-languageserver';
import type { Connection, InitializeParams, InitializeResult } from 'vscode-languageserver';
import type { Environment } from './environment.ts';
import { answerCallHierarchy, callHierarchyCapabilities } from './call-hierarchy.ts';
import { answerCodeActions, codeActionCapabilities } from './code-actions.ts';
import { answerCodeLenses, codeLensCapabilities } from './code-lenses.ts';
import { answerCompletion, completionCapabilities } from './completion.ts';
import { answerFormatting, formattingCapabilities } from './formatting.ts';
import { answerInlayHints, inlayHintCapabilities } from './inlay-hints.ts';
import { answerRanges, rangeCapabilities } from './ranges.ts';
import { answerSignatures, signatureCapabilities } from './signatures.ts';
import { answerHovers, hoverCapabilities } from './hovers.ts';
import { answerNavigation, navigationCapabilities } from './navigation.ts';
import { answerRenaming, renamingCapabilities } from './renaming.ts';
import { answerSemanticTokens, semanticTokenCapabilities } from './semantic-tokens.ts';
import { answerSymbols, symbolCapabilities } from './symbols.ts';
import { nameOfUri } from './names.ts';
import { PluginLoader } from './plugin-loader.ts';
import { Publisher } from './publisher.ts';
import { answerDiagnostics } from './pulled-diagnostics.ts';
import { Session } from './session.ts';
import { readSettings } from './settings.ts';
import { FormatterWarmUp } from './warm-up.ts';
import { answerWorkspace, askForSettings, refresh, watchWorkspace } from './workspace.ts';

/** What answers requests, a file for each topic. */
const features: readonly ((session: Session) => void)[] = [
  answerDiagnostics,
  answerNavigation,
  answerRenaming,
  answerHovers,
  answerSymbols,
  answerSemanticTokens,
  answerCompletion,
  answerSignatures,
  answerInlayHints,
  answerRanges,
  answerCallHierarchy,
  answerCodeLenses,
  answerCodeActions,
  answerFormatting,
];

/** Serves until the client ends the session. */
export function serve(connection: Connection, environment: Environment): void {
  const session = new Session(connection, environment);
  const publisher = new Publisher(session);
  const warmUp = new FormatterWarmUp(session);
  const plugins = new PluginLoader(session, () => {
    publisher.schedule();
    void refresh(session);
  });
  let hasOptions = false;
  connection.onInitialize((parameters) => {
    hasOptions = (parameters.initializationOptions ?? null) !== null;
    return initialise(session, parameters);
  });
  connection.onInitialized(async () => {
    await watchWorkspace(session, publisher, plugins);
    if (!hasOptions) await askForSettings(session);
    await plugins.load();
  });
  answerWorkspace(session, publisher, plugins);
  connection.onShutdown(() => {
    publisher.stop();
    warmUp.stop();
  });
  synchronise(session, publisher, warmUp);
  for (const answer of features) answer(session);
  connection.listen();
}

function initialise(session: Session, parameters: InitializeParams): InitializeResult {
  const { capabilities, workspaceFolders } = parameters;
  session.client = capabilities;
  session.settings = readSettings(parameters.initializationOptions as unknown);
  // What older clients have in its place; some leave it out.
  const rootUri = (parameters as { readonly rootUri?: string | null }).rootUri ?? null;
  session.changeFolders(workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]), []);
  return {
    serverInfo: { name: 'sluice', version: session.environment.version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
      diagnosticProvider: { identifier: 'sluice', interFileDependencies: true, workspaceDiagnostics: true },
      ...navigationCapabilities,
      ...renamingCapabilities,
      ...hoverCapabilities,
      ...symbolCapabilities,
      ...semanticTokenCapabilities,
      ...completionCapabilities,
      ...signatureCapabilities,
      ...inlayHintCapabilities,
      ...rangeCapabilities,
      ...callHierarchyCapabilities,
      ...codeLensCapabilities,
      ...codeActionCapabilities,
      ...formattingCapabilities,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}

/** Keeps the documents as the client has them. */
function synchronise(session: Session, publisher: Publisher, warmUp: FormatterWarmUp): void {
  const { connection, documents } = session;
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    documents.open(uri, languageId, version, text);
    publisher.schedule(nameOfUri(uri));
    warmUp.postpone(nameOfUri(uri));
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const document = documents.change(uri, version, contentChanges);
    if (document === null) return connection.console.warn(`${uri} has changed, and is not open`);
    publisher.schedule(document.name);
    warmUp.postpone(document.name);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const document = documents.close(uri);
    if (document === null) return;
    session.closed(document.uri);
    publisher.forget(document.name);
  });
}
