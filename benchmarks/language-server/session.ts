// Plays what is typed into `sluice lsp`, over standard input and output: each key is a change; at the beginning of a
// word and behind a dot completion is asked for, behind a bracket or comma the signature, and at the end of a line what
// editors ask for at a pause. The next key comes when the diagnostics are there, so that each is measured alone.

import { setTimeout as pause } from 'node:timers/promises';
import type { Position, SemanticTokens } from 'vscode-languageserver-protocol';
import { Client, Workspace } from '../../test/language-server/client.ts';
import { imported, makeScript } from './script.ts';
import { passages, Typist } from './typing.ts';
import type { Change, Passage } from './typing.ts';

/** What is measured, in milliseconds of the clock. */
export interface Measured {
  /** From a key to the diagnostics of the text with it. */
  readonly diagnostics: number[];
  /** From the key, since the text with it has to be understood. */
  readonly completion: number[];
  readonly signature: number[];
  readonly hover: number[];
  /** What an editor asks for at a pause, until the last answer. */
  readonly pause: number[];
  /** From the last of several keys that waited for nothing. */
  readonly burst: number[];
  readonly format: number[];
  /** From the start of the process to the diagnostics of the file that is opened in it. */
  readonly start: number[];
}

const starts = 5;
const formats = 10;
const bursts = 5;
const keysOfBurst = 'int burst = 1 + 2 + 3;';
/** Milliseconds between two keys: who types fast needs three times as long. */
const betweenKeys = 30;
/** Milliseconds that somebody looks at a file that was opened, at least. */
const lookMs = 2000;

export async function measureSession(lines: number): Promise<Measured> {
  const text = makeScript(lines);
  const workspace = new Workspace({ 'main.slu': text, [imported.name]: imported.text });
  const measured: Measured = {
    diagnostics: [],
    completion: [],
    signature: [],
    hover: [],
    pause: [],
    burst: [],
    format: [],
    start: [],
  };
  try {
    for (let round = 0; round < starts; round++) {
      const player = new Player(workspace.uri('main.slu'), text, measured);
      await player.start(workspace.uri(''));
      if (round === starts - 1) {
        await pause(lookMs);
        await player.play();
      }
      await player.stop();
    }
  } finally {
    workspace.remove();
  }
  return measured;
}

/** One session. */
class Player {
  readonly #uri: string;
  readonly #measured: Measured;
  readonly #typist: Typist;
  #client: Client | null = null;
  #version = 1;
  #tokens: string | undefined;

  constructor(uri: string, text: string, measured: Measured) {
    this.#uri = uri;
    this.#typist = new Typist(text, 0);
    this.#measured = measured;
  }

  async start(folder: string): Promise<void> {
    const began = performance.now();
    this.#client = await Client.start({ folders: [folder] });
    const found = await this.#client.open(this.#uri, this.#typist.text);
    this.#measured.start.push(performance.now() - began);
    if (found.length > 0) throw new Error(`the script is faulty: ${found[0]!.code}`);
  }

  async stop(): Promise<void> {
    await this.#client!.stop();
  }

  async play(): Promise<void> {
    for (const passage of passages) await this.#type(passage);
    for (let round = 0; round < bursts; round++) await this.#burst();
    await this.#format();
  }

