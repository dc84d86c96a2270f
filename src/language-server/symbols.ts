// What a file declares, as a tree, and what the whole workspace declares, by name.

import { SymbolKind } from 'vscode-languageserver';
import type { DocumentSymbol as ProtocolSymbol, ServerCapabilities, SymbolInformation } from 'vscode-languageserver';
import { symbolsOf, workspaceSymbols } from '../queries/index.ts';
import type { DocumentSymbol } from '../queries/index.ts';
import { analyseWorkspace, atDocument, invalid } from './requests.ts';
import type { Places } from './places.ts';
import type { Session } from './session.ts';

export const symbolCapabilities: ServerCapabilities = { documentSymbolProvider: true, workspaceSymbolProvider: true };

const kinds: Readonly<Record<DocumentSymbol['kind'], SymbolKind>> = {
  function: SymbolKind.Function,
  main: SymbolKind.Function,
  type: SymbolKind.Struct,
  field: SymbolKind.Field,
  variable: SymbolKind.Variable,
  constant: SymbolKind.Constant,
  import: SymbolKind.Module,
};

export function answerSymbols(session: Session): void {
  const { connection, places } = session;
  connection.onDocumentSymbol(
    atDocument(session, ({ analysis, file, uri }) => {
      const found = symbolsOf(analysis, file.name);
      return session.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true
        ? found.map((symbol) => protocolSymbol(symbol, places))
        : found.flatMap((symbol) => flatSymbols(symbol, null, uri, places));
    }),
  );
  connection.onWorkspaceSymbol(async ({ query }, token) => {
    if (typeof query !== 'string') throw invalid('query is a text');
    const found = workspaceSymbols(await analyseWorkspace(session, token), query);
    return found.map(({ name, kind, container, span }): SymbolInformation => ({
      name,
      kind: kinds[kind],
      ...(container === null ? {} : { containerName: container }),
      location: places.location(span),
    }));
  });
}

function protocolSymbol(
  { name, kind, detail, span, nameSpan, children }: DocumentSymbol,
  places: Places,
): ProtocolSymbol {
  return {
    name,
    kind: kinds[kind],
    ...(detail === null ? {} : { detail }),
    range: places.range(span),
    selectionRange: places.range(nameSpan),
    children: children.map((child) => protocolSymbol(child, places)),
  };
}

/** For clients that show no tree. */
function flatSymbols(
  { name, kind, span, children }: DocumentSymbol,
  container: string | null,
  uri: string,
  places: Places,
): SymbolInformation[] {
  const own: SymbolInformation = {
    name,
    kind: kinds[kind],
    ...(container === null ? {} : { containerName: container }),
    location: { uri, range: places.range(span) },
  };
  return [own, ...children.flatMap((child) => flatSymbols(child, name, uri, places))];
}
