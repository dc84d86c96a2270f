// Code actions over a real session: offered, applied as an editor applies them, and the diagnostics after that.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CodeAction, CodeActionContext, Diagnostic, Range } from 'vscode-languageserver-protocol';
import { Client, editsOf, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const workspace = new Workspace();
let client: Client;
beforeAll(async () => {
  client = await Client.start({ folders: [workspace.uri('')] });
});
afterAll(() => {
  client.kill();
  workspace.remove();
});

async function actions(uri: string, range: Range, context: CodeActionContext): Promise<CodeAction[]> {
  return client.request<CodeAction[]>('textDocument/codeAction', { textDocument: { uri }, range, context });
}

/** Makes the edits of an action, the last in the text first. */
async function apply(uri: string, action: CodeAction): Promise<readonly Diagnostic[]> {
  const edits = editsOf(action.edit!).get(uri)!;
  return client.change(
    uri,
    ...edits.toSorted(
      (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
    ),
  );
}

describe('code actions', () => {
  it('mend a typo', async () => {
    const uri = workspace.uri('typo.slu');
    const diagnostics = [...(await client.open(uri, 'int count = 1;\nyield conut;\n'))];
    expect(diagnostics).toHaveLength(1);
    const [found, ...more] = await actions(uri, client.range(uri, 'conut'), { diagnostics });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ title: "Write 'count'", kind: 'quickfix', diagnostics });
    expect(await apply(uri, found!)).toEqual([]);
    expect(client.text(uri)).toBe('int count = 1;\nyield count;\n');
    expect(await actions(uri, client.range(uri, 'count;'), { diagnostics: [] })).toEqual([]);
  });

  it('make all sure fixes of a file, as when it is saved', async () => {
    const uri = workspace.uri('all.slu');
    await client.open(uri, 'int count = 1;\nyield Count;\nyield "text".length;\n');
    const range = client.range(uri, 'int');
    expect(await actions(uri, range, { diagnostics: [] })).toEqual([]);
    for (const only of ['source.fixAll.sluice', 'source.fixAll', 'source']) {
      const found = await actions(uri, range, { diagnostics: [], only: [only] });
      expect(found.map(({ kind }) => kind)).toEqual(['source.fixAll.sluice']);
    }
    const [all] = await actions(uri, range, { diagnostics: [], only: ['source.fixAll'] });
    expect(await apply(uri, all!)).toEqual([]);
    expect(client.text(uri)).toBe('int count = 1;\nyield count;\nyield "text".length();\n');
  });

  it('import what another file of the workspace declares, which nobody has opened', async () => {
    workspace.write('lib/tax.slu', 'double withTax(double net) {\n  return net * 1.2;\n}\n');
    const uri = workspace.uri('import.slu');
    const diagnostics = [...(await client.open(uri, 'yield withTax(1.0);\n'))];
    const found = await actions(uri, client.range(uri, 'withTax'), { diagnostics });
    const action = found.find(({ title }) => title.startsWith('Import'))!;
    expect(action).toMatchObject({ kind: 'quickfix', diagnostics });
    expect(await apply(uri, action)).toEqual([]);
    expect(client.text(uri)).toBe('import "lib/tax.slu" as tax;\n\nyield tax.withTax(1.0);\n');
  });

  it('are of the kinds that are asked for', async () => {
    const uri = workspace.uri('kinds.slu');
    await client.open(uri, 'int count = 1;\nyield Count;\n');
    const kindsOf = async (context: CodeActionContext): Promise<unknown> =>
      (await actions(uri, client.range(uri, 'Count'), context)).map(({ kind, isPreferred }) => [kind, isPreferred]);
    expect(await kindsOf({ diagnostics: [] })).toEqual([
      ['quickfix', true],
      ['source.fixAll.sluice', undefined],
    ]);
    expect(await kindsOf({ diagnostics: [], only: ['quickfix'] })).toEqual([['quickfix', true]]);
    expect(await kindsOf({ diagnostics: [], only: ['refactor', 'source.organizeImports'] })).toEqual([]);
  });

  it('refactor what is selected, upon which nothing is wrong', async () => {
    const uri = workspace.uri('refactor.slu');
    const script = 'int twice(int n) { return n * 2; }\n\nmain(int n) {\n  int m = n + 1;\n  yield twice(m) + m;\n}\n';
    expect(await client.open(uri, script)).toEqual([]);
    const kindsAt = async (text: string, context: Partial<CodeActionContext>): Promise<unknown> =>
      (await actions(uri, client.range(uri, text), { diagnostics: [], ...context })).map(({ kind }) => kind);
    expect(await kindsAt('twice(m)', {})).toEqual([
      'refactor.extract.variable',
      'refactor.extract.function',
      'refactor.inline',
    ]);
    expect(await kindsAt('twice(m)', { only: ['refactor.inline'] })).toEqual(['refactor.inline']);
    expect(await kindsAt('twice(m)', { only: ['quickfix'] })).toEqual([]);
    const [extract] = await actions(uri, client.range(uri, 'twice(m)'), {
      diagnostics: [],
      only: ['refactor.extract'],
    });
    expect(await apply(uri, extract!)).toEqual([]);
    expect(client.text(uri)).toContain('  int result = twice(m);\n  yield result + m;\n');
  });

  it('do not refactor what a cursor merely moves through', async () => {
    const uri = workspace.uri('cursor.slu');
    await client.open(uri, 'main(int n) {\n  int m = n + 1;\n  yield m;\n}\n');
    const { start } = client.range(uri, 'm;');
    const titles = async (context: Partial<CodeActionContext>): Promise<unknown> =>
      (await actions(uri, { start, end: start }, { diagnostics: [], ...context })).map(({ title }) => title);
    expect(await titles({ triggerKind: 2 })).toEqual([]);
    expect(await titles({ triggerKind: 1 })).toEqual(['Inline variable']);
    expect(await titles({ triggerKind: 2, only: ['refactor'] })).toEqual(['Inline variable']);
  });

  it('say why they cannot be made, to clients that show it and ask', async () => {
    const uri = workspace.uri('disabled.slu');
    await client.open(uri, 'main(int n) {\n  yield n > 0 && 10 / n > 1;\n}\n');
    const range = client.range(uri, '10 / n');
    const all = await actions(uri, range, { diagnostics: [] });
    expect(all.map(({ title }) => title)).toEqual(['Extract function']);
    const [action, ...more] = await actions(uri, range, { diagnostics: [], only: ['refactor.extract.variable'] });
    expect(action).toEqual({
      title: 'Extract variable',
      kind: 'refactor.extract.variable',
      disabled: { reason: 'It is not evaluated each time.' },
    });
    expect(more).toEqual([]);
  });

  it('are refused for a range that is none', async () => {
    const uri = workspace.uri('typo.slu');
    await expect(client.request('textDocument/codeAction', { textDocument: { uri }, context: {} })).rejects.toThrow(
      'range.start',
    );
  });
});
