// Code actions: what is offered at a place, and the text after it.

import { describe, expect, it } from 'vitest';
import { applyEdits, codeActionsAt } from '../../src/queries/index.ts';
import type { CodeAction } from '../../src/queries/index.ts';
import { ask } from './cursor.ts';

function actions(script: string): readonly CodeAction[] {
  const { analysis, file, offset } = ask(script);
  return codeActionsAt(analysis, file, { start: offset, end: offset });
}

/** The titles at the mark, each with the text that it makes. */
function outcomes(script: string, kind: CodeAction['kind']): Readonly<Record<string, string>> {
  const text = script.replace('§', '');
  return Object.fromEntries(
    actions(script)
      .filter((action) => action.kind === kind)
      .map(({ title, edits }) => [title, applyEdits('main.slu', text, edits)]),
  );
}

describe('quick fixes', () => {
  it('mend the diagnostic at the cursor, and no other', () => {
    expect(outcomes('int count = 1;\nyield co§nut;\nyield cuont;', 'quick-fix')).toEqual({
      "Write 'count'": 'int count = 1;\nyield count;\nyield cuont;',
    });
    expect(outcomes('int count = 1;§\n\nyield conut;', 'quick-fix')).toEqual({});
  });

  it('are preferred where they are sure', () => {
    const preferred = (script: string): unknown =>
      actions(script)
        .filter(({ kind }) => kind === 'quick-fix')
        .map(({ isPreferred }) => isPreferred);
    expect(preferred('int count = 1;\nyield §Count;')).toEqual([true]);
    expect(preferred('int count = 1;\nyield §conut;')).toEqual([false]);
  });

  it('name the diagnostic', () => {
    const [action] = actions('int count = 1;\nyield §conut;');
    expect(action!.diagnostic!.message).toContain('conut');
  });

  it('are those of a range', () => {
    const { analysis, file } = ask('int count = 1;\nyield Count;\nyield COUNT;');
    const found = codeActionsAt(analysis, file, { start: 0, end: 60 });
    expect(found.map(({ kind }) => kind)).toEqual(['quick-fix', 'quick-fix', 'fix-all']);
  });

  it('are none for a file that the program does not have', () => {
    expect(codeActionsAt(ask('yield 1').analysis, 'other.slu', { start: 0, end: 9 })).toEqual([]);
  });
});

describe('imports of a missing name', () => {
  const shop = 'type Item { string name; }\ndouble tax = 0.2;\ndouble total(double a) { return a; }\n';
  const beside = ask('import "lib/shop.slu" as s;', { 'lib/shop.slu': shop }).analysis;

  function imported(script: string): readonly string[] {
    const { analysis, file, offset } = ask(script, { 'lib/shop.slu': shop });
    const text = script.replace('§', '');
    return codeActionsAt(analysis, file, { start: offset, end: offset }, [beside])
      .filter(({ title }) => title.includes('.'))
      .map(({ title, edits }) => `${title}: ${applyEdits(file, text, edits)}`);
  }

  const head = 'import "lib/shop.slu" as shop;\n\n';

  it('are added for functions, types and variables, and every use gets the alias', () => {
    expect(imported('yield §total(1.0) + total(2.0);')).toEqual([
      `Import 'shop' and write 'shop.total': ${head}yield shop.total(1.0) + shop.total(2.0);`,
    ]);
    expect(imported('yield §tax * tax;')).toEqual([
      `Import 'shop' and write 'shop.tax': ${head}yield shop.tax * shop.tax;`,
    ]);
    expect(imported('§Item item = null;\nyield item;')).toEqual([
      `Import 'shop' and write 'shop.Item': ${head}shop.Item item = null;\nyield item;`,
    ]);
  });

  it('are not repeated for a file that is imported', () => {
    expect(imported('import "lib/shop.slu" as s;\nyield §total(1.0);')).toEqual([
      'Write \'s.total\': import "lib/shop.slu" as s;\nyield s.total(1.0);',
    ]);
  });

  it('are not offered for what no file declares so, or declares as something else', () => {
    expect(imported('yield §unknown(1.0);')).toEqual([]);
    expect(imported('yield §total;')).toEqual([]);
    expect(imported('§tax item = null;')).toEqual([]);
  });
});

describe('all fixes at once', () => {
  it('are the sure ones of the file, wherever the cursor is', () => {
    const script = '§int count = 1;\nint other = 2;\nyield Count;\nyield "text".length;\nyield ohter;\n';
    expect(Object.values(outcomes(script, 'fix-all'))).toEqual([
      'int count = 1;\nint other = 2;\nyield count;\nyield "text".length();\nyield ohter;\n',
    ]);
  });

  it('do not overlap', () => {
    const { analysis, file } = ask("yield 'a' + 'b'\nyield .5\n");
    const all = codeActionsAt(analysis, file, { start: 0, end: 0 }).find(({ kind }) => kind === 'fix-all');
    const spans = all!.edits.map(({ span }) => span);
    expect(spans.length).toBeGreaterThan(2);
    for (const [at, { start }] of spans.slice(1).entries()) expect(start).toBeGreaterThan(spans[at]!.end);
  });

  it('are not offered where there is none', () => {
    expect(actions('int count = 1;\nyield co§nut;').map(({ kind }) => kind)).toEqual(['quick-fix']);
    expect(actions('yield §1;')).toEqual([]);
  });
});
