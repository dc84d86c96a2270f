// A template without its end costs the statement that it is in: what is missing is found by the lines around it.

import { readFileSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/1-parse/parse.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { applyFixes } from '../../src/diagnostics/fixes.ts';
import { createSourceFile, positionAt } from '../../src/source.ts';

interface Found {
  /** Code, line and column. */
  readonly said: readonly string[];
  /** The text after the fix of the first one; null without a fix. */
  readonly mended: string | null;
  /** How many statements, functions and others were read. */
  readonly items: number;
}

function find(text: string): Found {
  const sink = new DiagnosticSink();
  const file = parse(createSourceFile('script.slu', text), sink);
  const diagnostics = sink.sorted();
  const fix = diagnostics[0]?.fix ?? null;
  return {
    said: diagnostics.map(({ code, span }) => {
      const { line, column } = positionAt(span.file, span.start);
      return `${code} ${line}:${column}`;
    }),
    mended: fix === null ? null : applyFixes(text, [fix]),
    items: file.items.length,
  };
}

const script = `string first(int x) {
  return \`a \${x} b\`;
}

string page = \`
  <p>
    \${first(1)}
  </p>
\`;
string last(int x) { return first(x) + \`c \${x} d\`; }
yield page + last(2);
`;

describe('a template without its end', () => {
  it.each([
    ['its backtick, in a statement', 'b`;', 'b;', 'E1007 2:10'],
    ['its backtick, behind lines of text', '</p>\n`;', '</p>\n;', 'E1007 5:15'],
    ['its backtick, in a block on one line', 'd`; }', 'd; }', 'E1007 10:40'],
    ['the end of an expression', '${x} b`', '${x b`', 'E1008 2:13'],
    ['the end of an expression between lines of text', '${first(1)}', '${first(1)', 'E1008 7:5'],
  ])('lacks %s', (_, written, wrong, fault) => {
    expect(find(script).said).toEqual([]);
    const found = find(script.replace(written, () => wrong));
    expect(found.said[0]).toBe(fault);
    expect(found.items).toBe(find(script).items);
  });

  it.each([
    ['yield `a ${1} b;\nyield `c`;', 'yield `a ${1} b`;\nyield `c`;'],
    ['f(g(`a ${1}, 2));\nyield `${3}`;', 'f(g(`a ${1}, 2`));\nyield `${3}`;'],
    ['yield `a ${1`;\nyield `c`;', 'yield `a ${1}`;\nyield `c`;'],
    ['yield "😀"; yield `😀 ${1};', 'yield "😀"; yield `😀 ${1}`;'],
    ['json j = { a: [`{"b": ${1}}] };', 'json j = { a: [`{"b": ${1}}`] };'],
  ])('offers to end it: %s', (wrong, mended) => {
    expect(find(wrong).mended).toBe(mended);
  });

  const paths = globSync(['examples/**/*.slu', 'benchmarks/programs/*/main.slu'], {
    cwd: `${import.meta.dirname}/../..`,
  });
  it.each(paths)('is found by its line in %s', (path) => {
    const text = readFileSync(`${import.meta.dirname}/../../${path}`, 'utf8');
    const { tokens } = parse(createSourceFile('script.slu', text), new DiagnosticSink());
    const starts: number[] = [];
    for (const { kind, start } of tokens) {
      if (kind === 'template-start') starts.push(start);
      if (kind !== 'template-end' || text.slice(starts.pop(), start).includes('\n')) continue;
      const { said } = find(text.slice(0, start) + text.slice(start + 1));
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(new RegExp(`^E1007 ${text.slice(0, start).split('\n').length}:`));
    }
  });
});
