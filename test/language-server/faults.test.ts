// What goes wrong: requests that are none, documents that are closed, requests that the client gives up, texts that no
// parser likes. The server answers, and goes on.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { Client, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000 });

let client: Client;
afterEach(() => client.kill());

const uri = 'file:///nowhere/a.slu';
const script = 'main() { int x = 1; return x; }\n';

describe('requests that are none', () => {
  it.each([
    ['without a document', 'textDocument/hover', {}],
    ['without parameters', 'textDocument/hover', null],
    [
      'with a position of texts',
      'textDocument/hover',
      { textDocument: { uri }, position: { line: 'a', character: 0 } },
    ],
    ['with a negative position', 'textDocument/hover', { textDocument: { uri }, position: { line: -1, character: 0 } }],
    ['with a document that is a number', 'textDocument/documentSymbol', { textDocument: { uri: 7 } }],
    ['with a query that is none', 'workspace/symbol', { query: 1 }],
  ])('%s are answered with an error', async (_, method, parameters) => {
    client = await Client.start();
    await client.open(uri, script);
    await expect(client.request(method, parameters)).rejects.toMatchObject({ code: -32602 });
    expect(await client.request('textDocument/hover', client.at(uri, 'int |x'))).not.toBeNull();
  });

  it('of an unknown method are answered with an error', async () => {
    client = await Client.start();
    await expect(client.request('textDocument/paint', {})).rejects.toMatchObject({ code: -32601 });
  });

  it('behind the end of a line or of the text mean that end', async () => {
    client = await Client.start();
    await client.open(uri, script);
    const far = { textDocument: { uri }, position: { line: 99, character: 99 } };
    expect(await client.request('textDocument/hover', far)).toBeNull();
  });
});

describe('documents', () => {
  it('that are closed are as they are on the disk', async () => {
    const workspace = new Workspace({ 'a.slu': 'int saved() { return 1; }\nmain() { return saved(); }\n' });
    client = await Client.start({ folders: [workspace.uri('')] });
    const own = workspace.uri('a.slu');
    const names = async (): Promise<string[]> =>
      (await client.request<{ name: string }[]>('textDocument/documentSymbol', { textDocument: { uri: own } })).map(
        ({ name }) => name,
      );
    await client.open(own, 'main() { return 2; }\n');
    expect(await names()).toEqual(['main']);
    const cleared = client.diagnosticsOf(own);
    await client.close(own);
    await cleared;
    expect(await names()).toEqual(['saved', 'main']);
    workspace.remove();
  });

  it('that change without being open do no harm', async () => {
    client = await Client.start();
    await client.notify('textDocument/didChange', {
      textDocument: { uri, version: 4 },
      contentChanges: [{ text: 'main() {}' }],
    });
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    expect(await client.open(uri, script)).toEqual([]);
  });

  it.each([
    ['half a declaration', 'export double area(dou'],
    ['nothing', ''],
    ['what is nested too deep', `main() { return ${'('.repeat(20_000)}1; }`],
    ['half a character', 'main() { yield "\ud83d"; }'],
    ['bytes of another file', '\u0000\u0001ELF'],
  ])('of %s are answered for', async (_, text) => {
    client = await Client.start();
    await client.open(uri, text);
    const textDocument = { uri };
    const position = { line: 0, character: 5 };
    for (const method of ['hover', 'definition', 'typeDefinition', 'documentHighlight'])
      await client.request(`textDocument/${method}`, { textDocument, position });
    for (const method of ['documentSymbol', 'semanticTokens/full'])
      await client.request(`textDocument/${method}`, { textDocument });
    expect(await client.open('file:///nowhere/b.slu', script)).toEqual([]);
  });
});

describe('cancelling', () => {
  it('ends what concerns many files between two of them', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `part${at}.slu`,
        Array.from({ length: 60 }, (__, line) => `int f${line}(int n) { return n * ${line} + ${at}; }`).join('\n'),
      ]),
    );
    const workspace = new Workspace({ ...files, 'main.slu': script });
    client = await Client.start({ folders: [workspace.uri('')] });
    await client.open(workspace.uri('main.slu'), script);
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest('workspace/symbol', { query: 'f' }, source.token);
    setTimeout(() => source.cancel(), 5);
    await expect(asked).rejects.toMatchObject({ code: -32800 });
    expect(await client.request('textDocument/hover', client.at(workspace.uri('main.slu'), 'int |x'))).not.toBeNull();
    workspace.remove();
  });

  it('takes back a request that has not begun', async () => {
    client = await Client.start();
    await client.open(uri, script);
    const source = new CancellationTokenSource();
    let first: Promise<unknown> | undefined;
    let asked: Promise<unknown> | undefined;
    await client.sendTogether(() => {
      first = client.request('textDocument/documentSymbol', { textDocument: { uri } });
      asked = client.connection.sendRequest('workspace/symbol', { query: 'f' }, source.token);
      source.cancel();
    });
    await expect(asked).rejects.toMatchObject({ code: -32800 });
    expect(await first).toHaveLength(1);
  });
});
