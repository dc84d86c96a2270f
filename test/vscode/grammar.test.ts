// The TextMate grammar: every kind of token in one script, whose scopes are written down; that it knows the words of
// the language and no others; that nothing of the examples is coloured as a fault, and that Markdown shows scripts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarFiles, namespaceScopes, wordScopes } from '../../editors/vscode/tools/textmate-grammar.ts';
import { errorTypes } from '../../src/language/errors.ts';
import { keywords } from '../../src/language/keywords.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import { extensionFolder, makeHighlighter } from './highlighter.ts';
import type { Token } from './highlighter.ts';

const root = join(import.meta.dirname, '../..');
let highlight: (text: string) => readonly (readonly Token[])[];
beforeAll(async () => {
  highlight = await makeHighlighter();
});

/** The innermost scope of each token of a line. */
function scopesOf(line: string): Readonly<Record<string, string>> {
  const tokens = highlight(line).flat();
  return Object.fromEntries(tokens.map(({ text, scopes }) => [text.trim(), scopes.at(-1) ?? '']));
}

describe('the grammar', () => {
  it.each(Object.entries(grammarFiles))('%s is fresh (node editors/vscode/tools/generate-grammar.ts)', (path, text) =>
    expect(readFileSync(join(extensionFolder, path), 'utf8')).toBe(text),
  );

  it('knows the words of the language and no others', () => {
    expect([...Object.values(wordScopes).flat(), 'main'].toSorted()).toEqual(keywords.toSorted());
  });

  it('knows the namespaces, and those that ask for permission', () => {
    const scripts = builtInLibraries.filter(({ receiver, preludeOnly }) => receiver === null && !preludeOnly);
    expect(Object.values(namespaceScopes).flat().toSorted()).toEqual(scripts.map(({ name }) => name).toSorted());
    expect(namespaceScopes['support.class.permission'].toSorted()).toEqual(['Env', 'File', 'Http']);
  });

  it('colours every kind of token', async () => {
    const lines = highlight(readFileSync(join(import.meta.dirname, 'every-token.slu'), 'utf8'));
    const shown = lines.map((tokens) =>
      tokens.map(({ text, scopes }) => `${text.trim().padEnd(24)} ${scopes.join(' ')}`.trimEnd()).join('\n'),
    );
    await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('./every-token.scopes.txt');
  });

  it.each(keywords.filter((word) => word !== 'main'))(
    'takes %s for a keyword, but behind a dot or as a key',
    (word) => {
      expect(scopesOf(`  ${word} `)[word]).toMatch(/^(keyword|storage|constant\.language)/);
      expect(scopesOf(`x.${word} = 1;`)[word]).toBe('variable.other.property');
      expect(scopesOf(`x.${word}(1);`)[word]).toBe('entity.name.function.member');
      expect(scopesOf(`json j = { a: 1, ${word}: 2 };`)[word]).toBe('variable.other.property.key');
      expect(scopesOf(`x${word} = 1;`)[`x${word}`]).toBe('variable.other');
    },
  );

  it.each(errorTypes.map(({ name }) => name))('knows %s in a catch clause', (name) => {
    expect(scopesOf(`} catch (${name} e) {`)[name]).toBe('support.class.error');
  });

  it('tells types from values by what follows', () => {
    expect(scopesOf('geo.Place? home = f(x);')).toMatchObject({
      geo: 'entity.name.namespace',
      Place: 'entity.name.type',
      '?': 'keyword.operator.nullable',
      home: 'variable.other',
      f: 'entity.name.function.call',
    });
    expect(scopesOf('x = c ? a : b;')).toMatchObject({ c: 'variable.other', '?': 'keyword.operator.conditional' });
    expect(scopesOf('Point[] make(int n) {')).toMatchObject({
      Point: 'entity.name.type',
      make: 'entity.name.function',
    });
    expect(scopesOf('return make(n) as Point[];')).toMatchObject({
      return: 'keyword.control.flow',
      make: 'entity.name.function.call',
      as: 'keyword.operator.cast',
      Point: 'entity.name.type',
    });
  });

  it('ends a text with its line, and a template where its own backtick is', () => {
    const [first, second] = highlight('string a = "open\nint b = 1;');
    expect(first!.at(-1)!.scopes).toContain('string.quoted.double');
    expect(second!.flatMap(({ scopes }) => scopes)).not.toContain('string.quoted.double');
    const nested = highlight('x = `a ${f({ k: `b ${c} }` })} d`; int e = 1;').flat();
    expect(nested.find(({ text }) => text === ' d')!.scopes).toEqual(['string.template']);
    expect(nested.find(({ text }) => text === 'int')!.scopes).toEqual(['storage.type.primitive']);
  });

  const scripts = ['examples', 'examples/lib', 'src/prelude', 'benchmarks/programs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.slu'))
      .map((path) => join(folder, path)),
  );
  it('finds nothing wrong in the scripts of the repository', () => {
    const faults = scripts.flatMap((path) =>
      highlight(readFileSync(join(root, path), 'utf8')).flatMap((tokens, at) =>
        tokens
          .filter(({ scopes }) => scopes.some((one) => one.startsWith('invalid')))
          .map(({ text }) => `${path}:${at + 1}: ${text}`),
      ),
    );
    expect(scripts.length).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  });

  it('is used for fences of Markdown', async () => {
    const read = await makeHighlighter('text.html.markdown');
    const lines = read('text\n\n```sluice\nint n = 1;\n```\nint n\n\n~~~slu title\nyield 1;\n~~~\n');
    const found = (line: number, text: string): readonly string[] | undefined =>
      lines[line]!.find((token) => token.text === text)?.scopes;
    expect(found(3, 'int')).toContain('storage.type.primitive');
    expect(found(8, 'yield')).toContain('keyword.control.flow');
    expect(lines[5]!.flatMap(({ scopes }) => scopes)).toEqual([]);
  });
});
