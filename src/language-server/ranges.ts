// Parts of a text that belong together: what can be folded, what is selected step by step,
// and texts that lead to files.

import { FoldingRangeKind } from 'vscode-languageserver';
import type {
  DocumentLink,
  FoldingRange,
  SelectionRange,
  SelectionRangeParams,
  ServerCapabilities,
} from 'vscode-languageserver';
import { foldingRangesOf, linksOf, selectionRangesAt } from '../queries/index.ts';
import { atDocument, checkPosition, invalid } from './requests.ts';
import type { Session } from './session.ts';

export const rangeCapabilities: ServerCapabilities = {
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: {},
};

export function answerRanges(session: Session): void {
  const { connection, places } = session;
  connection.onFoldingRanges(
    atDocument(session, ({ analysis, file }) =>
      foldingRangesOf(analysis, file.name).map(({ span, kind }): FoldingRange => {
        const { start, end } = places.range(span);
        return {
          startLine: start.line,
          startCharacter: start.character,
          endLine: end.line,
          endCharacter: end.character,
          ...(kind === 'code'
            ? {}
            : { kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Imports }),
        };
      }),
    ),
  );
  connection.onSelectionRanges(
    atDocument(session, ({ analysis, file }, { positions }: SelectionRangeParams) => {
      if (!Array.isArray(positions)) throw invalid('positions is a list');
      return positions.map((position) => {
        checkPosition(position, 'positions');
        const offset = places.offset(file, position);
        const spans = selectionRangesAt(analysis, file.name, offset).toSorted(
          (a, b) => b.end - b.start - (a.end - a.start),
        );
        let range: SelectionRange | undefined;
        for (const span of spans)
          range = { range: places.range(span), ...(range === undefined ? {} : { parent: range }) };
        return range ?? { range: { start: position, end: position } };
      });
    }),
  );
  connection.onDocumentLinks(
    atDocument(session, ({ analysis, file }) =>
      linksOf(analysis, file.name).map(({ span, file: name }): DocumentLink => ({
        range: places.range(span),
        target: places.uriOfName(name),
      })),
    ),
  );
}
