// Hovers, outlines and comments that document.

import { describe, expect, it } from 'vitest';
import { hoverAt, symbolsOf, workspaceSymbols } from '../../src/queries/index.ts';
import type { DocumentSymbol } from '../../src/queries/index.ts';
import { ask, place } from './cursor.ts';

function hover(script: string, others: Readonly<Record<string, string>> = {}): string | null {
  const { analysis, file, offset } = ask(script, others);
  return hoverAt(analysis, file, offset)?.markdown ?? null;
}

const code = (text: string): string => `\`\`\`sluice\n${text}\n\`\`\``;

describe('hover', () => {
  it.each<readonly [string, string, string]>([
    ['a variable', 'const int x = 1;\nyield §x;', 'const int x'],
    ['a function', 'int f(int a,\n  int b = 2) { return a + b; }\nyield §f(1);', 'int f(int a, int b = 2)'],
    ['main', '§main(int n = 1) { yield n; }', 'main(int n = 1)'],
    [
      'a type with its fields',
      'type P { int a; P? next; }\n§P p = null;\nyield p;',
      'type P {\n  int a;\n  P? next;\n}',
    ],
    ['a field', 'type P { int a; }\nP p = { a: 1 };\nyield p.§a;', 'int P.a'],
    ['a parameter', 'int f(int ...xs[]) { return §xs.length(); }\nyield f(1);', 'int ...xs[]'],
    ['a method of the library', 'yield "a".§upper();', 'string string.upper()'],
    ['a constant of the library', 'yield Math.§PI;', 'double Math.PI'],
    ['an error type', 'try { yield 1; } catch (§CastError e) { yield e; }', 'error CastError'],
  ])('%s', (_, script, shown) => {
    expect(hover(script)).toContain(code(shown));
  });

  it('shows the documentation of the library, and what a function asks for', () => {
    expect(hover('yield File.§read("a");')).toMatch(/Asks for `File.Read`\./);
    expect(hover('yield "abc".§length();')).toMatch(/\/\/ \d/);
  });

  it('says what the type variable stands for', () => {
    expect(hover('int[] xs = [1];\nxs.§push(2);\nyield xs;')).toContain('void int[].push(int item)');
  });

  it.each<readonly [string, string, string | null]>([
    [
      'lines above',
      '// Adds one.\n// And no more.\nint f(int a) { return a + 1; }\nyield §f(1);',
      'Adds one.\nAnd no more.',
    ],
    ['a block above', '/*\n * Adds one.\n */\nint f(int a) { return a + 1; }\nyield §f(1);', 'Adds one.'],
    ['behind a variable', 'int n = 3; // How many.\nyield §n;', 'How many.'],
    [
      'behind a field',
      'type P {\n  int a; // The first.\n  int b; // The second.\n}\nP p = { §a: 1, b: 2 };\nyield p;',
      'The first.',
    ],
    ['an empty line between', '// Not this.\n\nint f(int a) { return a + 1; }\nyield §f(1);', null],
    ['behind other code', 'int m = 1; // Not this.\nint n = 2;\nyield §n + m;', null],
  ])('documentation: %s', (_, script, text) => {
    const shown = hover(script)!
      .split('\n\n')
      .slice(1)
      .filter((part) => !part.startsWith('*'));
    expect(shown).toEqual(text === null ? [] : [text]);
  });

  it('shows how an imported file begins', () => {
    const lib = '// Distances.\n// In metres.\n\nint far() { return 1; }\n';
    expect(hover('import "lib.slu" as §lib;\nyield lib.far();', { 'lib.slu': lib })).toContain(
      'Distances.\nIn metres.',
    );
    expect(hover('import "lib.slu" as lib;\nyield lib.§far();', { 'lib.slu': lib })).toContain('`lib.slu`');
  });
});

function outline(symbols: readonly DocumentSymbol[]): string[] {
  return symbols.flatMap(({ kind, name, detail, children }) => [
    `${kind} ${name}${detail === null ? '' : `: ${detail}`}`,
    ...outline(children).map((line) => `  ${line}`),
  ]);
}

describe('symbols', () => {
  const script = `import "lib.slu" as lib;
type P { int a; string b; }
const int most = 3, least = 1;
export int f(int a) { int inner = a; return inner; }
main() { yield f(most) + least + lib.far(); }
`;
  const lib = 'int far() { return 1; }\n';

  it('of a file', () => {
    const { analysis } = ask(script, { 'lib.slu': lib });
    expect(outline(symbolsOf(analysis, 'main.slu'))).toEqual([
      'import lib: lib.slu',
      'type P',
      '  field a: int',
      '  field b: string',
      'constant most: int',
      'constant least: int',
      'function f: export int f(int a)',
      'main main: main()',
    ]);
  });

  it('of all files, the closest first', () => {
    const { analysis } = ask(script, { 'lib.slu': lib });
    const found = (query: string): string[] => workspaceSymbols([analysis], query).map(({ span }) => place(span));
    expect(found('f')).toEqual(['4: f', 'lib.slu 1: far']);
    expect(found('mst')).toEqual(['3: most']);
    expect(found('')).toHaveLength(8);
    expect(found('zzz')).toEqual([]);
  });
});
