// What each name is, for editors that colour by meaning: of a whole file, of what is seen of it, and as changes since
// the client last asked.

import { SemanticTokensBuilder } from 'vscode-languageserver';
import type {
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensRangeParams,
  ServerCapabilities,
} from 'vscode-languageserver';
import { semanticTokensOf } from '../queries/index.ts';
import type { SemanticToken, SemanticTokenModifier, SemanticTokenType } from '../queries/index.ts';
import { atDocument, checkRange } from './requests.ts';
import type { Session } from './session.ts';

const types: readonly SemanticTokenType[] = [
  'namespace',
  'type',
  'function',
  'method',
  'variable',
  'parameter',
  'property',
  'keyword',
];
const modifiers: readonly SemanticTokenModifier[] = ['declaration', 'readonly', 'defaultLibrary', 'modification'];

export const semanticTokenCapabilities: ServerCapabilities = {
  semanticTokensProvider: {
    legend: { tokenTypes: [...types], tokenModifiers: [...modifiers] },
    full: { delta: true },
    range: true,
  },
};

const noTokens: SemanticTokens = { data: [] };

export function answerSemanticTokens(session: Session): void {
  const { connection, places } = session;
  /** What each client's document had last, for changes to it. */
  const builders = new Map<string, SemanticTokensBuilder>();
  const fill = (builder: SemanticTokensBuilder, tokens: readonly SemanticToken[]): void => {
    for (const { span, type, modifiers: own } of tokens) {
      const { line, character } = places.position(span.file, span.start);
      const bits = own.reduce((sum, modifier) => sum | (1 << modifiers.indexOf(modifier)), 0);
      builder.push(line, character, span.end - span.start, types.indexOf(type), bits);
    }
  };
  const full = atDocument(session, ({ analysis, file, uri }): SemanticTokens => {
    const builder = new SemanticTokensBuilder();
    builders.set(uri, builder);
    fill(builder, semanticTokensOf(analysis, file.name));
    return builder.build();
  });
  const delta = atDocument(
    session,
    (
      { analysis, file, uri },
      { previousResultId }: SemanticTokensDeltaParams,
    ): SemanticTokens | SemanticTokensDelta => {
      const builder = builders.get(uri) ?? new SemanticTokensBuilder();
      builders.set(uri, builder);
      builder.previousResult(previousResultId);
      fill(builder, semanticTokensOf(analysis, file.name));
      return builder.buildEdits();
    },
  );
  const range = atDocument(session, ({ analysis, file }, parameters: SemanticTokensRangeParams): SemanticTokens => {
    checkRange(parameters.range, 'range');
    const builder = new SemanticTokensBuilder();
    fill(builder, semanticTokensOf(analysis, file.name, places.span(file, parameters.range)));
    return builder.build();
  });
  connection.languages.semanticTokens.on((parameters, token) => full(parameters, token) ?? noTokens);
  connection.languages.semanticTokens.onDelta((parameters, token) => delta(parameters, token) ?? noTokens);
  connection.languages.semanticTokens.onRange((parameters, token) => range(parameters, token) ?? noTokens);
  session.whenClosed((uri) => builders.delete(uri));
}
