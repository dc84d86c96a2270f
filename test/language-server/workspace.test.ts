// Where files lie: in one of several folders of a workspace, in none, in a window alone; and what happens to them on
// the disk while the session goes on.

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type {
  Diagnostic,
  Location,
  SymbolInformation,
  WorkspaceDiagnosticReport,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { Client, editsOf, usualCapabilities, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000 });

const workspaces: Workspace[] = [];
const clients: Client[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.kill()));
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

const library = 'export double area(double r) {\n  return 3.0 * r * r;\n}\n';
const isClean = (found: readonly Diagnostic[]): boolean => found.length === 0;
const saysCode =
  (code: string) =>
  (found: readonly Diagnostic[]): boolean =>
    found.some((diagnostic) => diagnostic.code === code);

/** The files in which a name is declared, as the whole workspace knows it. */
async function filesWith(client: Client, name: string): Promise<readonly string[]> {
  const found = await client.request<SymbolInformation[]>('workspace/symbol', { query: name });
  return found.map(({ location }) => location.uri).toSorted();
}

describe('folders of a workspace', () => {
  it('are all searched, and one that comes or goes is so at once', async () => {
    const [shapes, trips] = [
      workspaceOf({ 'shapes.slu': library }),
      workspaceOf({ 'deep/trip.slu': 'export double area(double km) {\n  return km;\n}\n' }),
    ];
    const [first, second] = [shapes.uri('shapes.slu'), trips.uri('deep/trip.slu')];
    const folders = [shapes.uri(''), trips.uri('')];
    const client = await start({ folders });
    expect(await filesWith(client, 'area')).toEqual([first, second].toSorted());
    const change = async (added: readonly string[], removed: readonly string[]): Promise<void> => {
      const asFolder = (uri: string): object => ({ uri, name: uri });
      await client.notify('workspace/didChangeWorkspaceFolders', {
        event: { added: added.map(asFolder), removed: removed.map(asFolder) },
      });
    };
    await change([], [folders[1]!]);
    expect(await filesWith(client, 'area')).toEqual([first]);
    await change([folders[1]!], []);
    expect(await filesWith(client, 'area')).toEqual([first, second].toSorted());
  });

  it('are the root of an older client, and none of one that names nothing', async () => {
    const workspace = workspaceOf({
      'lib/shapes.slu': library,
      'main.slu': 'import "lib/shapes.slu" as shapes;\nyield shapes.area(2.0);\n',
    });
    const [shapes, main] = [workspace.uri('lib/shapes.slu'), workspace.uri('main.slu')];
    for (const [root, found] of [
      [{ rootUri: workspace.uri('') }, [shapes, main]],
      [{}, [shapes]],
    ] as const) {
      const client = await start({ root });
      await client.open(shapes, library);
      const places = await client.request<Location[]>('textDocument/references', {
        ...client.at(shapes, 'area'),
        context: { includeDeclaration: true },
      });
      expect(places.map(({ uri }) => uri).toSorted()).toEqual([...found]);
    }
  });

  it('share what is open: a file of one imports that of another as it stands in its window', async () => {
    const [library1, reports] = [workspaceOf({ 'shapes.slu': library }), workspaceOf({ 'main.slu': 'yield 1;\n' })];
    const client = await start({ folders: [library1.uri(''), reports.uri('')] });
    const [shapes, main] = [library1.uri('shapes.slu'), reports.uri('main.slu')];
    await client.open(shapes, library);
    const path = join('..', library1.path.split('/').at(-1)!, 'shapes.slu');
    expect(await client.open(main, `import "${path}" as shapes;\nyield shapes.area(2.0);\n`)).toEqual([]);
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at(shapes, 'area'),
      newName: 'surface',
    });
    expect([...editsOf(edit).keys()].toSorted()).toEqual([shapes, main].toSorted());
    await client.change(shapes, { range: client.range(shapes, 'area'), newText: 'surface' });
    await client.diagnosticsUntil(main, (found) => found.length > 0);
  });

  it('are none, or do not hold the file: it is known with what it imports', async () => {
    const [inside, outside] = [
      workspaceOf({ 'a.slu': 'yield 1;\n' }),
      workspaceOf({ 'shapes.slu': library, 'main.slu': 'import "shapes.slu" as shapes;\nyield shapes.area(2.0);\n' }),
    ];
    for (const folders of [[], [inside.uri('')]]) {
      const client = await start({ folders });
      const main = outside.uri('main.slu');
      expect(await client.open(main, outside.read('main.slu'))).toEqual([]);
      const found = await client.request<Location[]>('textDocument/references', {
        ...client.at(main, 'shapes.ar|ea'),
        context: { includeDeclaration: true },
      });
      expect(found.map(({ uri }) => uri).toSorted()).toEqual([main, outside.uri('shapes.slu')]);
    }
  });
});

