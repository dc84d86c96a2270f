// What can be done about a range of a document: fixes of its diagnostics, imports from files of the workspace, all sure
// fixes at once, for a keystroke or when a document is saved, and refactorings.

import { CodeActionKind, CodeActionTriggerKind } from 'vscode-languageserver';
import type {
  CodeAction as ProtocolAction,
  CodeActionContext,
  CodeActionParams,
  Diagnostic as ProtocolDiagnostic,
  ServerCapabilities,
} from 'vscode-languageserver';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { codeActionsAt, missesNameIn, refactoringsAt } from '../queries/index.ts';
import type { Analysis, CodeAction } from '../queries/index.ts';
import type { Span } from '../source.ts';
import { protocolDiagnostic } from './diagnostics.ts';
import { workspaceEdit } from './edits.ts';
import { atDocument, checkRange, otherPrograms } from './requests.ts';
import type { Session } from './session.ts';

const kinds: Readonly<Record<CodeAction['kind'], CodeActionKind>> = {
  'quick-fix': CodeActionKind.QuickFix,
  'fix-all': `${CodeActionKind.SourceFixAll}.sluice`,
  'extract-variable': `${CodeActionKind.RefactorExtract}.variable`,
  'extract-function': `${CodeActionKind.RefactorExtract}.function`,
  inline: CodeActionKind.RefactorInline,
};

export const codeActionCapabilities: ServerCapabilities = {
  codeActionProvider: { codeActionKinds: Object.values(kinds) },
};

export function answerCodeActions(session: Session): void {
  const { connection, places } = session;
  const answer = (others: readonly Analysis[]): ReturnType<typeof atDocument<CodeActionParams, ProtocolAction[]>> =>
    atDocument(session, ({ analysis, file }, { range, context }) => {
      const span = places.span(file, range);
      return [
        ...wanted(codeActionsAt(analysis, file.name, span, others), context),
        ...(wantsRefactorings(span, context) ? refactoringsAt(analysis, file.name, span) : []).filter(
          ({ kind, disabled }) => isWanted(kind, context) && (disabled === null || showsDisabled(session, context)),
        ),
      ].map((action) => protocolAction(session, action, context));
    });
  const needsOthers = atDocument(session, ({ analysis, file }, { range, context }: CodeActionParams) => {
    checkRange(range, 'range');
    return isWanted('quick-fix', context) && missesNameIn(analysis, file.name, places.span(file, range));
  });
  connection.onCodeAction(async (parameters, token) => {
    const isMissing = needsOthers(parameters, token) === true;
    // Clients without literals know commands alone, and the server has none that edits.
    if (session.client.textDocument?.codeAction?.codeActionLiteralSupport === undefined) return [];
    // The whole workspace is analysed only for a name that nothing in this program stands for.
    return answer(isMissing ? await otherPrograms(session, parameters, token) : [])(parameters, token);
  });
}

/** What the client asks for; if it does not say, what concerns the range. */
function wanted(actions: readonly CodeAction[], context: CodeActionContext | undefined): readonly CodeAction[] {
  const isFaulty = actions.some(({ diagnostic }) => diagnostic !== null);
  return actions.filter(
    ({ kind }) => isWanted(kind, context) && (kind !== 'fix-all' || isFaulty || context?.only !== undefined),
  );
}

/** For a cursor that merely moves nobody wants to refactor what it is in. */
function wantsRefactorings({ start, end }: Span, context: CodeActionContext | undefined): boolean {
  if (Array.isArray(context?.only)) return refactoringKinds.some((kind) => isWanted(kind, context));
  return start < end || context?.triggerKind !== CodeActionTriggerKind.Automatic;
}

const refactoringKinds: readonly CodeAction['kind'][] = ['extract-variable', 'extract-function', 'inline'];

/** Why one cannot be made is told to who asks for refactorings. */
function showsDisabled({ client }: Session, context: CodeActionContext | undefined): boolean {
  return client.textDocument?.codeAction?.disabledSupport === true && Array.isArray(context?.only);
}

/** A kind includes those below it. */
function isWanted(kind: CodeAction['kind'], context: CodeActionContext | undefined): boolean {
  const only: unknown = context?.only;
  return !Array.isArray(only) || only.some((asked) => includes(asked, kinds[kind]));
}

function includes(asked: unknown, kind: CodeActionKind): boolean {
  return asked === kind || asked === '' || (typeof asked === 'string' && kind.startsWith(`${asked}.`));
}

function protocolAction(
  session: Session,
  { title, kind, edits, isPreferred, diagnostic, disabled }: CodeAction,
  context: CodeActionContext | undefined,
): ProtocolAction {
  return {
    title,
    kind: kinds[kind],
    ...(disabled === null ? { edit: workspaceEdit(session, edits) } : { disabled: { reason: disabled } }),
    ...(isPreferred ? { isPreferred } : {}),
    ...(diagnostic === null ? {} : { diagnostics: [asTheClientHasIt(session, diagnostic, context)] }),
  };
}

/** The diagnostic that the client has sent with the request, which it knows again; ours where it has sent none. */
function asTheClientHasIt(
  { places, settings }: Session,
  diagnostic: Diagnostic,
  context: CodeActionContext | undefined,
): ProtocolDiagnostic {
  const own = protocolDiagnostic(diagnostic, places, settings.explanations);
  const sent: unknown = context?.diagnostics;
  if (!Array.isArray(sent)) return own;
  return (sent as readonly ProtocolDiagnostic[]).find((candidate) => isSame(candidate, own)) ?? own;
}

function isSame(
  sent: Partial<ProtocolDiagnostic> | null,
  { code, range: { start, end } }: ProtocolDiagnostic,
): boolean {
  return (
    sent?.code === code &&
    sent?.range?.start?.line === start.line &&
    sent.range.start.character === start.character &&
    sent.range.end?.line === end.line &&
    sent.range.end.character === end.character
  );
}
