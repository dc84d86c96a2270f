// The commands that answer from the terminal: `sluice find` and `sluice permissions`.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { findCommand } from '../../src/cli/find.ts';
import { permissionsCommand } from '../../src/cli/list-permissions.ts';
import { stdout } from '../../src/cli/output.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-find-'));
const path = join(folder, 'a.slu');
writeFileSync(path, 'int f(int n) { return n; }\nmain() { yield f(1); yield File.read("data/a.txt"); }\n');
afterAll(() => rmSync(folder, { recursive: true }));

async function said(
  command: typeof findCommand,
  operands: readonly string[],
  format: string,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const spy = vi.spyOn(stdout, 'line').mockImplementation((text) => void lines.push(text.replaceAll(path, 'a.slu')));
  try {
    const values = new Map([['format', [format]]]);
    const code = await command({ operand: operands[0] ?? '', operands, switches: new Set(), values });
    return { code, lines };
  } finally {
    spy.mockRestore();
  }
}

it('finds references by name and definitions by place', async () => {
  const found = await said(findCommand, ['references', path, 'f'], 'text');
  expect(found.code).toBe(0);
  expect(found.lines.map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
    'a.slu:1:5 declaration',
    'a.slu:2:16 call',
  ]);
  const { lines } = await said(findCommand, ['definition', `${path}:2:16`], 'json');
  expect(JSON.parse(lines[0]!)).toMatchObject({ found: [{ line: 1, column: 5, kind: 'declaration' }] });
  expect((await said(findCommand, ['references', path, 'unknown'], 'text')).code).toBe(1);
});

it('finds references in the scripts beside a file that import it, and below', async () => {
  const beside = mkdtempSync(join(tmpdir(), 'sluice-find-beside-'));
  try {
    const write = (name: string, text: string): void => writeFileSync(join(beside, name), text);
    mkdirSync(join(beside, 'below'));
    write('lib.slu', 'int f(int n) { return n; }\n');
    write('a.slu', 'import "lib.slu" as lib;\nyield lib.f(1);\n');
    write('below/b.slu', 'import "../lib.slu" as lib;\nmain() { return lib.f(2); }\n');
    write('broken.slu', 'import "lib.slu" as lib\nyield (;\n');
    write('other.slu', 'int f(int n) { return n; }\nyield f(3);\n');
    const { lines } = await said(findCommand, ['references', `${join(beside, 'lib.slu')}:1:5`], 'json');
    const { found } = JSON.parse(lines[0]!) as { readonly found: readonly { readonly file: string }[] };
    expect(found.map(({ file }) => file.slice(beside.length + 1))).toEqual(['a.slu', 'below/b.slu', 'lib.slu']);
  } finally {
    rmSync(beside, { recursive: true });
  }
});

it('refuses what asks nothing', async () => {
  await expect(said(findCommand, ['uses', path], 'text')).rejects.toThrow(/is not references or definition/);
  await expect(said(findCommand, ['references', path], 'text')).rejects.toThrow(/is no place/);
  await expect(said(findCommand, ['references', `${path}:99:1`], 'text')).rejects.toThrow(/lines/);
});

it('says what functions ask for', async () => {
  const { code, lines } = await said(permissionsCommand, [path], 'text');
  expect(code).toBe(0);
  expect(lines).toEqual(['main', '  --allow-file-read=data  File.read at a.slu:2:28']);
});
