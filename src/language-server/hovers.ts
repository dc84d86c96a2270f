// What a name is: its declaration, type and documentation.

import { MarkupKind } from 'vscode-languageserver';
import type { MarkupContent, ServerCapabilities } from 'vscode-languageserver';
import { hoverAt } from '../queries/index.ts';
import { atPosition } from './requests.ts';
import type { Session } from './session.ts';

export const hoverCapabilities: ServerCapabilities = {
  hoverProvider: true,
};

export function answerHovers(session: Session): void {
  const { connection, places } = session;
  connection.onHover(
    atPosition(session, ({ analysis, file, offset }) => {
      const found = hoverAt(analysis, file.name, offset);
      const formats = session.client.textDocument?.hover?.contentFormat;
      return found === null ? null : { contents: markup(found.markdown, formats), range: places.range(found.span) };
    }),
  );
}

/** Markdown, or for clients that only show text, text without fences. */
export function markup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  if (formats === undefined || formats.includes(MarkupKind.Markdown))
    return { kind: MarkupKind.Markdown, value: markdown };
  return { kind: MarkupKind.PlainText, value: markdown.replaceAll(/^```.*\n?/gm, '').replaceAll(/`([^`\n]+)`/g, '$1') };
}
