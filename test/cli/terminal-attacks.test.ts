// Text of modules, scripts, files, logs and plugins that would act on a terminal, or that nobody would see: what the
// command says of it is harmless, wherever it goes. What a script yields is so on a terminal, and as it is in a pipe.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { compile } from '../../src/index.ts';
import { assemble } from '../host/module.ts';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

/** Sets the title, clears the screen in two ways, turns the direction, hides, and separates lines. */
const hostile = '\u001b]0;PWNED\u0007\u001b[2J\u009b2J\u202e\u200b\u2028\u2029\u2066\u00ad\u007f\ufeff\r';
const acting =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
const shown =
  '\\u001b]0;PWNED\\u0007\\u001b[2J\\u009b2J\\u202e\\u200b\\u2028\\u2029\\u2066\\u00ad\\u007f\\ufeff\\u000d';
const inText = Array.from(hostile, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join('');
/** As WebAssembly text and names of files have it. */
const inWat = [...new TextEncoder().encode(hostile)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

function module(name: string, bytes: Uint8Array): string {
  return folder.write(name, bytes);
}

const compiled = await compile(`${hostile}.slu`, 'main(int n) { if (n == 1) throw "x"; }', {});
module('named.wasm', compiled.artifact!.wasm);
module('import.wasm', assemble({ imports: `(import "${inWat}" "x" (func))`, main: '' }));
module('import-name.wasm', assemble({ imports: `(import "sluice" "${inWat}" (func))`, main: '' }));
module('export.wasm', assemble({ functions: `(func (export "${inWat}"))`, main: '' }));
module('version.wasm', assemble({ main: '' }, { abi: hostile as unknown as number }));
module('library.wasm', assemble({ main: '' }, { name: hostile, parameters: null, guards: ['use', 'memory', 'depth'] }));
module(
  'parameter.wasm',
  assemble(
    { main: '' },
    { guards: ['use', 'memory', 'depth'], parameters: [{ name: hostile, type: 'int', required: true }] },
  ),
);
folder.write('throws.slu', `throw "a${inText}b\\n    at forged (x.slu:1:1)";`);
folder.write('values.slu', `yield "a${inText}b"; return "\\tc\\n👨‍👩‍👧 می‌خواهم pay\\u{200d}pal";`);
folder.write('import.slu', `import "${hostile.replace('\r', '')}.slu" as x; yield x.f();`);
folder.write('wrong.slu', `string s = "${hostile.replace('\r', '')}"; int n = s; yield \u202ex;`);
folder.write('plain.slu', 'yield 1;');
folder.write('log.json', JSON.stringify({ format: 'sluice-run-log', version: hostile }));
folder.write('no-log.json', `{${hostile}`);
folder.write('throws.mjs', `throw new Error(${JSON.stringify(hostile)});`);
folder.write(
  'named.mjs',
  `import { defineModule } from 'sluice/plugins'; export default defineModule({ ` +
    `name: ${JSON.stringify(hostile)}, summary: '', functions: [] });`,
);
folder.write(
  'fails.mjs',
  `import { defineModule } from 'sluice/plugins'; export default defineModule({ ` +
    `name: 'Fails', description: 'Fails.', functions: { 'string f()': { description: 'Fails.', call() { ` +
    `throw new Error(${JSON.stringify(hostile)}); } } } });`,
);
folder.write('fails.slu', 'yield Fails.f();');
folder.write(`${hostile}.slu`, 'yield x;');
folder.write(`fine${hostile}.slu`, 'yield 1;');
mkdirSync(join(folder.path, `dir${hostile}`));

describe('a message', () => {
  it.each<[string, readonly string[]]>([
    ['the module that an import of a module names', ['run', 'import.wasm']],
    ['the name of an import', ['run', 'import-name.wasm']],
    ['the name of an export', ['run', 'export.wasm']],
    ['the version of a module', ['run', 'version.wasm']],
    ['the name of a module', ['run', 'library.wasm']],
    ['a file in a stack', ['run', 'named.wasm', '-a', 'n=1']],
    ['a parameter of a module', ['run', 'parameter.wasm']],
    ['an error of a script', ['run', 'throws.slu']],
    ['an imported file', ['check', 'import.slu']],
    ['the text of a script', ['check', 'wrong.slu']],
    ['an imported file, for GitHub', ['check', 'import.slu', '--format', 'github']],
    ['the name of a script', ['run', `${hostile}.slu`]],
    ['the name of a script without a mistake', ['check', `fine${hostile}.slu`]],
    ['the name of a file that is built', ['build', 'plain.slu', '-o', `out${hostile}.wasm`]],
    ['the name of a declaration file', ['types', 'plain.slu', '-o', `out${hostile}.d.ts`]],
    ['a file that is not there', ['run', `missing${hostile}.slu`]],
    ['a directory', ['run', `dir${hostile}`]],
    ['an argument', ['run', 'named.wasm', '-a', `n=${hostile}`]],
    ['the name of an argument', ['run', 'plain.slu', '-a', `${hostile}=1`]],
    ['the file of an argument', ['run', 'named.wasm', '-a', `n=@${hostile}`]],
    ['a command', [hostile]],
    ['an option', ['run', 'plain.slu', `--${hostile}`]],
    ['a value of an option', ['run', 'plain.slu', `--allow-file=${hostile}`]],
    ['a code', ['explain', hostile]],
    ['a log', ['run', 'plain.slu', '--replay', 'log.json']],
    ['what is no log', ['run', 'plain.slu', '--replay', 'no-log.json']],
    ['a plugin that cannot be loaded', ['run', 'plain.slu', '--plugin', 'throws.mjs']],
    ['the name of a plugin', ['run', 'plain.slu', '--plugin', 'named.mjs']],
    ['an error of a plugin', ['run', 'fails.slu', '--plugin', 'fails.mjs']],
  ])('lets nothing act in %s', (_name, words) => {
    const { stdout, stderr } = sluice(words, { folder: folder.path });
    expect(stdout).not.toMatch(acting);
    expect(stderr).not.toMatch(acting);
    expect(stdout + stderr).not.toBe('');
  });

  it("has no line of a script's that looks like one of its own", () => {
    expect(sluice(['run', 'throws.slu'], { folder: folder.path })).toEqual({
      code: 3,
      stdout: '',
      stderr: `Error: a${shown}b\n  |     at forged (x.slu:1:1)\n    at <top level> (throws.slu:1:1)\n`,
    });
  });
});

/** On a terminal of its own, where the system has the command for it. */
function onTerminal(words: readonly string[]): Ended {
  const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
  const command = [process.execPath, entry, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const { status, stdout, stderr } = spawnSync('script', ['-qefc', command, '/dev/null'], {
    encoding: 'utf8',
    input: '',
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: undefined, NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
  });
  return { code: status, stdout: stdout.replaceAll('\r\n', '\n'), stderr };
}

describe('a value', () => {
  const raw = `a${hostile}b\n\tc\n👨‍👩‍👧 می‌خواهم pay\u200dpal\n`;

  it('is as it is in a pipe', () => {
    expect(sluice(['run', 'values.slu'], { folder: folder.path })).toEqual({ code: 0, stdout: raw, stderr: '' });
  });

  it.runIf(process.platform === 'linux')('is shown on a terminal, joined where the writing joins', () => {
    expect(onTerminal(['run', 'values.slu']).stdout.replace(/\t| {8}/, '\t')).toBe(
      `a${shown}b\n\tc\n👨‍👩‍👧 می‌خواهم pay\\u200dpal\n`,
    );
    const lines = onTerminal(['run', 'values.slu', '--format', 'ndjson']).stdout;
    expect(lines.split('\n')[0]).not.toMatch(acting);
    expect(JSON.parse(lines.split('\n')[0]!)).toMatchObject({ yield: { value: `a${hostile}b` } });
  });

  it.runIf(process.platform === 'linux')('is as it is on a terminal with --raw', () => {
    expect(onTerminal(['run', 'values.slu', '--raw']).stdout).toContain(hostile.slice(0, -1));
  });

  it.runIf(process.platform === 'linux')('that a message holds is shown on a terminal all the same', () => {
    const { stdout } = onTerminal(['run', 'throws.slu', '--raw']);
    expect(stdout).not.toMatch(acting);
    expect(stdout).toContain(`Error: a${shown}b\n  |     at forged`);
  });
});
