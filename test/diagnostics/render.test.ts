// The code frame: what a person sees of a diagnostic.

import { describe, expect, it } from 'vitest';
import type { Diagnostic, Label } from '../../src/diagnostics/diagnostic.ts';
import { escapeControls, escapeForTerminal } from '../../src/diagnostics/display.ts';
import { renderDiagnostic, summarize } from '../../src/diagnostics/render.ts';
import { createSourceFile } from '../../src/source.ts';
import type { SourceFile } from '../../src/source.ts';

/** A diagnostic at the text between the first « and ». */
function diagnosticAt(marked: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const file = createSourceFile('a.slu', marked.replace('«', '').replace('»', ''));
  return {
    code: 'E2012',
    type: 'SemanticError',
    severity: 'error',
    message: 'wrong',
    help: null,
    span: { file, start, end },
    labels: [],
    fix: null,
    ...more,
  };
}

function render(marked: string, more: Partial<Diagnostic> = {}): string[] {
  return renderDiagnostic(diagnosticAt(marked, more)).split('\n');
}

function label(file: SourceFile, text: string, of: string): Label {
  const start = file.text.indexOf(of);
  return { span: { file, start, end: start + of.length }, text };
}

describe('the code frame', () => {
  it('shows message, place, line, mark and help', () => {
    expect(render('int a = 1;\nint b = «"x"»;\n', { help: 'do this' })).toEqual([
      'SemanticError E2012: wrong',
      ' --> a.slu:2:9',
      '  |',
      '2 | int b = "x";',
      '  |         ^^^',
      'help: do this',
    ]);
  });

  it('keeps the mark below wide characters, tabs and control characters', () => {
    expect(render('\tf("日本😀", «x»)')[4]).toBe(`  |${' '.repeat(17)}^`);
    expect(render('s = "\u001b[31m" + «x»;').slice(3)).toEqual(['1 | s = "\\u001b[31m" + x;', `  |${' '.repeat(20)}^`]);
    expect(render('e\u0301 = «y»')[4]).toBe(`  |${' '.repeat(5)}^`);
  });

  it('marks an empty span, and the end of the file, with one sign', () => {
    expect(render('int x = «»')[4]).toBe('  |         ^');
    expect(render('«»')).toEqual(['SemanticError E2012: wrong', ' --> a.slu:1:1', '  |', '1 |', '  | ^']);
    expect(render('a;\n«»').slice(1)).toEqual([' --> a.slu:2:1', '  |', '2 |', '  | ^']);
  });

  it('shows the first and the last line of a long span', () => {
    expect(render('x = «f(\n  1,\n  2,\n  3)»;\n').slice(3)).toEqual([
      '1 | x = f(',
      '  |     ^^',
      '...',
      '4 |   3);',
      '  |   ^^',
    ]);
  });

  it('leaves out line ends of either kind', () => {
    expect(render('int «x»;\r\nint y;\r\n').slice(3)).toEqual(['1 | int x;', '  |     ^']);
  });

  it('shows labels on their lines', () => {
    const diagnostic = diagnosticAt('int x = 1;\n\n\nint «x» = 2;\n');
    const labels = [label(diagnostic.span.file, 'declared here', 'x'), label(diagnostic.span.file, 'again', '2')];
    expect(
      renderDiagnostic({ ...diagnostic, labels })
        .split('\n')
        .slice(1),
    ).toEqual([
      ' --> a.slu:4:5',
      '  |',
      '1 | int x = 1;',
      '  |     - declared here',
      '...',
      '4 | int x = 2;',
      '  |     ^',
      '  |         - again',
    ]);
  });

  it('shows labels in other files', () => {
    const other = createSourceFile('lib.slu', 'void f() {}\n');
    expect(render('«f»(1);', { labels: [label(other, 'declared here', 'f')] }).slice(4)).toEqual([
      '  | ^',
      ' --> lib.slu:1:6',
      '  |',
      '1 | void f() {}',
      '  |      - declared here',
    ]);
  });

  it('cuts a line of a megabyte around the mark', () => {
    const lines = render(`${'a'.repeat(500_000)} «bad» ${'😀'.repeat(250_000)}`);
    expect(lines).toHaveLength(5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(140);
    expect(lines[3]).toContain(' bad ');
    expect(lines[3]!.isWellFormed()).toBe(true);
    expect(lines[4]!.indexOf('^')).toBe(lines[3]!.indexOf('bad'));
    const long = render(`x «${'y'.repeat(1_000_000)}»`, { message: `Unknown name ${'y'.repeat(1_000_000)}` });
    expect(Math.max(...long.map((line) => line.length))).toBeLessThan(600);
  });

  it('colours through a style', () => {
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const style = { error: mark('e'), warning: mark('w'), label: mark('l'), faint: mark('f'), strong: mark('s') };
    const text = renderDiagnostic(diagnosticAt('«x»', { type: 'Warning', code: 'W5001', severity: 'warning' }), style);
    expect(text).toContain('<w>Warning W5001</w>');
    expect(text).toContain('<w>^</w>');
  });
});

describe('summaries', () => {
  it('count', () => {
    const error = diagnosticAt('«»');
    const warning = diagnosticAt('«»', { severity: 'warning' });
    expect(summarize([])).toBe('');
    expect(summarize([error])).toBe('1 error');
    expect(summarize([error, error, warning])).toBe('2 errors, 1 warning');
  });
});

describe('escapes', () => {
  it('show what a terminal would act on', () => {
    expect(escapeControls('a\u001b[2K\n\u009b\u202eb')).toBe('a\\u001b[2K\\u000a\\u009b\\u202eb');
    expect(escapeForTerminal('a\n\t\r\u007f')).toBe('a\n\t\\u000d\\u007f');
  });
});
