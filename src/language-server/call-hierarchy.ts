// Who calls a function, and whom it calls, step by step and in all scripts of the workspace.

import { SymbolKind } from 'vscode-languageserver';
import type { CallHierarchyItem as ProtocolItem, ServerCapabilities } from 'vscode-languageserver';
import { callHierarchyAt, incomingCalls, outgoingCalls } from '../queries/index.ts';
import type { Analysis, CallHierarchyItem } from '../queries/index.ts';
import { analyseWorkspace, atPosition, checkRange, findDocument } from './requests.ts';
import type { Session } from './session.ts';

export const callHierarchyCapabilities: ServerCapabilities = { callHierarchyProvider: true };

export function answerCallHierarchy(session: Session): void {
  const { connection, places } = session;
  const protocolItem = ({ name, kind, detail, span, nameSpan }: CallHierarchyItem): ProtocolItem => ({
    name,
    kind: kind === 'script' ? SymbolKind.File : SymbolKind.Function,
    ...(detail === null ? {} : { detail }),
    uri: places.uriOf(nameSpan.file),
    range: places.range(span),
    selectionRange: places.range(nameSpan),
    data: { isScript: kind === 'script' },
  });
  connection.languages.callHierarchy.onPrepare(
    atPosition(session, ({ analysis, file, offset }) => {
      const item = callHierarchyAt(analysis, file.name, offset);
      return item === null ? null : [protocolItem(item)];
    }),
  );
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }, token) => {
    const others = await analyseWorkspace(session, token);
    const found = findItem(session, item);
    return (
      found &&
      incomingCalls(found.analysis, found.item, others).map(({ item: from, calls }) => ({
        from: protocolItem(from),
        fromRanges: calls.map((span) => places.range(span)),
      }))
    );
  });
  connection.languages.callHierarchy.onOutgoingCalls(({ item }) => {
    const found = findItem(session, item);
    return (
      found &&
      outgoingCalls(found.analysis, found.item).map(({ item: to, calls }) => ({
        to: protocolItem(to),
        fromRanges: calls.map((span) => places.range(span)),
      }))
    );
  });
}

/** What an item that the client hands back means now; null if it is there no more. */
function findItem(
  session: Session,
  item: ProtocolItem,
): { readonly analysis: Analysis; readonly item: CallHierarchyItem } | null {
  const asked = findDocument(session, { textDocument: item });
  if (asked === null) return null;
  checkRange(item.selectionRange, 'item.selectionRange');
  const { analysis, file } = asked;
  if ((item.data as { readonly isScript?: boolean } | undefined)?.isScript === true) {
    const start = { file, start: 0, end: 0 };
    return { analysis, item: { name: file.name, kind: 'script', detail: null, span: start, nameSpan: start } };
  }
  const found = callHierarchyAt(analysis, file.name, session.places.offset(file, item.selectionRange.start));
  return found === null ? null : { analysis, item: found };
}
