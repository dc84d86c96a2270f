// Documents and diagnostics over a real session: what is typed counts at once, in importing files too, before it is
// saved; positions are those of the protocol; clients that push and clients that pull get the same.

import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { DocumentDiagnosticReport, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { Client, usualCapabilities, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000 });

const workspaces: Workspace[] = [];
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.kill();
});
afterAll(() => workspaces.forEach((workspace) => workspace.remove()));

function workspaceOf(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace(files);
  workspaces.push(workspace);
  return workspace;
}

async function start(...options: Parameters<typeof Client.start>): Promise<Client> {
  const client = await Client.start(...options);
  clients.push(client);
  return client;
}

describe('a session', () => {
  it('begins with what the server can do, and ends with the code 0', async () => {
    const client = await start();
    expect(client.result!.serverInfo!.name).toBe('sluice');
    expect(client.result!.capabilities.textDocumentSync).toMatchObject({ openClose: true, change: 2 });
    expect(await client.stop()).toBe(0);
  });

  it('needs no option, and takes those that clients add by themselves', async () => {
    expect(await (await start({ words: [] })).stop()).toBe(0);
    expect(await (await start({ words: ['--stdio', `--clientProcessId=${process.pid}`] })).stop()).toBe(0);
  });
});

describe('diagnostics', () => {
  it('come with code, advice, other places, tags and the edit that mends the fault', async () => {
    const client = await start({ initializationOptions: { explanations: 'https://example.org/diagnostics#' } });
    const uri = 'file:///nowhere/a.slu';
    const [unused] = await client.open(uri, 'main() {\n  int x = 1;\n}\n');
    expect(unused).toMatchObject({
      code: 'W5002',
      severity: 2,
      source: 'sluice',
      tags: [1],
      codeDescription: { href: 'https://example.org/diagnostics#W5002' },
      range: { start: { line: 1, character: 6 }, end: { line: 1, character: 7 } },
    });
    expect(unused!.message).toContain('Leave it away, or use it.');
    const [slip] = await client.open('file:///nowhere/b.slu', 'main() { string s = "a"; return s.trmi(); }\n');
    expect((slip!.data as { fix: { edit: { newText: string } } }).fix.edit.newText).toBe('trim');
    const [twice] = await client.open(
      'file:///nowhere/c.slu',
      'int f() { return 1; }\nint f() { return 2; }\nmain() { return f(); }\n',
    );
    expect(twice!.relatedInformation).toMatchObject([
      { location: { uri: 'file:///nowhere/c.slu', range: { start: { line: 0 } } } },
    ]);
  });

  it('follow each change, of which there can be several in one message', async () => {
    const client = await start();
    const uri = 'file:///nowhere/a.slu';
    expect(await client.open(uri, 'main() { return 1; }\n')).toEqual([]);
    const broken = await client.change(uri, { range: client.range(uri, '1'), newText: '"a" - 1' });
    expect(broken.map(({ code }) => code)).toHaveLength(1);
    const mended = await client.change(
      uri,
      { range: { start: { line: 0, character: 16 }, end: { line: 0, character: 20 } }, newText: '' },
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, newText: '\n\n' },
    );
    expect(client.text(uri)).toBe('\n\nmain() { return - 1; }\n');
    expect(mended).toEqual([]);
  });

  it('have positions in UTF-16 units, a lone carriage return ending a line', async () => {
    const client = await start();
    const [wide] = await client.open('file:///nowhere/a.slu', 'main() { yield "😀😀"; int x = 1; }');
    expect(wide!.range.start).toEqual({ line: 0, character: 27 });
    const [old] = await client.open('file:///nowhere/b.slu', '// first\rmain() {\n\rint y = 2; }\r\n');
    expect(old!.range.start).toEqual({ line: 3, character: 4 });
  });

  it('survive a byte order mark', async () => {
    const client = await start();
    const [found] = await client.open('file:///nowhere/a.slu', '\ufeffmain() { int x = 1; }');
    expect(found!.range).toEqual({ start: { line: 0, character: 14 }, end: { line: 0, character: 15 } });
  });

  it('of an importing file follow an imported one that is not saved', async () => {
    const workspace = workspaceOf({
      'lib/shapes.slu': 'export double area(double r) { return 3.14 * r * r; }\n',
      'main.slu': 'import "lib/shapes.slu" as shapes;\nmain() { return shapes.area(2.0); }\n',
    });
    const client = await start({ folders: [workspace.uri('')] });
    const [main, shapes] = [workspace.uri('main.slu'), workspace.uri('lib/shapes.slu')];
    expect(await client.open(main, workspace.read('main.slu'))).toEqual([]);
    await client.open(shapes, workspace.read('lib/shapes.slu'));
    const again = client.diagnosticsOf(main);
    await client.change(shapes, { range: client.range(shapes, 'area'), newText: 'surface' });
    expect((await again).map(({ severity }) => severity)).toEqual([1]);
    const mended = client.diagnosticsOf(main);
    await client.close(shapes);
    expect(await mended).toEqual([]);
  });

  it('follow files that are written by others', async () => {
    const workspace = workspaceOf({ 'main.slu': 'import "lib.slu" as lib;\nmain() { return lib.one(); }\n' });
    const client = await start({ folders: [workspace.uri('')] });
    const main = workspace.uri('main.slu');
    expect(await client.open(main, workspace.read('main.slu'))).toHaveLength(1);
    const again = client.diagnosticsOf(main);
    workspace.write('lib.slu', 'export int one() { return 1; }\n');
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: workspace.uri('lib.slu'), type: 1 }] });
    expect(await again).toEqual([]);
    expect(client.heard.map(({ method }) => method)).toContain('client/registerCapability');
  });

  it('of imported files that are not open are sent too, and taken back', async () => {
    const workspace = workspaceOf({
      'lib.slu': 'export int one() { return "one"; }\n',
      'main.slu': 'import "lib.slu" as lib;\nmain() { return lib.one(); }\n',
    });
    const client = await start({ folders: [workspace.uri('')] });
    const found = client.diagnosticsOf(workspace.uri('lib.slu'));
    await client.open(workspace.uri('main.slu'), workspace.read('main.slu'));
    expect(await found).toHaveLength(1);
    const gone = client.diagnosticsOf(workspace.uri('lib.slu'));
    await client.close(workspace.uri('main.slu'));
    expect(await gone).toEqual([]);
  });

  it('are pulled by clients that ask, and not sent again as long as they stay the same', async () => {
    const capabilities = {
      ...usualCapabilities,
      textDocument: { ...usualCapabilities.textDocument, diagnostic: { dynamicRegistration: false } },
    };
    const workspace = workspaceOf({ 'a.slu': 'main() { int x = 1; }\n', 'sub/b.slu': 'main() { return 1; }\n' });
    const client = await start({ folders: [workspace.uri('')], capabilities });
    const uri = workspace.uri('a.slu');
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'sluice', version: 1, text: 'main() { int other = 1; }\n' },
    });
    const pull = async (previousResultId?: string): Promise<DocumentDiagnosticReport> =>
      client.request('textDocument/diagnostic', { textDocument: { uri }, previousResultId });
    const first = (await pull()) as { kind: string; resultId: string; items: { message: string }[] };
    expect(first.items.map(({ message }) => message).join()).toContain('other');
    expect(await pull(first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
    const all = await client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
    expect(all.items.map((item) => [item.uri, item.kind === 'full' ? item.items.length : -1])).toEqual([
      [uri, 1],
      [workspace.uri('sub/b.slu'), 0],
    ]);
  });

  it.each([
    ['is told that it shall ask again, if it can be', true],
    ['is told nothing that it does not know', false],
  ])('a client that asks for diagnostics %s', async (_title, refreshSupport) => {
    const capabilities = {
      workspace: { ...usualCapabilities.workspace, ...(refreshSupport ? { diagnostics: { refreshSupport } } : {}) },
      textDocument: { ...usualCapabilities.textDocument, diagnostic: {} },
    };
    const client = await start({ capabilities });
    const uri = 'file:///nowhere/a.slu';
    const refreshes = (): number =>
      client.heard.filter(({ method }) => method === 'workspace/diagnostic/refresh').length;
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'sluice', version: 1, text: 'main() { return 1; }\n' },
    });
    // Longer than the server waits behind a change.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await client.request('textDocument/diagnostic', { textDocument: { uri } });
    expect(refreshes() > 0).toBe(refreshSupport);
    expect(client.heard.filter(({ method }) => method === 'window/logMessage')).toEqual([]);
  });
});
