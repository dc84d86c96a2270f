// Names of parameters in front of arguments, and what a conversion does that nobody has written.

import { InlayHintKind } from 'vscode-languageserver';
import type { InlayHint, InlayHintParams, ServerCapabilities } from 'vscode-languageserver';
import { hintsOf } from '../queries/index.ts';
import { markup } from './hovers.ts';
import { atDocument, checkRange } from './requests.ts';
import type { Session } from './session.ts';

export const inlayHintCapabilities: ServerCapabilities = { inlayHintProvider: true };

export function answerInlayHints(session: Session): void {
  const { connection, places } = session;
  connection.languages.inlayHint.on(
    atDocument(session, ({ analysis, file }, { range }: InlayHintParams) => {
      checkRange(range, 'range');
      const { parameterNames, conversions } = session.settings.hints;
      return hintsOf(analysis, file.name, places.span(file, range))
        .filter(({ kind }) => (kind === 'parameter' ? parameterNames : conversions))
        .map(({ at, text, kind, tooltip }): InlayHint => ({
          position: places.position(file, at.start),
          label: text,
          kind: kind === 'parameter' ? InlayHintKind.Parameter : InlayHintKind.Type,
          ...(tooltip === null ? {} : { tooltip: markup(tooltip, undefined) }),
          paddingRight: kind === 'parameter',
          paddingLeft: kind === 'conversion',
        }));
    }),
  );
}
