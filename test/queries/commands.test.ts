// The commands that answer from the terminal: `sluice find` and `sluice permissions`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
