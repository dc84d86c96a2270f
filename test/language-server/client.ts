// A client of the language server: talks to the real process over standard input and output, keeps the diagnostics
// that it gets, and says where texts are, so that tests read as what a user does.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import type {
  ClientCapabilities,
  Diagnostic,
  InitializeResult,
  Position,
  PublishDiagnosticsParams,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';

export const command = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

/** A workspace on the disk. */
export class Workspace {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.path = mkdtempSync(join(tmpdir(), 'sluice-lsp-'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  uri(name: string): string {
    return pathToFileURL(join(this.path, name)).href;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface ClientOptions {
  readonly folders?: readonly string[];
  /** What older clients say in place of their folders. */
  readonly root?: { readonly rootUri?: string };
  readonly capabilities?: ClientCapabilities;
  readonly initializationOptions?: unknown;
  readonly words?: readonly string[];
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** What editors of today say that they can do, as far as the server asks. */
export const usualCapabilities: ClientCapabilities = {
  workspace: {
    workspaceEdit: { documentChanges: true },
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] }, codeDescriptionSupport: true },
    completion: {
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown'],
        resolveSupport: { properties: ['documentation', 'detail'] },
      },
    },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
      dataSupport: true,
      disabledSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
};

export class Client {
  readonly connection: MessageConnection;
  readonly #process: ChildProcess | null;
  /** What is sent, on its way to the standard input of the server. */
  readonly #outgoing: PassThrough | null;
  readonly #texts = new Map<string, { text: string; version: number }>();
  readonly #published: PublishDiagnosticsParams[] = [];
  readonly #waiting: { readonly hears: (sent: PublishDiagnosticsParams) => boolean; readonly done: () => void }[] = [];
  /** What the server asked for and said. */
  readonly heard: { readonly method: string; readonly parameters: unknown }[] = [];
  readonly #listening: (() => void)[] = [];
  /** What requests of the server are answered with, by method; null if nothing else is said. */
  answers: Readonly<Record<string, unknown>> = {};
  result: InitializeResult | null = null;

  constructor(connection: MessageConnection, process: ChildProcess | null = null, outgoing: PassThrough | null = null) {
    this.connection = connection;
    this.#process = process;
    this.#outgoing = outgoing;
    connection.onNotification('textDocument/publishDiagnostics', (sent: PublishDiagnosticsParams) => {
      this.#published.push(sent);
      for (const waiting of this.#waiting.filter(({ hears }) => hears(sent))) waiting.done();
    });
    connection.onNotification((method, parameters) => {
      this.heard.push({ method, parameters });
      for (const waiting of this.#listening.splice(0)) waiting();
    });
    connection.onRequest((method, parameters) => {
      this.heard.push({ method, parameters });
      for (const waiting of this.#listening.splice(0)) waiting();
      return this.answers[method] ?? null;
    });
    connection.listen();
  }

  /** Starts `sluice lsp` and begins a session. */
  static async start(options: ClientOptions = {}): Promise<Client> {
    const child = spawn(process.execPath, [command, 'lsp', ...(options.words ?? ['--stdio'])], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const outgoing = new PassThrough();
    outgoing.pipe(child.stdin);
    child.stdin.on('error', (error) => outgoing.destroy(error));
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(outgoing),
    );
    // Whoever waits for an answer of a server that has ended is told so.
    child.once('exit', () => connection.dispose());
    const client = new Client(connection, child, outgoing);
    client.answers = options.answers ?? {};
    await client.initialise(options);
    return client;
  }

  async initialise({
    folders = [],
    root,
    capabilities = usualCapabilities,
    initializationOptions,
  }: ClientOptions): Promise<void> {
    this.result = await this.request<InitializeResult>('initialize', {
      processId: process.pid,
      ...(root ?? { rootUri: folders[0] ?? null, workspaceFolders: folders.map((uri) => ({ uri, name: uri })) }),
      capabilities,
      initializationOptions,
    });
    await this.notify('initialized', {});
  }

  async request<Result>(method: string, parameters: unknown): Promise<Result> {
    return this.connection.sendRequest<Result>(method, parameters);
  }

  async notify(method: string, parameters: unknown): Promise<void> {
    await this.connection.sendNotification(method, parameters);
  }

  /** Opens a document and waits for its diagnostics. */
  async open(uri: string, text: string): Promise<readonly Diagnostic[]> {
    this.#texts.set(uri, { text, version: 1 });
    const found = this.diagnosticsOf(uri, 1);
    await this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'sluice', version: 1, text } });
    return found;
  }

  /** Makes edits, each in what the one before has made, and waits for the diagnostics. */
  async change(uri: string, ...edits: readonly TextEdit[]): Promise<readonly Diagnostic[]> {
    const document = this.#texts.get(uri)!;
    for (const edit of edits) document.text = applyEdit(document.text, edit);
    document.version += 1;
    const found = this.diagnosticsOf(uri, document.version);
    await this.notify('textDocument/didChange', {
      textDocument: { uri, version: document.version },
      contentChanges: edits.map(({ range, newText }) => ({ range, text: newText })),
    });
    return found;
  }

  async close(uri: string): Promise<void> {
    this.#texts.delete(uri);
    await this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  text(uri: string): string {
    return this.#texts.get(uri)!.text;
  }

  /** The diagnostics of one version of a document, once they are there. */
  async diagnosticsOf(uri: string, version?: number): Promise<readonly Diagnostic[]> {
    const isMeant = (sent: PublishDiagnosticsParams): boolean =>
      sent.uri === uri && (version === undefined || sent.version === version);
    const known = version === undefined ? undefined : this.#published.findLast(isMeant);
    if (known !== undefined) return known.diagnostics;
    return new Promise((resolve) => {
      this.#waiting.push({
        hears: isMeant,
        done: () => resolve(this.#published.findLast(isMeant)!.diagnostics),
      });
    });
  }

  /** Waits until the diagnostics of a document, sent again without a change of it, are as wanted. */
  async diagnosticsUntil(uri: string, fits: (found: readonly Diagnostic[]) => boolean): Promise<void> {
    const isMeant = (sent: PublishDiagnosticsParams): boolean => sent.uri === uri && fits(sent.diagnostics);
    const last = this.#published.findLast((sent) => sent.uri === uri);
    if (last !== undefined && isMeant(last)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ hears: isMeant, done: resolve }));
  }

