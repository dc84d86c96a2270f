// From a name to where it is declared, to its type, and to all places where it stands.

import { DocumentHighlightKind } from 'vscode-languageserver';
import type {
  ClientCapabilities,
  DefinitionLink,
  Location,
  ReferenceParams,
  ServerCapabilities,
} from 'vscode-languageserver';
import { definitionAt, highlightsAt, referencesAt, typeDefinitionAt } from '../queries/index.ts';
import type { Definition } from '../queries/index.ts';
import { acrossWorkspace, atPosition } from './requests.ts';
import type { Places } from './places.ts';
import type { Session } from './session.ts';

export const navigationCapabilities: ServerCapabilities = {
  definitionProvider: true,
  typeDefinitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
};

export function answerNavigation(session: Session): void {
  const { connection, places } = session;
  connection.onDefinition(
    atPosition(session, ({ analysis, file, offset }) =>
      linkTo(definitionAt(analysis, file.name, offset), session.client.textDocument?.definition, places),
    ),
  );
  connection.onTypeDefinition(
    atPosition(session, ({ analysis, file, offset }) =>
      linkTo(typeDefinitionAt(analysis, file.name, offset), session.client.textDocument?.typeDefinition, places),
    ),
  );
  connection.onReferences(
    acrossWorkspace(session, ({ analysis, file, offset }, { context }: ReferenceParams, others) =>
      referencesAt(analysis, file.name, offset, others)
        .filter(({ kind }) => kind !== 'declaration' || context.includeDeclaration)
        .map(({ span }) => places.location(span)),
    ),
  );
  connection.onDocumentHighlight(
    atPosition(session, ({ analysis, file, offset }) =>
      highlightsAt(analysis, file.name, offset).map(({ span, kind }) => ({
        range: places.range(span),
        kind: kind === 'write' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
}

/** Clients that can do it get the whole declaration as well, to show a part of it. */
function linkTo(
  found: Definition | null,
  client: NonNullable<ClientCapabilities['textDocument']>['definition'],
  places: Places,
): DefinitionLink[] | Location | null {
  if (found === null) return null;
  const { origin, target } = found;
  if (client?.linkSupport !== true) return places.location(target.name);
  return [
    {
      originSelectionRange: places.range(origin),
      targetUri: places.uriOf(target.name.file),
      targetRange: places.range(target.whole),
      targetSelectionRange: places.range(target.name),
    },
  ];
}
