// The sources pass the linter, the formatter and the check of their lines, as `npm run lint` has them: in some seconds.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

function run(tool: string, ...given: readonly string[]): { readonly code: number | null; readonly output: string } {
  const path = join(root, 'node_modules', tool);
  const ended = spawnSync(process.execPath, [path, ...given], { cwd: root, encoding: 'utf8' });
  return { code: ended.status, output: ended.stdout + ended.stderr };
}

describe('the sources', () => {
  it('pass the linter: what types show, it sees too', { timeout: 120_000 }, () => {
    const { code, output } = run('oxlint/bin/oxlint', '--format=unix');
    expect(code, output).toBe(0);
  });

  it('are formatted: `npm run format` does it', { timeout: 60_000 }, () => {
    const { code, output } = run('oxfmt/bin/oxfmt', '--check', '.');
    expect(code, output).toBe(0);
  });
});
