// Which code a `// →` comment is about, and how comments are rewritten.

import { describe, expect, it } from 'vitest';
import { parse } from '../../src/1-parse/parse.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';
import { readExpectations } from '../../src/testing/expectations.ts';
import type { Event } from '../../src/testing/notation.ts';
import { findTests } from '../../src/testing/tests.ts';
import { updateComments } from '../../src/testing/update.ts';

const read = (text: string, name = 'a.slu'): ReturnType<typeof parse> =>
  parse(createSourceFile(name, text), new DiagnosticSink());

const about = (text: string): [number, number, string[]][] =>
  readExpectations(read(text)).map(({ firstLine, lastLine, events }) => [
    firstLine,
    lastLine,
    events.map((event) => (event.kind === 'value' ? event.text : event.type)),
  ]);

describe('a comment', () => {
  it('is about its line', () => {
    expect(about('yield 1; // → 1\nyield 2;\nyield 3; // → 3\n')).toEqual([
      [1, 1, ['1']],
      [3, 3, ['3']],
    ]);
  });

  it('is about the statement that ends on its line', () => {
    expect(about('yield [\n  1,\n  2,\n]; // → [1,2]\n')).toEqual([[1, 4, ['[1,2]']]]);
    expect(about('if (true) {\n  yield 1;\n} // → 2\n')).toEqual([[3, 3, ['2']]]);
  });

  it('that stands alone is about the nearest code above, one after another', () => {
    expect(about('yield 1;\n\n// → 1\n// a word\n// → 2\nyield 3; // → 3\n// → 4')).toEqual([
      [1, 1, ['1', '2']],
      [6, 6, ['3', '4']],
    ]);
  });

  it('in front of all code is about its own line', () => {
    expect(about('// → 1\nyield 1;\n')).toEqual([[1, 1, ['1']]]);
  });

  it('in a text or another comment is none', () => {
    expect(about('yield "// → 1";\n/* // → 1 */\nyield `\n// → 2\n`;\n')).toEqual([]);
  });
});

describe('the tests of a file', () => {
  const names = (text: string, name?: string): string[] => findTests(read(text, name)).map((test) => test.name);

  it('are exported functions without parameters in a test file', () => {
    const text = 'export void a() {}\nexport int b(int n) { return n; }\nvoid c() {}\nexport int d() { return 1; }\n';
    expect(names(text, 'x.test.slu')).toEqual(['a', 'd']);
    expect(names(text, 'x.slu')).toEqual([]);
  });

  it('are the run of a script, in either form', () => {
    expect(names('int n = 1;\nyield n;')).toEqual(['main']);
    expect(names('int n = 1;\nmain() { yield n; }')).toEqual(['main']);
    expect(names('int n = 1;\nint f() { return n; }')).toEqual([]);
    expect(names('export void a() {}\nyield 1;\nexport void b() {}', 'x.test.slu')).toEqual(['a', 'main', 'b']);
  });
});

describe('rewriting', () => {
  const rewrite = (text: string, ...seen: string[][]): string => {
    const file = read(text);
    const events = (texts: string[]): Event[] => texts.map((one) => ({ kind: 'value', text: one }));
    return updateComments(file.source, new Map(readExpectations(file).map((one, at) => [one, events(seen[at]!)]))).text;
  };

  it('leaves all else as it is', () => {
    expect(rewrite('yield 1;   // → 2 \nyield 2; // → 2\n', ['1'], ['2'])).toBe('yield 1;   // → 1\nyield 2; // → 2\n');
    expect(rewrite('yield 1; // -> \r\nyield 2;\r\n', ['1'])).toBe('yield 1; // → 1\r\nyield 2;\r\n');
  });

  it('keeps several comments several', () => {
    expect(rewrite('  yield 1;\n  // → 1\n  // → 2\n  yield 2;\n', ['a', 'b', 'c'])).toBe(
      '  yield 1;\n  // → a\n  // → b\n  // → c\n  yield 2;\n',
    );
    expect(rewrite('yield 1; // → 1\n// → 2\n// → 3', ['a'])).toBe('yield 1; // → a');
    expect(rewrite('yield 1;\r\n// → 1\r\n// → 2\r\n', ['a', 'b'])).toBe('yield 1;\r\n// → a\r\n// → b\r\n');
    expect(rewrite('yield 1;\n// → 1\n// → 2\n', [])).toBe('yield 1;\n// →\n');
  });
});
