// What stands around each request: its parameters looked at, its document found and analysed, and cancelling heard.
// A request about a file that does not exist is answered with null; one that is no request at all with an error.

import { ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { CancellationToken, Position, Range, TextDocumentIdentifier } from 'vscode-languageserver';
import type { Analysis } from '../queries/index.ts';
import type { SourceFile } from '../source.ts';
import { nextMessage } from './session.ts';
import type { Session } from './session.ts';

/** The document that a request is about. */
export interface Asked {
  readonly uri: string;
  readonly file: SourceFile;
  readonly analysis: Analysis;
}

/** The place that a request is about. */
export interface AskedAt extends Asked {
  /** UTF-16 offset. */
  readonly offset: number;
}

interface DocumentParameters {
  readonly textDocument: TextDocumentIdentifier;
}

type Handler<Parameters, Result> = (parameters: Parameters, token: CancellationToken) => Result | null;

/** A handler of requests about a whole document. */
export function atDocument<Parameters extends DocumentParameters, Result>(
  session: Session,
  work: (asked: Asked, parameters: Parameters, token: CancellationToken) => Result,
): Handler<Parameters, Result> {
  return (parameters, token) => {
    stopIfCancelled(token);
    const asked = findDocument(session, parameters);
    return asked === null ? null : work(asked, parameters, token);
  };
}

/** A handler of requests about a place in a document. */
export function atPosition<Parameters extends DocumentParameters & { readonly position: Position }, Result>(
  session: Session,
  work: (asked: AskedAt, parameters: Parameters, token: CancellationToken) => Result,
): Handler<Parameters, Result> {
  return atDocument(session, (asked, parameters: Parameters, token) => {
    checkPosition(parameters.position, 'position');
    return work({ ...asked, offset: session.places.offset(asked.file, parameters.position) }, parameters, token);
  });
}

/** Throws what the client gets for a request that it has given up. */
export function stopIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(LSPErrorCodes.RequestCancelled, 'the request was cancelled');
}

export function findDocument(session: Session, parameters: DocumentParameters | undefined): Asked | null {
  const uri: unknown = parameters?.textDocument?.uri;
  if (typeof uri !== 'string') throw invalid('textDocument.uri is a text');
  const analysis = session.analyses.of(uri);
  return analysis === null ? null : { uri, file: analysis.entry.source, analysis };
}

export function checkPosition(position: Position | undefined, what: string): void {
  const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
  if (!isCount(position?.line) || !isCount(position?.character))
    throw invalid(`${what} has a line and a character, both whole numbers from 0`);
}

export function checkRange(range: Range | undefined, what: string): void {
  checkPosition(range?.start, `${what}.start`);
  checkPosition(range?.end, `${what}.end`);
}

export function invalid(message: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

/**
 * A handler of requests that concern all scripts of the workspace: these are analysed first, one after the other, as
 * far as they have changed. What the client has typed meanwhile makes the question void.
 */
export function acrossWorkspace<Parameters extends DocumentParameters & { readonly position: Position }, Result>(
  session: Session,
  work: (asked: AskedAt, parameters: Parameters, others: readonly Analysis[]) => Result,
): (parameters: Parameters, token: CancellationToken) => Promise<Result | null> {
  const atItsPosition = (others: readonly Analysis[]): Handler<Parameters, Result> =>
    atPosition(session, (asked, parameters) => work(asked, parameters, others));
  return async (parameters, token) => atItsPosition(await otherPrograms(session, parameters, token))(parameters, token);
}

/** All scripts of the workspace, analysed for a request; throws if its document has changed meanwhile. */
export async function otherPrograms(
  session: Session,
  parameters: DocumentParameters,
  token: CancellationToken,
): Promise<readonly Analysis[]> {
  const stampBefore = stampAsked(session, parameters);
  const others = await analyseWorkspace(session, token);
  if (stampAsked(session, parameters) !== stampBefore)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed meanwhile');
  return others;
}

function stampAsked({ documents }: Session, parameters: DocumentParameters): string | null {
  const uri: unknown = parameters?.textDocument?.uri;
  return typeof uri === 'string' ? (documents.get(uri)?.stamp ?? null) : null;
}

/** Analyses of all scripts of the workspace, those that are open first. */
export async function analyseWorkspace(session: Session, token: CancellationToken): Promise<readonly Analysis[]> {
  const found: Analysis[] = [];
  for (const name of await session.listScripts()) {
    const wasCurrent = session.analyses.isCurrent(name);
    const analysis = session.analyses.ofName(name);
    if (analysis !== null) found.push(analysis);
    if (!wasCurrent) await nextMessage();
    stopIfCancelled(token);
  }
  return found;
}
