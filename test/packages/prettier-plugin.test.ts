// The plugin for Prettier, taken from the packed packages by the real Prettier: files, Markdown, options, mistakes.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Plugin } from 'prettier';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as plugin from '../../prettier-plugin/index.ts';
import { format } from '../../src/format.ts';
import { root } from '../../tools/entries.ts';
import { packAll } from './registry.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-prettier-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  for (const { name, path } of packAll(folder)) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(place, { recursive: true });
    execFileSync('tar', ['-xzf', path, '-C', place, '--strip-components=1']);
  }
  symlinkSync(join(root, 'node_modules/prettier'), join(folder, 'node_modules/prettier'), 'junction');
  write('.prettierrc', '{ "plugins": ["prettier-plugin-sluice"] }');
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** What Prettier makes of a file. */
function prettier(name: string, text: string, ...options: readonly string[]): string {
  write(name, text);
  const program = join(folder, 'node_modules/prettier/bin/prettier.cjs');
  const ended = spawnSync(process.execPath, [program, '--write', name, ...options], { cwd: folder, encoding: 'utf8' });
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  return readFileSync(join(folder, name), 'utf8');
}

const ugly =
  'main( int  n=1 ){\n    int[] xs=[n];   // why\n    yield `a  ${ n }  \n   b\n`;\n' +
  '    yield "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" + n;\n}\n';

describe('a script', () => {
  it('comes out as sluice fmt has it', () => {
    expect(prettier('a.slu', ugly)).toBe(format(ugly).text);
    expect(prettier('a.slu', format(ugly).text)).toBe(format(ugly).text);
  });

  it('follows the options of the page', () => {
    const options = ['--print-width=60', '--tab-width=4', '--end-of-line=crlf'];
    expect(prettier('b.slu', ugly, ...options)).toBe(
      format(ugly, { maxLineLength: 60, indentSize: 4, endOfLine: 'crlf' }).text,
    );
    expect(prettier('c.slu', ugly, '--use-tabs')).toBe(format(ugly, { indentStyle: 'tab' }).text);
  });

  it('follows .editorconfig', () => {
    write('wide/.editorconfig', 'root = true\n[*]\nindent_size = 3\nmax_line_length = 70\n');
    expect(prettier('wide/a.slu', ugly)).toBe(format(ugly, { indentSize: 3, maxLineLength: 70 }).text);
  });

  it('stays where it does not parse', () => {
    expect(prettier('d.slu', 'int x = = 1;\n')).toBe('int x = = 1;\n');
    expect(prettier('e.slu', '')).toBe('');
  });
});

describe('in Markdown', () => {
  it('fences come out formatted, and mean the same in lists', () => {
    const script = 'yield   `a\n  b`;\nif(x){\ny( );\n}\n';
    const fair = 'yield `a\n  b`;\nif (x) {\n  y();\n}\n';
    const fence = (text: string): string => `\`\`\`sluice\n${text}\`\`\`\n`;
    const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
    const page = (text: string): string => `# A\n\n${fence(text)}\n- one\n\n${indented(fence(text))}`;
    expect(prettier('page.md', page(script))).toBe(page(fair));
  });

  it('words behind the language stay', () => {
    expect(prettier('words.md', '```sluice error\nyield  1;\n```\n')).toBe('```sluice error\nyield 1;\n```\n');
  });
});

describe('other languages', () => {
  it('keep the options that they have', () => {
    const code = `call(${'aaaaaaaaaaaaaaa, '.repeat(5)}b);\n`;
    expect(code.length).toBeLessThan(100);
    expect(prettier('a.js', code).split('\n').length).toBeGreaterThan(3);
  });
});

it('is a plugin by its types', () => {
  const typed: Plugin = plugin;
  expect(Object.keys(typed).toSorted()).toEqual(['defaultOptions', 'languages', 'parsers', 'printers']);
});
