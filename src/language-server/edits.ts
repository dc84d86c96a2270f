// Edits of the queries as edits of the protocol, for one document and for several.

import type {
  ChangeAnnotation,
  TextDocumentEdit,
  TextEdit as ProtocolEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextEdit } from '../queries/index.ts';
import type { Places } from './places.ts';
import type { Session } from './session.ts';

export function protocolEdit({ span, text }: TextEdit, places: Places): ProtocolEdit {
  return { range: places.range(span), newText: text };
}

/**
 * The edits of all files; documents that are open must be as they were, if the client can look at that. With an
 * annotation, which needs a client that `takesAnnotations`, it shows the edits first and asks.
 */
export function workspaceEdit(
  { places, documents, client }: Session,
  edits: readonly TextEdit[],
  annotation: ChangeAnnotation | null = null,
): WorkspaceEdit {
  const byUri = Map.groupBy(edits, ({ span }) => places.uriOf(span.file));
  const protocolEdits = [...byUri].map(([uri, own]) => [uri, own.map((edit) => protocolEdit(edit, places))] as const);
  if (client.workspace?.workspaceEdit?.documentChanges !== true) return { changes: Object.fromEntries(protocolEdits) };
  return {
    documentChanges: protocolEdits.map(([uri, own]): TextDocumentEdit => ({
      textDocument: { uri, version: documents.get(uri)?.version ?? null },
      edits: annotation === null ? own : own.map((edit) => ({ ...edit, annotationId })),
    })),
    ...(annotation === null ? {} : { changeAnnotations: { [annotationId]: annotation } }),
  };
}

const annotationId = 'sluice';

export function takesAnnotations({ client }: Session): boolean {
  const { documentChanges, changeAnnotationSupport } = client.workspace?.workspaceEdit ?? {};
  return documentChanges === true && changeAnnotationSupport !== undefined;
}
