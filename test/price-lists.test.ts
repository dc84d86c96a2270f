// The price lists of CONTRIBUTING.md are true: an example of each kind is named in the files that its row lists, and in
// no other file of the sources.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** By the first column of the table: how the example is named in code, and in tests and pages. */
const examples: Readonly<Record<string, { readonly inCode: RegExp; readonly beside: RegExp }>> = {
  'a function of a namespace': { inCode: /\bhypot\b/, beside: /\bhypot\b/ },
  'a method of the language': { inCode: /\bstring trim\(|\btrimText\b/, beside: /\btrim\b/ },
  'an operator': { inCode: /'>>>'|'>>>\(|\bUSHR\b/, beside: />>>/ },
  'a statement': { inCode: /\bdo-while\b|DoWhile|\bDO\b|'do'/, beside: /\bdo\b/ },
  'a diagnostic': { inCode: /\bduplicateField\b|\bE2019\b/, beside: /\bE2019\b|is given twice/ },
  'a namespace': { inCode: /\bEnv\b|namespaces\/env\//, beside: /\bEnv\b/ },
  'a type': { inCode: /'json'|\bjsonType\b/, beside: /\bjson\b/ },
  'a node of Mir': { inCode: /'wrap32'|\bwrap32:/, beside: /\bwrap32\b/ },
};

interface Row {
  readonly kind: string;
  readonly sources: readonly string[];
  readonly beside: readonly string[];
}

function rowsOf(page: string): readonly Row[] {
  const [, table = ''] = /## What a change costs\n[\s\S]*?\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [kind = '', , sources = '', beside = ''] = line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim());
      const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
      return { kind, sources: pathsIn(sources), beside: pathsIn(beside) };
    });
}

function filesBelow(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
}

/** Without comments: what explains by an example need not be changed. */
const sources: ReadonlyMap<string, string> = new Map(
  filesBelow('src', 'runtime-host', 'grammar', 'tools', 'unplugin')
    .filter((path) => /\.(?:ts|g4|slu)$/.test(path) && !path.includes('/generated/'))
    .map((path) => [path, read(path).replace(/^\s*\/\/.*$|(?<=[;{},\s])\/\/ .*$|\/\*[\s\S]*?\*\//gm, '')]),
);
const others = filesBelow('test', 'docs').filter((path) => /\.(?:ts|slu|md)$/.test(path));

const covers = (listed: string, path: string): boolean =>
  listed.endsWith('/') ? path.startsWith(listed) : path === listed;

describe('the price of', () => {
  const rows = rowsOf(read('CONTRIBUTING.md'));

  it('each kind has an example', () => {
    expect(rows.map(({ kind }) => kind)).toEqual(Object.keys(examples));
  });

  it.each(rows)('$kind: its sources', ({ kind, sources: listed }) => {
    const named = [...sources].filter(([, text]) => examples[kind]!.inCode.test(text)).map(([path]) => path);
    expect(named.filter((path) => !listed.some((one) => covers(one, path)))).toEqual([]);
    const isNamed = (one: string): boolean => named.some((path) => covers(one, path));
    // Passes may know it or not.
    expect(listed.filter((one) => !isNamed(one) && !/^src\/[345]-/.test(one))).toEqual([]);
  });

  it.each(rows)('$kind: what belongs to it besides', ({ kind, beside: listed }) => {
    const isNamed = (path: string): boolean => examples[kind]!.beside.test(`${path} ${read(path)}`);
    expect(listed.filter((one) => !others.some((path) => covers(one, path) && isNamed(path)))).toEqual([]);
  });
});