  /** Waits until the server has said something, or asked for it. */
  async hears(method: string, fits: (parameters: unknown) => boolean = () => true): Promise<void> {
    while (!this.heard.some((message) => message.method === method && fits(message.parameters)))
      await new Promise<void>((resolve) => this.#listening.push(resolve));
  }

  /** The place where `marked` begins in a document, `|` in it saying where exactly. */
  at(uri: string, marked: string): { textDocument: { uri: string }; position: Position } {
    return { textDocument: { uri }, position: positionOf(this.text(uri), marked) };
  }

  range(uri: string, part: string): Range {
    const text = this.text(uri);
    const start = text.indexOf(part);
    if (start < 0) throw new Error(`${part} is not in the document`);
    return { start: placeAt(text, start), end: placeAt(text, start + part.length) };
  }

  /** Ends the session as a client does, and answers with the exit code. */
  async stop(): Promise<number | null> {
    await this.request('shutdown', undefined);
    const child = this.#process;
    const ended = new Promise<number | null>((resolve) => {
      if (child === null) resolve(null);
      else child.once('exit', resolve);
    });
    await this.notify('exit', undefined);
    return ended;
  }

  /** Hands over what `send` sends in one piece, so that the server has read all of it before it works on any. */
  async sendTogether(send: () => void): Promise<void> {
    const input = this.#process!.stdin!;
    const outgoing = this.#outgoing!;
    outgoing.unpipe(input);
    send();
    // Messages are written in order: with the last one, all are.
    await this.connection.sendNotification('$/setTrace', { value: 'off' });
    input.write(outgoing.read());
    outgoing.pipe(input);
  }

  /** Ends a process that a test has broken. */
  kill(): void {
    this.#process?.kill('SIGKILL');
  }
}

/** The position in a text of a part of it; a `|` in the part says where, otherwise it is where the part begins. */
export function positionOf(text: string, marked: string): Position {
  const bar = marked.indexOf('|');
  const part = bar < 0 ? marked : marked.slice(0, bar) + marked.slice(bar + 1);
  const start = text.indexOf(part);
  if (start < 0) throw new Error(`${part} is not in the document`);
  return placeAt(text, start + Math.max(bar, 0));
}

function placeAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

function offsetOf(text: string, { line, character }: Position): number {
  const ends = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
  return ends[line]! + character;
}

function applyEdit(text: string, { range, newText }: TextEdit): string {
  return text.slice(0, offsetOf(text, range.start)) + newText + text.slice(offsetOf(text, range.end));
}

/** Edits of one document, all in the text that is there before them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => offsetOf(text, b.range.start) - offsetOf(text, a.range.start))
    .reduce(applyEdit, text);
}

/** The edits of a workspace edit by URI, in whichever of its two forms. */
export function editsOf(edit: WorkspaceEdit): ReadonlyMap<string, readonly TextEdit[]> {
  const found = new Map<string, TextEdit[]>(Object.entries(edit.changes ?? {}));
  for (const change of edit.documentChanges ?? [])
    if ('edits' in change) found.set(change.textDocument.uri, change.edits as TextEdit[]);
  return found;
}
