// What helps while one writes, over a real session: completion, signatures, hints, ranges, calls and lenses.

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  ClientCapabilities,
  CodeLens,
  CompletionItem,
  DocumentLink,
  FoldingRange,
  InlayHint,
  SelectionRange,
  SignatureHelp,
} from 'vscode-languageserver-protocol';
import { Client, command, usualCapabilities, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const main = `import "lib.slu" as lib;

double half(double whole) {
  return whole / 2.0;
}

main() {
  string name = "Ada";
  yield half(3);
  yield lib.read("a.txt");
  return name.trim();
}
`;
const workspace = new Workspace({
  'lib.slu': 'export string read(string path) {\n  return File.read(path);\n}\n',
  'main.slu': main,
});
const uri = workspace.uri('main.slu');
let client: Client;
beforeAll(async () => {
  client = await Client.start({ folders: [workspace.uri('')] });
  await client.open(uri, main);
});
afterAll(() => {
  client.kill();
  workspace.remove();
});

describe('completion', () => {
  it('knows the members of a value, and documents the one that is looked at', async () => {
    const found = await client.request<CompletionItem[]>('textDocument/completion', client.at(uri, 'name.|trim'));
    const trim = found.find(({ label }) => label.startsWith('trim'))!;
    expect(trim.textEdit).toMatchObject({ range: client.range(uri, 'trim') });
    expect(trim.documentation).toBeUndefined();
    const resolved = await client.request<CompletionItem>('completionItem/resolve', trim);
    expect((resolved.documentation as { value: string }).value).not.toBe('');
  });

  it('documents all at once for a client that asks for no more', async () => {
    const capabilities = { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } };
    const other = await Client.start({ capabilities: capabilities as ClientCapabilities });
    await other.open(uri, main);
    const found = await other.request<CompletionItem[]>('textDocument/completion', other.at(uri, 'name.|trim'));
    const trim = found.find(({ label }) => label.startsWith('trim'))!;
    expect((trim.documentation as { value: string }).value).toContain('white space');
    other.kill();
  });
});

describe('signature help', () => {
  it('shows the call and the parameter', async () => {
    const found = await client.request<SignatureHelp>('textDocument/signatureHelp', client.at(uri, 'half(|3'));
    expect(found.signatures[0]!.label).toContain('half(double whole)');
    expect(found.activeParameter).toBe(0);
  });
});

describe('hints', () => {
  it('name parameters', async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const found = await client.request<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri }, range });
    expect(found.map(({ label }) => label).join()).toContain('whole');
  });
});

describe('ranges', () => {
  it('fold functions', async () => {
    const found = await client.request<FoldingRange[]>('textDocument/foldingRange', { textDocument: { uri } });
    expect(found.map(({ startLine }) => startLine)).toEqual(expect.arrayContaining([2, 6]));
  });

  it('grow step by step', async () => {
    const { position } = client.at(uri, 'who|le / 2');
    const [found] = await client.request<SelectionRange[]>('textDocument/selectionRange', {
      textDocument: { uri },
      positions: [position],
    });
    const texts: number[] = [];
    for (let range: SelectionRange | undefined = found; range !== undefined; range = range.parent)
      texts.push(range.range.end.line - range.range.start.line);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts).toEqual(texts.toSorted((a, b) => a - b));
  });

  it('link to imported files', async () => {
    const found = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(found.map(({ target }) => target)).toEqual([workspace.uri('lib.slu')]);
  });
});

describe('call hierarchy', () => {
  it('goes both ways, across files', async () => {
    const prepare = async (marked: string): Promise<CallHierarchyItem> =>
      (await client.request<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', client.at(uri, marked)))[0]!;
    const item = await prepare('lib.re|ad');
    expect(item.uri).toBe(workspace.uri('lib.slu'));
    const incoming = await client.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
    expect(incoming.map(({ from }) => [from.name, from.uri])).toEqual([['main', uri]]);
    const outgoing = await client.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
      item: incoming[0]!.from,
    });
    expect(outgoing.map(({ to }) => to.name).toSorted()).toEqual(['half', 'read']);
  });
});

