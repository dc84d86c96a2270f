// What VS Code reads of the language beside its grammar: regular expressions for indentation and words, and snippets,
// each of which is a script, or a statement of one, that the parser takes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/1-parse/parse.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';
import { extensionFolder } from './highlighter.ts';

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(extensionFolder, path), 'utf8'));
}

const configuration = readJson('language-configuration.json') as {
  readonly wordPattern: string;
  readonly indentationRules: Readonly<
    Record<'increaseIndentPattern' | 'decreaseIndentPattern' | 'indentNextLinePattern', string>
  >;
};
const rules = configuration.indentationRules;

describe('indentation', () => {
  it.each([
    ['main() {', true],
    ['foreach (int x in xs) { // each of them', true],
    ['json j = {', true],
    ['f(a,', false],
    ['call(', true],
    ['yield `{`;', false],
    ['yield "{";', false],
    ['// like this {', false],
    ['} else {', true],
    ['if (a) { b(); }', false],
    ['string s = "a \\" {";', false],
  ])('grows behind %j: %j', (line, grows) => {
    expect(new RegExp(rules.increaseIndentPattern).test(line)).toBe(grows);
  });

  it.each([
    ['}', true],
    ['  } else {', true],
    [']);', true],
    ['  x = 1; }', false],
  ])('shrinks at %j: %j', (line, shrinks) => {
    expect(new RegExp(rules.decreaseIndentPattern).test(line)).toBe(shrinks);
  });

  it.each([
    ['  if (a)', true],
    ['  } else', true],
    ['foreach (T x in xs) // all', true],
    ['  if (a) b();', false],
    ['  if (a) {', false],
    ['  doIt', false],
  ])('grows for one line behind %j: %j', (line, grows) => {
    expect(new RegExp(rules.indentNextLinePattern).test(line)).toBe(grows);
  });
});

it('words are names and numbers', () => {
  expect('x_1.push(1_000.5) + 0xFF'.match(new RegExp(configuration.wordPattern, 'g'))).toEqual([
    'x_1',
    'push',
    '1_000.5',
    '0xFF',
  ]);
});

interface Snippet {
  readonly prefix: string | readonly string[];
  readonly body: string | readonly string[];
}

/** What stands in the file when all placeholders are left as they are. */
function expand({ body }: Snippet): string {
  let text = typeof body === 'string' ? body : body.join('\n');
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replaceAll(/(?<!\\)\$\{\d+:((?:[^{}\\]|\\.)*)\}/g, '$1')
      .replaceAll(/(?<!\\)\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1');
  }
  return text.replaceAll(/(?<!\\)\$\d/g, '').replaceAll(String.raw`\$`, '$');
}

describe('snippets', () => {
  const snippets = readJson('snippets/sluice.json') as Readonly<Record<string, Snippet>>;
  it.each(Object.entries(snippets))('%s parses', (_name, snippet) => {
    // What is empty yet is filled in.
    const text = expand(snippet).replaceAll('return ;', 'return 1;');
    const sink = new DiagnosticSink();
    parse(createSourceFile('snippet.slu', text), sink);
    expect(sink.sorted().map(({ message }) => message)).toEqual([]);
  });

  it('have prefixes of their own', () => {
    const prefixes = Object.values(snippets).flatMap(({ prefix }) => prefix);
    expect(prefixes).toEqual([...new Set(prefixes)]);
  });
});
