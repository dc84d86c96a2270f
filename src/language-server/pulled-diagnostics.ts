// Diagnostics that the client asks for, of one document or of the whole workspace. What is as it was when the client
// last asked is not sent again.

import { DocumentDiagnosticReportKind } from 'vscode-languageserver';
import type {
  Diagnostic as ProtocolDiagnostic,
  DocumentDiagnosticReport,
  WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { protocolDiagnostic } from './diagnostics.ts';
import { atDocument, stopIfCancelled } from './requests.ts';
import type { Asked } from './requests.ts';
import type { Session } from './session.ts';
import { nextMessage } from './session.ts';

export function answerDiagnostics(session: Session): void {
  const { connection } = session;
  const results = new Results();
  const find = ({ analysis, file }: Asked): readonly ProtocolDiagnostic[] =>
    analysis.diagnostics
      .filter(({ span }) => span.file === file)
      .map((diagnostic) => protocolDiagnostic(diagnostic, session.places, session.settings.explanations));
  const ofDocument = atDocument(
    session,
    (asked, { previousResultId }: { textDocument: { uri: string }; previousResultId?: string }) =>
      results.report(asked.uri, find(asked), previousResultId),
  );
  connection.languages.diagnostics.on(
    (parameters, token) => ofDocument(parameters, token) ?? { kind: DocumentDiagnosticReportKind.Full, items: [] },
  );
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token, _progress, partial) => {
    const previous = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items: WorkspaceDocumentDiagnosticReport[] = [];
    const give = (item: WorkspaceDocumentDiagnosticReport): void => {
      if (partial === undefined) items.push(item);
      else partial.report({ items: [item] });
    };
    for (const name of await session.listScripts()) {
      stopIfCancelled(token);
      const uri = session.places.uriOfName(name);
      const wasCurrent = session.analyses.isCurrent(name);
      const analysis = session.analyses.ofName(name);
      if (analysis !== null) {
        const report = results.report(uri, find({ uri, analysis, file: analysis.entry.source }), previous.get(uri));
        give({ ...report, uri, version: session.documents.byName(name)?.version ?? null });
        previous.delete(uri);
      }
      if (!wasCurrent) await nextMessage();
    }
    // Files that are there no more.
    for (const uri of previous.keys()) give({ kind: DocumentDiagnosticReportKind.Full, items: [], uri, version: null });
    return { items };
  });
}

/** A name for each state of a document's diagnostics. */
class Results {
  readonly #last = new Map<string, { readonly id: string; readonly text: string }>();
  #count = 0;

  report(uri: string, items: readonly ProtocolDiagnostic[], previous: string | undefined): DocumentDiagnosticReport {
    const text = JSON.stringify(items);
    const last = this.#last.get(uri);
    if (last?.text === text && last.id === previous)
      return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: last.id };
    const id = last?.text === text ? last.id : `${(this.#count += 1)}`;
    this.#last.set(uri, { id, text });
    return { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: [...items] };
  }
}