describe('lenses', () => {
  it('run the script in a terminal, and say which permissions main can reach', async () => {
    const found = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(found.map(({ command }) => command!.arguments?.[0] as unknown)).toContainEqual({
      words: ['run', 'main.slu'],
      folder: workspace.path,
    });
    expect(found.map(({ command }) => command!.title).join()).toContain('--allow-file-read');
  });

  it('run each test of a file of tests, and no other function', async () => {
    const text =
      'export void adds() {\n  yield 1 + 1; // → 2\n}\nexport int twice(int n) {\n  return 2 * n;\n}\n' +
      'void unshared() {}\n';
    const tests = workspace.uri('sums.test.slu');
    await client.open(tests, text);
    const found = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri: tests } });
    expect(found.map(({ range, command }) => [range.start.line, command!.title, command!.arguments![0]])).toEqual([
      [0, 'Run test', { words: ['test', 'sums.test.slu', '--only=/> adds$/'], folder: workspace.path }],
    ]);
    // What the words say is what happens.
    workspace.write('sums.test.slu', text);
    const { words } = found[0]!.command!.arguments![0] as { words: string[] };
    const { stdout, status } = spawnSync(process.execPath, [command, ...words], {
      cwd: workspace.path,
      encoding: 'utf8',
    });
    expect(stdout).toContain('1 passed');
    expect(status).toBe(0);
  });

  it('test a script that says what it yields, in both of its forms', async () => {
    const titles = async (name: string, text: string): Promise<unknown> => {
      await client.open(workspace.uri(name), text);
      const found = await client.request<CodeLens[]>('textDocument/codeLens', {
        textDocument: { uri: workspace.uri(name) },
      });
      return found.map(({ range, command: { title } = { title: '' } }) => `${range.start.line} ${title}`);
    };
    const all = ['0 Run', '0 Benchmark', '0 Run test'];
    expect(await titles('loud.slu', 'main() {\n  yield 2; // → 2\n}\n')).toEqual(all);
    expect(await titles('plain.slu', 'yield 2; // → 2\n')).toEqual(all);
    expect(await titles('silent.slu', 'yield 2;\n')).toEqual(['0 Run', '0 Benchmark']);
    expect(await titles('parts.slu', 'int one() {\n  return 1;\n}\n')).toEqual([]);
  });

  it('say how large the code of functions is to who wants that, once nobody types', async () => {
    const capabilities = {
      ...usualCapabilities,
      workspace: { ...usualCapabilities.workspace, codeLens: { refreshSupport: true } },
    };
    const own = await Client.start({ capabilities, initializationOptions: { lenses: { costs: true, run: false } } });
    const small = 'int twice(int n) {\n  return 2 * n;\n}\n';
    const text =
      'export double total(double[] xs) {\n  double sum = 0;\n  foreach (double x in xs) sum += x;\n' +
      '  return sum;\n}\n' +
      `${small}main(int n) {\n  return twice(n);\n}\n`;
    const file = 'file:///nowhere/costs.slu';
    const lenses = async (): Promise<readonly string[]> =>
      (await own.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri: file } })).map(
        ({ range, command: { title } = { title: '' } }) => `${range.start.line} ${title}`,
      );
    try {
      await own.open(file, text);
      expect(await lenses()).toEqual([]);
      await own.hears('workspace/codeLens/refresh');
      const found = await lenses();
      // A function that went into its callers has no code.
      expect(found.map((lens) => lens.replaceAll(/\d+(?= (?:bytes|%))/g, 'N'))).toEqual([
        '0 N bytes, N % of the code',
        '8 N bytes, N % of the code',
      ]);
      const [total, all] = found.map((lens) => Number(/(\d+) bytes/.exec(lens)![1]));
      expect(total!).toBeGreaterThan(all!);
      // While the script is faulty, what was known stays.
      await own.change(file, { range: own.range(file, '2 * n'), newText: '2 * m' });
      expect(await lenses()).toEqual(found);
    } finally {
      own.kill();
    }
  });
});
