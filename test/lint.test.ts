// The sources pass the linter, the formatter and the check of their lines, as `npm run lint` has them: in some seconds.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLongLines, longestLine, ownSources } from '../tools/check-line-lengths.ts';

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

  it('have no long lines', () => {
    const lines = ownSources().flatMap((path) =>
      findLongLines(path, readFileSync(join(root, path), 'utf8')).map((line) => ({ path, ...line })),
    );
    expect(lines.filter(({ isExcused }) => !isExcused)).toEqual([]);
    // Those that a literal excuses stay few.
    expect(lines.length).toBeLessThanOrEqual(150);
  });
});

describe('a long line', () => {
  const x = 'x'.repeat(longestLine);
  it.each([
    ['code', `const a = ${'1 + '.repeat(40)}1;`, false],
    ['a comment', `// ${x}`, false],
    ['a text', `const a = '${x}';`, false],
    ['a text in backticks', `const a = \`${x}\`;`, false],
    ['two texts with values, neither of them long', `const a = [${'`${b} and more`, '.repeat(10)}];`, false],
    ['a regular expression', `const a = /${x}/;`, true],
    ['a text with a value', `const a = \`${x}\${b}\`;`, true],
    ['a text with a value, and a blank in it', `const a = \`${x.slice(50)} \${b}${x}\`;`, false],
    ['a text of several lines', `const a = \`\n${x}x\n\`;`, true],
    ['a name', `const a = { '${x}': 1 };`, true],
  ])('of %s', (_, text, isExcused) => {
    expect(findLongLines('a.ts', `\n${text}\n`)).toMatchObject([{ isExcused }]);
  });

  it('is counted by characters', () => {
    expect(findLongLines('a.ts', `// ${'😀'.repeat(longestLine - 3)}`)).toEqual([]);
  });
});