describe('files', () => {
  it('that were never saved can be imported, and are gone when their window is closed', async () => {
    const workspace = workspaceOf({ 'main.slu': 'import "new.slu" as made;\nyield made.area(2.0);\n' });
    const client = await start({ folders: [workspace.uri('')] });
    const main = workspace.uri('main.slu');
    expect(isClean(await client.open(main, workspace.read('main.slu')))).toBe(false);
    await client.open(workspace.uri('new.slu'), library);
    await client.diagnosticsUntil(main, isClean);
    await client.close(workspace.uri('new.slu'));
    await client.diagnosticsUntil(main, saysCode('E2070'));
  });

  it('that are renamed, deleted or written on the disk count as they are there', async () => {
    const workspace = workspaceOf({
      'shapes.slu': library,
      'main.slu': 'import "shapes.slu" as shapes;\nyield shapes.area(2.0);\n',
    });
    const client = await start({ folders: [workspace.uri('')] });
    const main = workspace.uri('main.slu');
    const watched = async (...changes: readonly (readonly [name: string, type: 1 | 2 | 3])[]): Promise<void> =>
      client.notify('workspace/didChangeWatchedFiles', {
        changes: changes.map(([name, type]) => ({ uri: workspace.uri(name), type })),
      });
    expect(await client.open(main, workspace.read('main.slu'))).toEqual([]);

    renameSync(join(workspace.path, 'shapes.slu'), join(workspace.path, 'forms.slu'));
    await watched(['shapes.slu', 3], ['forms.slu', 1]);
    await client.diagnosticsUntil(main, saysCode('E2070'));
    expect(await filesWith(client, 'area')).toEqual([workspace.uri('forms.slu')]);

    await client.change(main, { range: client.range(main, '"shapes.slu"'), newText: '"forms.slu"' });
    await client.diagnosticsUntil(main, isClean);
    workspace.write('forms.slu', 'export double girth(double r) {\n  return r;\n}\n');
    await watched(['forms.slu', 2]);
    await client.diagnosticsUntil(main, (found) => found.some(({ message }) => String(message).includes('area')));

    rmSync(join(workspace.path, 'forms.slu'));
    await watched(['forms.slu', 3]);
    await client.diagnosticsUntil(main, saysCode('E2070'));
    expect(await filesWith(client, 'girth')).toEqual([]);
  });

  it('that are deleted are taken back from the problems of the workspace', async () => {
    const workspace = workspaceOf({ 'faulty.slu': 'yield nothing;\n', 'fine.slu': 'yield 1;\n' });
    const capabilities = {
      ...usualCapabilities,
      textDocument: { ...usualCapabilities.textDocument, diagnostic: { dynamicRegistration: false } },
    };
    const client = await start({ folders: [workspace.uri('')], capabilities });
    const pull = async (
      previousResultIds: readonly { uri: string; value: string }[],
    ): Promise<WorkspaceDiagnosticReport> => client.request('workspace/diagnostic', { previousResultIds });
    const { items } = await pull([]);
    const faulty = items.find(({ uri }) => uri === workspace.uri('faulty.slu'))!;
    expect(faulty.kind === 'full' && faulty.items).toHaveLength(1);
    rmSync(join(workspace.path, 'faulty.slu'));
    const after = await pull(items.map(({ uri, resultId }) => ({ uri, value: resultId! })));
    expect(after.items.find(({ uri }) => uri === faulty.uri)).toMatchObject({ kind: 'full', items: [] });
  });
});
