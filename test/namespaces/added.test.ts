// A namespace is added by adding its folder: in a copy of the sources with one more, compiler, host and command line
// know it, and no file beside it was touched.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clockFolder, clockProgram } from './clock.ts';

const root = join(import.meta.dirname, '../..');
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-namespace-')));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const folder = 'runtime-host/namespaces/clock';

function node(...words: string[]): { readonly code: number; readonly text: string } {
  try {
    return {
      code: 0,
      text: execFileSync(process.execPath, words, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, text: stdout + stderr };
  }
}

/** Of what is copied: what is linked belongs to all tests, and others may write there. */
function hashes(): ReadonlyMap<string, string> {
  const files = readdirSync(copy, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .flatMap((entry) =>
      entry.isFile() ? [entry] : readdirSync(join(copy, entry.name), { recursive: true, withFileTypes: true }),
    )
    .filter((entry) => entry.isFile());
  return new Map(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [
        path.slice(copy.length + 1).replaceAll('\\', '/'),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  );
}

function addFolder(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(copy, folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

for (const path of ['src', 'runtime-host', 'map', 'tools/generate-namespaces.ts', 'package.json', 'tsconfig.json'])
  cpSync(join(root, path), join(copy, path), { recursive: true });
for (const path of ['node_modules', 'generated']) symlinkSync(join(root, path), join(copy, path), 'junction');

describe('a namespace that is added as a folder', () => {
  it('is refused with what is missing while it is not whole', () => {
    const { 'grant.ts': _grant, 'command-line/policy.ts': _policy, ...part } = clockFolder;
    addFolder(part);
    const { code, text } = node('tools/generate-namespaces.ts');
    expect(code).toBe(1);
    expect(text).toContain(
      `the namespace in ${folder} has requests.ts, and so it needs grant.ts and command-line/policy.ts too`,
    );
    rmSync(join(copy, folder), { recursive: true });
  });

  it('is in the lists of compiler, host and command line, and no other file is another', () => {
    expect(node('tools/generate-namespaces.ts')).toEqual({ code: 0, text: '' });
    const before = hashes();
    addFolder(clockFolder);
    expect(node('tools/generate-namespaces.ts')).toEqual({ code: 0, text: '' });
    const changed = [...hashes()].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
    expect(changed.filter((path) => !path.startsWith(`${folder}/`)).toSorted()).toEqual([
      'runtime-host/namespaces/generated/exports.ts',
      'runtime-host/namespaces/generated/guarded-functions.ts',
      'runtime-host/namespaces/generated/requests.ts',
      'src/cli/permissions/generated/flags.ts',
      'src/cli/permissions/generated/policies.ts',
      'src/library/generated/namespaces.ts',
      'src/library/generated/rows.ts',
    ]);
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    for (const path of changed.filter((each) => !each.startsWith(`${folder}/`)))
      expect(ignored).toContain(`${dirname(path)}/`);
  });

  it('has types of its own for embedders', () => {
    writeFileSync(join(copy, 'program.ts'), clockProgram);
    writeFileSync(
      join(copy, 'tsconfig.program.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['program.ts', 'src/**/generated/*.ts', 'runtime-host', 'map/*.d.ts'],
      }),
    );
    expect(node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.program.json')).toEqual({ code: 0, text: '' });
  });

  it('is compiled, asked for, granted within its constraint, allowed by its flag, and shown', () => {
    const { code, text } = node('program.ts');
    expect(code, text).toBe(0);
    const denied = 'SecurityError: Clock.time denied: the host does not permit it';
    expect(JSON.parse(text)).toEqual({
      ungranted: denied,
      granted: 'noon in UTC',
      unrestricted: 'noon in Europe/Rome',
      outside: 'SecurityError: Clock.time denied: outside allowedZones',
      stumbling: 'SecurityError: Clock.time failed: the host could not do it',
      misread: denied,
      control: 'SecurityError: Clock.time denied: the zone holds a control character',
      byFlag: 'noon in UTC',
      byOtherFlag: denied,
      deniedByFlag: denied,
      byPerson: ['noon in UTC', 'noon in UTC'],
      lines: [
        'denied: Clock.time "UTC" (allow it with --allow-clock=UTC)',
        'denied: Clock.time "UTC" (--deny-clock=UTC)',
      ],
      asked: ['know the time in "UTC"', 'the time in "UTC"'],
      page: [
        '## Clock',
        '',
        "The time elsewhere, each call with the host's permission.",
        '',
        '| Signature | | Example |',
        '|---|---|---|',
        '| `string time(string zone)` | The time in a zone. SecurityError if the host denies it. ' +
          '| `Clock.time("UTC")` is `noon in UTC` |',
        '',
      ],
      help: [
        expect.stringMatching(/^ {2}--allow-clock ZONE +Let it know the time in this zone\.$/) as string,
        expect.stringMatching(/^ {2}--deny-clock\[=ZONE\] +Let it not know/) as string,
      ],
    });
  });

  it('is run by the command', () => {
    writeFileSync(join(copy, 'clock.slu'), 'yield Clock.time("UTC");\n');
    const command =
      'import("./src/cli/main.ts").then(({ main }) => main(process.argv.slice(1))).then((code) => { ' +
      'process.exitCode = code; })';
    expect(node('-e', command, 'run', 'clock.slu', '--no-cache', '--allow-clock=UTC')).toEqual({
      code: 0,
      text: 'noon in UTC\n',
    });
    const { code, text } = node('-e', command, 'run', 'clock.slu', '--no-cache');
    expect(code).toBe(3);
    expect(text).toContain('denied: Clock.time "UTC" (allow it with --allow-clock=UTC)');
  });
});
