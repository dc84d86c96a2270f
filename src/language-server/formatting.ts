// Formatting of documents, of selections, and of what has just been typed. How wide the indentation is says
// `.editorconfig` and not the editor, so that a script comes out the same wherever it is formatted; how lines end the
// document itself says, since editors keep that.

import type {
  CancellationToken,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  ServerCapabilities,
  TextDocumentIdentifier,
  TextEdit as ProtocolEdit,
} from 'vscode-languageserver';
import { formatFile, formatFileRange } from '../formatter/format.ts';
import type { FormatOptions, TextEdit } from '../formatter/format.ts';
import { editsForTyped, typedCharacters } from '../formatter/typing.ts';
import type { SourceFile } from '../source.ts';
import { isUri, nameOfUri } from './names.ts';
import { atDocument, atPosition, checkRange, stopIfCancelled } from './requests.ts';
import type { Session } from './session.ts';

const [firstTriggerCharacter, ...moreTriggerCharacter] = typedCharacters;

export const formattingCapabilities: ServerCapabilities = {
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: { firstTriggerCharacter, moreTriggerCharacter },
};

export function answerFormatting(session: Session): void {
  const { connection, places } = session;
  connection.onDocumentFormatting(
    withOptions(session, (configured) =>
      atDocument(session, ({ file, analysis }) => {
        const { edits } = formatFile(analysis.entry.syntax, file.text, optionsFor(file, configured));
        return protocolEdits(session, file, edits);
      }),
    ),
  );
  connection.onDocumentRangeFormatting(
    withOptions(session, (configured) =>
      atDocument(session, ({ file, analysis }, { range }: DocumentRangeFormattingParams) => {
        checkRange(range, 'range');
        const options = optionsFor(file, configured);
        const { edits } = formatFileRange(analysis.entry.syntax, file.text, places.span(file, range), options);
        return protocolEdits(session, file, edits);
      }),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    withOptions(session, (configured) =>
      atPosition(session, ({ file, analysis, offset }, { ch }: DocumentOnTypeFormattingParams) => {
        const edits = editsForTyped(analysis.entry.syntax, ch, offset, optionsFor(file, configured));
        return protocolEdits(session, file, edits);
      }),
    ),
  );
}

/** Waits for what is configured first: the handler then sees the document as it is. */
function withOptions<Parameters extends { readonly textDocument: TextDocumentIdentifier }>(
  session: Session,
  handler: (configured: FormatOptions) => (parameters: Parameters, token: CancellationToken) => ProtocolEdit[] | null,
): (parameters: Parameters, token: CancellationToken) => Promise<ProtocolEdit[] | null> {
  return async (parameters, token) => {
    const uri: unknown = parameters?.textDocument?.uri;
    const name = typeof uri === 'string' ? nameOfUri(uri) : '';
    const { formatOptions } = session.environment;
    const configured = name === '' || isUri(name) ? {} : ((await formatOptions?.(name)) ?? {});
    stopIfCancelled(token);
    return handler(configured)(parameters, token);
  };
}

function optionsFor({ text }: SourceFile, configured: FormatOptions): FormatOptions {
  const lineEnd = text.indexOf('\n');
  return { ...configured, endOfLine: text[lineEnd - 1] === '\r' ? 'crlf' : 'lf' };
}

function protocolEdits({ places }: Session, file: SourceFile, edits: readonly TextEdit[]): ProtocolEdit[] {
  return edits.map(({ start, end, text }) => ({ range: places.range({ file, start, end }), newText: text }));
}
