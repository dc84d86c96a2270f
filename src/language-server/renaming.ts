// Renaming in all scripts of the workspace. A name that would mean something else is refused, with the reason,
// and where others know the name too, the user is asked first.

import { LSPErrorCodes, MessageType, ResponseError, ShowMessageNotification } from 'vscode-languageserver';
import type { RenameParams, ServerCapabilities } from 'vscode-languageserver';
import { prepareRenameAt, renameAt } from '../queries/index.ts';
import { takesAnnotations, workspaceEdit } from './edits.ts';
import { acrossWorkspace, atPosition, invalid } from './requests.ts';
import type { Session } from './session.ts';

export const renamingCapabilities: ServerCapabilities = { renameProvider: { prepareProvider: true } };

export function answerRenaming(session: Session): void {
  const { connection, places } = session;
  connection.onPrepareRename(
    atPosition(session, ({ analysis, file, offset }) => {
      const prepared = prepareRenameAt(analysis, file.name, offset);
      if (prepared.kind === 'refusal') throw refused(prepared.reason);
      return { range: places.range(prepared.span), placeholder: prepared.name };
    }),
  );
  connection.onRenameRequest(
    acrossWorkspace(session, ({ analysis, file, offset }, { newName }: RenameParams, others) => {
      if (typeof newName !== 'string') throw invalid('newName is a text');
      const renamed = renameAt(analysis, file.name, offset, newName, others);
      if (renamed.kind === 'refusal') throw refused(renamed.reason);
      const { edits, warning } = renamed;
      if (warning === null) return workspaceEdit(session, edits);
      if (takesAnnotations(session))
        return workspaceEdit(session, edits, { label: 'Rename field', description: warning, needsConfirmation: true });
      void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message: warning });
      return workspaceEdit(session, edits);
    }),
  );
}

/** The user sees the reason. */
function refused(reason: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, reason);
}
