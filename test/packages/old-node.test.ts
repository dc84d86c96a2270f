// What a Node that is too old says of the packages, however it comes upon them: one sentence, and nothing of them has
// run.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { entries, reExports, root } from '../../tools/entries.ts';
import { placePackages } from './files.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-old-node-')));
placePackages(place);
// What bundlers load, and what reads tables, stand on packages of others.
mkdirSync(join(place, 'node_modules/@duckdb'));
for (const name of ['unplugin', '@duckdb/node-bindings', 'cli-progress', 'piscina'])
  symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name), 'junction');

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Older ones that are installed here, and this one under the name of one. */
const pretend = join(place, 'pretend.mjs');
writeFileSync(
  pretend,
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.19.9' } });\n",
);
const nodes = [
  { version: '24.19.9', command: [process.execPath, '--import', `file://${pretend}`] },
  ...['node-18', 'node-20']
    .map((name) => join(import.meta.dirname, 'node_modules', name, 'bin/node'))
    .filter((path) => existsSync(path))
    .map((path) => ({
      version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1),
      command: [path],
    })),
];

/** What Node never loads, however new it is, is for browsers alone. */
const ofBrowsers: readonly string[] = ['sluice/language-server/worker'];

const specifiers = [...entries, ...reExports]
  .filter(({ subpath }) => subpath !== null)
  .map(({ package: name, subpath }) => name + subpath!.slice(1))
  .filter((name, at, all) => all.indexOf(name) === at && !ofBrowsers.includes(name));

describe.each(nodes)('Node $version', ({ version, command: [program, ...before] }) => {
  const run = (
    ...words: string[]
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
    spawnSync(program!, [...before, ...words], { cwd: place, encoding: 'utf8' });
  const sentence =
    `Sluice needs Node 24.20 or newer, and this is Node ${version}: ` + 'install a newer Node from https://nodejs.org';

  it.each(specifiers)('says so of %s', (specifier) => {
    writeFileSync(
      join(place, 'caught.mjs'),
      `await import('${specifier}').then(() => console.log('it was loaded'), (error) => console.log(error.message));\n`,
    );
    expect(run('caught.mjs')).toMatchObject({ status: 0, stdout: `${sentence}\n` });
    writeFileSync(join(place, 'imported.mjs'), `import '${specifier}';\nconsole.log('it was loaded');\n`);
    const { status, stdout, stderr } = run('imported.mjs');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });

  it('says so of the command', () => {
    const { status, stdout, stderr } = run('node_modules/sluice/bin/sluice.mjs', '--help');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^sluice needs Node 24\.20 or newer, and this is Node [\d.]+: .*\n$/);
  });
});