  async #type({ place, keys }: Passage): Promise<void> {
    this.#goTo(place);
    let before = '';
    for (const key of keys) {
      const change = this.#typist.press(key);
      if (change !== null) await this.#change(change, asksAt(before, key));
      if (key === '\r') await this.#rest();
      before = key;
      await pause(betweenKeys);
    }
  }

  #goTo(place: Passage['place']): void {
    const { text } = this.#typist;
    const main = text.lastIndexOf('\nmain(') + 1;
    // A function whose first line ends in its brace.
    const middle = text.indexOf('\n', /^\w.*\) \{$/m.exec(text.slice(text.length / 2))!.index + text.length / 2) + 1;
    this.#typist.cursor = place === 'end' ? main : middle;
  }

  /** Sends a change and what is asked at once with it, and waits for all answers. */
  async #change(change: Change, asks: readonly ('completion' | 'signature')[]): Promise<void> {
    const { diagnostics, completion, signature } = this.#measured;
    const at = { textDocument: { uri: this.#uri }, position: placeIn(this.#typist.text, this.#typist.cursor) };
    const message = this.#messageOf(change);
    const found = this.#client!.diagnosticsOf(this.#uri, this.#version);
    const began = performance.now();
    const sent = this.#client!.notify('textDocument/didChange', message);
    const waiting = [sent, found.then(() => void diagnostics.push(performance.now() - began))];
    if (asks.includes('completion')) waiting.push(this.#ask(completion, began, 'completion', at));
    if (asks.includes('signature')) waiting.push(this.#ask(signature, began, 'signatureHelp', at));
    await Promise.all(waiting);
  }

  async #ask(times: number[], began: number, method: string, parameters: unknown): Promise<void> {
    await this.#client!.request(`textDocument/${method}`, parameters);
    times.push(performance.now() - began);
  }

  /** The user pauses, looks, and points at a few names. */
  async #rest(): Promise<void> {
    const { text, cursor } = this.#typist;
    const textDocument = { uri: this.#uri };
    const position = placeIn(text, cursor);
    const line = { start: { line: position.line, character: 0 }, end: position };
    const seen = {
      start: { line: Math.max(position.line - 25, 0), character: 0 },
      end: { line: position.line + 25, character: 0 },
    };
    const began = performance.now();
    const ask = async (method: string, parameters: object = {}): Promise<unknown> =>
      this.#client!.request(`textDocument/${method}`, { textDocument, ...parameters });
    const [tokens] = await Promise.all([
      this.#tokens === undefined
        ? ask('semanticTokens/full')
        : ask('semanticTokens/full/delta', { previousResultId: this.#tokens }),
      ask('documentSymbol'),
      ask('foldingRange'),
      ask('codeLens'),
      ask('documentLink'),
      ask('inlayHint', { range: seen }),
      ask('documentHighlight', { position }),
      ask('codeAction', { range: line, context: { diagnostics: [] } }),
    ]);
    this.#measured.pause.push(performance.now() - began);
    this.#tokens = (tokens as SemanticTokens | null)?.resultId;
    for (const word of text.slice(cursor, cursor + 1000).matchAll(/\b[a-z]\w{3,}/gi)) {
      if (word.index > 300) break;
      const at = { textDocument, position: placeIn(text, cursor + word.index) };
      await this.#ask(this.#measured.hover, performance.now(), 'hover', at);
    }
  }

  async #burst(): Promise<void> {
    this.#goTo('middle');
    for (const key of keysOfBurst.slice(0, -1)) {
      await this.#client!.notify('textDocument/didChange', this.#messageOf(this.#typist.press(key)!));
      await pause(betweenKeys);
    }
    const last = this.#messageOf(this.#typist.press(keysOfBurst.at(-1)!)!);
    const found = this.#client!.diagnosticsOf(this.#uri, this.#version);
    const began = performance.now();
    await this.#client!.notify('textDocument/didChange', last);
    await found;
    this.#measured.burst.push(performance.now() - began);
  }

  async #format(): Promise<void> {
    if (this.#client!.result!.capabilities.documentFormattingProvider === undefined) return;
    const parameters = { textDocument: { uri: this.#uri }, options: { tabSize: 2, insertSpaces: true } };
    for (let round = 0; round < formats; round++)
      await this.#ask(this.#measured.format, performance.now(), 'formatting', parameters);
  }

  /** The change, made already in the text, as the protocol has it. */
  #messageOf({ at, removed, inserted }: Change): unknown {
    const { text } = this.#typist;
    this.#version += 1;
    // What is removed never holds the end of a line.
    const start = placeIn(text, at);
    const range = { start, end: { line: start.line, character: start.character + removed } };
    return {
      textDocument: { uri: this.#uri, version: this.#version },
      contentChanges: [{ range, text: inserted }],
    };
  }
}

/** What an editor asks for by itself at a key. */
function asksAt(before: string, key: string): readonly ('completion' | 'signature')[] {
  if (key === '(' || key === ',') return ['signature'];
  return key === '.' || (/[a-z]/i.test(key) && !/[\w\b]/.test(before)) ? ['completion'] : [];
}

function placeIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}
