// Formatting over a real session: documents, selections, what is typed, and what .editorconfig says.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { applyEdits, Client, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const workspace = new Workspace({ 'wide/.editorconfig': 'root = true\n[*]\nindent_size = 4\nend_of_line = crlf\n' });
let client: Client;
beforeAll(async () => {
  client = await Client.start({ folders: [workspace.uri('')] });
});
afterAll(() => {
  client.kill();
  workspace.remove();
});

/** Editors send what their own settings say. */
const options = { tabSize: 8, insertSpaces: false };

const ugly = 'main(){\n    int  x=1; // one\n\n\n    yield x+2 ;\n}\n';
const fair = 'main() {\n  int x = 1; // one\n\n  yield x + 2;\n}\n';

async function open(name: string, text: string): Promise<string> {
  const uri = workspace.uri(name);
  await client.open(uri, text);
  return uri;
}

async function format(uri: string): Promise<readonly TextEdit[]> {
  return client.request<TextEdit[]>('textDocument/formatting', { textDocument: { uri }, options });
}

describe('a document', () => {
  it('is formatted by an edit for each place that changes', async () => {
    const uri = await open('a.slu', ugly);
    const edits = await format(uri);
    expect(applyEdits(ugly, edits)).toBe(fair);
    expect(edits.length).toBe(9);
    expect(Math.max(...edits.map(({ newText }) => newText.length))).toBe(1);
  });

  it('is left alone where it is formatted, and where it is none', async () => {
    expect(await format(await open('fair.slu', fair))).toEqual([]);
    expect(await format(workspace.uri('missing.slu'))).toBe(null);
  });

  it('is formatted as it stands in the editor', async () => {
    const uri = await open('b.slu', fair);
    const end = { line: 5, character: 0 };
    await client.change(uri, { range: { start: end, end }, newText: 'void  f( ) {}\n' });
    expect(applyEdits(client.text(uri), await format(uri))).toBe(`${fair}void f() {}\n`);
  });

  it('is formatted around what does not parse', async () => {
    const text = 'void f( ) {}\n\nint x = = 1;\n\nvoid g( ) {}\n';
    const uri = await open('c.slu', text);
    expect(applyEdits(text, await format(uri))).toContain('int x = = 1;\n');
  });

  it('is indented as .editorconfig says, and keeps its line ends', async () => {
    const wide = fair.replaceAll(/^ {2}/gm, '    ');
    const one = await open('wide/a.slu', ugly);
    expect(applyEdits(ugly, await format(one))).toBe(wide);
    const windows = ugly.replaceAll('\n', '\r\n');
    const other = await open('b/windows.slu', windows);
    const edits = await format(other);
    expect(applyEdits(windows, edits)).toBe(fair.replaceAll('\n', '\r\n'));
    expect(edits.length).toBe(9);
  });

  it('has a byte order mark, a character of two units, or no name yet', async () => {
    const text = '\ufeffyield  "😀" ; //  a\nyield  1;';
    const uri = 'untitled:Untitled-1';
    await client.open(uri, text);
    expect(applyEdits(text, await format(uri))).toBe('\ufeffyield "😀"; //  a\nyield 1;\n');
  });
});

describe('a selection', () => {
  it('formats the statements that it touches', async () => {
    const text = `void  f( ) {}\n${ugly}`;
    const uri = await open('d.slu', text);
    const edits = await client.request<TextEdit[]>('textDocument/rangeFormatting', {
      textDocument: { uri },
      range: client.range(uri, 'yield'),
      options,
    });
    expect(applyEdits(text, edits)).toBe(text.replace('\n\n\n    yield x+2 ;', '\n\n  yield x + 2;'));
  });

  it('is refused where it is none', async () => {
    const uri = await open('e.slu', ugly);
    await expect(
      client.request('textDocument/rangeFormatting', { textDocument: { uri }, range: {}, options }),
    ).rejects.toThrow('range.start has a line and a character');
  });
});

describe('what is typed', () => {
  const typed = async (uri: string, marked: string, ch: string): Promise<string> =>
    applyEdits(
      client.text(uri),
      await client.request<TextEdit[]>('textDocument/onTypeFormatting', { ...client.at(uri, marked), ch, options }),
    );

  it('is formatted with the statement that it ends', async () => {
    const uri = await open('f.slu', ugly);
    expect(await typed(uri, 'x=1;|', ';')).toBe(ugly.replace('    int  x=1;', '  int x = 1;'));
    expect(await typed(uri, ';\n}|', '}')).toBe(fair);
    expect(await typed(uri, 'main(){\n|', '\n')).toBe(ugly.replace('main(){', 'main() {'));
  });

  it('is announced', () => {
    expect(client.result!.capabilities).toMatchObject({
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      documentOnTypeFormattingProvider: { firstTriggerCharacter: '}', moreTriggerCharacter: [';', '\n'] },
    });
  });
});
