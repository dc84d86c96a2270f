// From names to declarations, types, references and new names, over a real session; what is renamed still compiles.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  DefinitionLink,
  DocumentHighlight,
  DocumentSymbol,
  Hover,
  Location,
  SemanticTokens,
  SemanticTokensDelta,
  SymbolInformation,
  TextDocumentEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { checkSource } from '../../src/compile.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { applyEdits, Client, editsOf, usualCapabilities, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const shapes = `/** What there is of a circle. */
type Circle {
  double radius;
}

// The area of a circle, in square units.
export double area(Circle c) {
  return Math.PI * c.radius * c.radius;
}

export Circle unit() {
  return { radius: 1.0 };
}
`;
const main = `import "lib/shapes.slu" as shapes;

int twice(int n) {
  int doubled = n * 2;
  return doubled;
}

main() {
  double size = shapes.area(shapes.unit());
  yield twice(3);
  return size;
}
`;

const workspace = new Workspace({
  'lib/shapes.slu': shapes,
  'main.slu': main,
  'other.slu': 'import "lib/shapes.slu" as s;\nmain() { return s.area(s.unit()); }\n',
});
const uris = {
  main: workspace.uri('main.slu'),
  shapes: workspace.uri('lib/shapes.slu'),
  other: workspace.uri('other.slu'),
};
let client: Client;
beforeAll(async () => {
  client = await Client.start({ folders: [workspace.uri('')] });
  await client.open(uris.main, main);
  await client.open(uris.shapes, shapes);
});
afterAll(() => {
  client.kill();
  workspace.remove();
});

describe('definition', () => {
  it('leads into the file that declares a function', async () => {
    const found = await client.request<Location>('textDocument/definition', client.at(uris.main, 'shapes.ar|ea'));
    expect(found).toEqual({
      uri: uris.shapes,
      range: { start: { line: 6, character: 14 }, end: { line: 6, character: 18 } },
    });
  });

  it('leads from an import to its file', async () => {
    const found = await client.request<Location>('textDocument/definition', client.at(uris.main, 'lib/sha|pes'));
    expect(found.uri).toBe(uris.shapes);
  });

  it('of a type is where that is declared', async () => {
    const found = await client.request<Location>('textDocument/typeDefinition', client.at(uris.shapes, '|c.radius'));
    expect(found).toEqual({ uri: uris.shapes, range: client.range(uris.shapes, 'Circle') });
  });

  it('of nothing is null, as is one in a file that does not exist', async () => {
    expect(await client.request('textDocument/definition', client.at(uris.main, '|return size'))).toBeNull();
    const gone = { textDocument: { uri: workspace.uri('gone.slu') }, position: { line: 0, character: 0 } };
    expect(await client.request('textDocument/definition', gone)).toBeNull();
  });

  it('has the whole declaration for clients that show it', async () => {
    const linking = await Client.start({
      folders: [workspace.uri('')],
      capabilities: {
        ...usualCapabilities,
        textDocument: { ...usualCapabilities.textDocument, definition: { linkSupport: true } },
      },
    });
    await linking.open(uris.main, main);
    const [link] = await linking.request<DefinitionLink[]>(
      'textDocument/definition',
      linking.at(uris.main, 'yield tw|ice'),
    );
    expect(link!.originSelectionRange!.start).toEqual({ line: 9, character: 8 });
    expect(link!.targetRange).toEqual({ start: { line: 2, character: 0 }, end: { line: 5, character: 1 } });
    linking.kill();
  });
});

describe('references', () => {
  const at = (): object => client.at(uris.shapes, 'double ar|ea');

  it('are found in files that are not open', async () => {
    const found = await client.request<Location[]>('textDocument/references', {
      ...at(),
      context: { includeDeclaration: true },
    });
    expect(found.map(({ uri }) => uri).toSorted()).toEqual([uris.main, uris.shapes, uris.other].toSorted());
  });

  it('leave the declaration out where that is wished', async () => {
    const found = await client.request<Location[]>('textDocument/references', {
      ...at(),
      context: { includeDeclaration: false },
    });
    expect(found.map(({ uri }) => uri).toSorted()).toEqual([uris.main, uris.other].toSorted());
  });

  it('in one file are highlighted, with what writes', async () => {
    const found = await client.request<DocumentHighlight[]>(
      'textDocument/documentHighlight',
      client.at(uris.main, 'return dou|bled'),
    );
    expect(found.map(({ range, kind }) => [range.start.line, kind])).toEqual([
      [3, 3],
      [4, 2],
    ]);
  });
});

describe('rename', () => {
  it('changes every file, and what comes of it compiles', async () => {
    const prepared = await client.request('textDocument/prepareRename', client.at(uris.main, 'shapes.ar|ea'));
    expect(prepared).toMatchObject({ placeholder: 'area', range: client.range(uris.main, 'area') });
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at(uris.main, 'shapes.ar|ea'),
      newName: 'surface',
    });
    const edits = editsOf(edit);
    expect([...edits.keys()].toSorted()).toEqual([uris.main, uris.shapes, uris.other].toSorted());
    const after = (name: string): string => applyEdits(workspace.read(name), edits.get(workspace.uri(name)) ?? []);
    const files = { 'lib/shapes.slu': after('lib/shapes.slu') };
    expect(files['lib/shapes.slu']).toContain('export double surface(');
    for (const name of ['main.slu', 'other.slu']) {
      const { diagnostics } = checkSource(name, after(name), { reader: memoryReader(files) });
      expect(diagnostics).toEqual([]);
      expect(after(name)).toContain('.surface(');
    }
  });

  it('of a field asks first, since it is a key of json too', async () => {
    const asking = await Client.start({
      folders: [workspace.uri('')],
      capabilities: {
        ...usualCapabilities,
        workspace: {
          ...usualCapabilities.workspace,
          workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: false } },
        },
      },
    });
    await asking.open(uris.shapes, shapes);
    const field = { ...asking.at(uris.shapes, 'double rad|ius'), newName: 'reach' };
    const edit = await asking.request<WorkspaceEdit>('textDocument/rename', field);
    const [[id, annotation]] = Object.entries(edit.changeAnnotations!) as [[string, object]];
    expect(annotation).toMatchObject({
      needsConfirmation: true,
      description: expect.stringContaining('key radius') as string,
    });
    const [{ edits }] = edit.documentChanges as [TextDocumentEdit];
    expect(edits).toHaveLength(4);
    for (const one of edits) expect(one).toMatchObject({ newText: 'reach', annotationId: id });
    const other = { ...asking.at(uris.shapes, 'double ar|ea'), newName: 'surface' };
    expect(await asking.request('textDocument/rename', other)).not.toHaveProperty('changeAnnotations');
    asking.kill();
  });

  it('of a field warns where the client cannot ask', async () => {
    const shown = new Promise<unknown>((resolve) => client.connection.onNotification('window/showMessage', resolve));
    const field = { ...client.at(uris.shapes, 'double rad|ius'), newName: 'reach' };
    expect(await client.request('textDocument/rename', field)).not.toHaveProperty('changeAnnotations');
    expect(await shown).toMatchObject({ type: 2, message: expect.stringContaining('key radius') as string });
  });

  it('says which version of an open document it means', async () => {
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at(uris.main, 'int dou|bled'),
      newName: 'result',
    });
    expect(edit.documentChanges).toMatchObject([{ textDocument: { uri: uris.main, version: 1 } }]);
  });

  it('is refused with the reason', async () => {
    const rename = async (marked: string, newName: string): Promise<unknown> =>
      client.request('textDocument/rename', { ...client.at(uris.main, marked), newName });
    await expect(rename('int dou|bled', 'n')).rejects.toThrow(/n/);
    await expect(rename('int dou|bled', 'two words')).rejects.toThrow(/name/);
    await expect(client.request('textDocument/prepareRename', client.at(uris.shapes, 'Math.|PI'))).rejects.toThrow();
  });
});

describe('hover', () => {
  it('shows the declaration with the comment above it', async () => {
    const found = await client.request<Hover>('textDocument/hover', client.at(uris.main, 'shapes.ar|ea'));
    const { value } = found.contents as { value: string };
    expect(value).toContain('double area(Circle c)');
    expect(value).toContain('The area of a circle, in square units.');
    expect(found.range).toEqual(client.range(uris.main, 'area'));
  });

  it('shows what the library says', async () => {
    const found = await client.request<Hover>('textDocument/hover', client.at(uris.shapes, 'Math.P|I'));
    expect((found.contents as { value: string }).value).toContain('Math.PI');
  });
});

describe('symbols', () => {
  it('of a file are a tree', async () => {
    const found = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri: uris.shapes },
    });
    expect(found.map(({ name }) => name)).toEqual(['Circle', 'area', 'unit']);
    expect(found[0]!.children!.map(({ name }) => name)).toEqual(['radius']);
  });

  it('of the workspace are found by a part of their name, in files that are not open too', async () => {
    const found = await client.request<SymbolInformation[]>('workspace/symbol', { query: 'twi' });
    expect(found.map(({ name, location }) => [name, location.uri])).toContainEqual(['twice', uris.main]);
    workspace.write('late.slu', 'int twinkle() { return 1; }\nmain() { return twinkle(); }\n');
    const again = await client.request<SymbolInformation[]>('workspace/symbol', { query: 'twi' });
    expect(again.map(({ name }) => name).toSorted()).toEqual(['twice', 'twinkle']);
  });
});

describe('semantic tokens', () => {
  it('say what names are; a delta makes of the old ones what a new request gives', async () => {
    const legend = client.result!.capabilities.semanticTokensProvider!.legend;
    const uri = workspace.uri('tokens.slu');
    await client.open(uri, 'double half(double x) { return x / 2.0; }\nmain() { return half(3.0); }\n');
    const first = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument: { uri } });
    const kinds = first.data.filter((_, at) => at % 5 === 3).map((type) => legend.tokenTypes[type]);
    expect(new Set(kinds)).toContain('function');
    expect(new Set(kinds)).toContain('parameter');
    await client.change(uri, { range: client.range(uri, 'main'), newText: '\nint n = 1;\nmain' });
    const delta = await client.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
      textDocument: { uri },
      previousResultId: first.resultId,
    });
    const data = [...first.data];
    for (const { start, deleteCount, data: inserted = [] } of delta.edits.toSorted((a, b) => b.start - a.start))
      data.splice(start, deleteCount, ...inserted);
    const full = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument: { uri } });
    expect(data).toEqual(full.data);
    const part = await client.request<SemanticTokens>('textDocument/semanticTokens/range', {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
    });
    expect(part.data).toEqual(full.data.slice(0, part.data.length));
    expect(part.data.length).toBeLessThan(full.data.length);
  });
});
