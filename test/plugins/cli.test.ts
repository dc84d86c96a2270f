// `--plugin` as a user gives it, and the examples of plugins, which are run as their first lines say.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from '../cli/sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const examples = join(import.meta.dirname, '../../examples/plugins');

const plugin = (body: string): string =>
  `import { defineModule } from 'sluice/host';\nexport const plugin = defineModule({ name: 'P', functions: { ` +
  `${body} } });\n`;
folder.write('one.mjs', plugin("'int f(int n)': (n) => n + 1n"));
folder.write('a.slu', 'yield P.f(1);\n');

describe('--plugin', () => {
  it('serves run, bench, check, build and types', () => {
    expect(folder.run('run', 'a.slu', '--plugin', 'one.mjs')).toEqual({ code: 0, stdout: '2\n', stderr: '' });
    expect(folder.run('check', 'a.slu', '--plugin', 'one.mjs')).toMatchObject({ code: 0, stderr: '' });
    expect(folder.run('check', 'a.slu')).toMatchObject({ code: 1 });
    expect(folder.run('build', 'a.slu', '--plugin=one.mjs')).toMatchObject({ code: 0, stderr: '' });
    expect(folder.run('run', 'a.wasm', '--plugin=one.mjs')).toMatchObject({ code: 0, stdout: '2\n' });
    expect(folder.run('run', 'a.wasm')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this module calls f of the plugin P, which is not among its plugins') as string,
    });
    expect(folder.run('types', 'a.slu', '--plugin=one.mjs')).toMatchObject({ code: 0 });
    expect(folder.run('bench', 'a.slu', '--plugin=one.mjs', '--reps', '1')).toMatchObject({ code: 0 });
  });

  it('takes TypeScript, decorators of either language, and what they import', () => {
    folder.write('base.ts', 'export enum Step { One = 1 }\n');
    folder.write(
      'typed.ts',
      "import { ScriptFunction, ScriptModule } from 'sluice/plugins';\nimport { Step } from './base.ts';\n" +
        "@ScriptModule('Typed') export class Typed {\n  @ScriptFunction('int f(int n)') f(n: bigint): bigint { " +
        'return n + BigInt(Step.One); }\n}\n',
    );
    folder.write(
      'plain.js',
      "import { ScriptFunction, ScriptModule } from 'sluice/host';\n@ScriptModule('Plain')\nclass Plain {\n" +
        "  @ScriptFunction('int f(int n)') f(n) { return n + 2n; }\n}\nexport const made = [new Plain()];\n",
    );
    folder.write('package.json', '{ "type": "module" }');
    folder.write('two.slu', 'yield Typed.f(1) + Plain.f(1);\n');
    expect(folder.run('run', 'two.slu', '--plugin', 'typed.ts', '--plugin', 'plain.js')).toEqual({
      code: 0,
      stdout: '5\n',
      stderr: '',
    });
  });

  it('says in a sentence what is wrong with a file', () => {
    folder.write('none.mjs', 'export const x = 1;\n');
    folder.write('broken.mjs', 'export const x = ;\n');
    folder.write('thrown.mjs', "throw new Error('no \\u001b[31m database');\n");
    folder.write('bad.mjs', plugin("'nit f(int n)': (n) => n"));
    folder.write('taken.mjs', plugin("'string upper()': { on: 'string', call: () => '' }"));
    const faulty: readonly (readonly [files: readonly string[], message: string])[] = [
      [['missing.mjs'], 'cannot read missing.mjs: there is no such file'],
      [['none.mjs'], 'none.mjs exports no plugin'],
      [['broken.mjs'], 'cannot load the plugin broken.mjs: '],
      [['thrown.mjs'], 'cannot load the plugin thrown.mjs: no '],
      [['bad.mjs'], 'there is no type nit: did you mean int?'],
      [['taken.mjs'], 'plugin P, upper: string has a method of this name already'],
      [['one.mjs', 'taken.mjs'], 'two plugins are called P'],
    ];
    for (const [files, message] of faulty) {
      const { code, stdout, stderr } = folder.run('run', 'a.slu', ...files.map((file) => `--plugin=${file}`));
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/\u001b|\n +at /);
    }
  });

  it('keeps what was compiled apart by what the plugins declare', () => {
    const run = (file: string): string => {
      const { stdout, stderr } = sluice(['run', 'a.slu', '--plugin', file], {
        folder: folder.path,
        environment: { XDG_CACHE_HOME: join(folder.path, 'cache') },
      });
      return stdout + stderr;
    };
    folder.write('other.mjs', plugin("'double f(double x)': (x) => x / 2"));
    folder.write('same.mjs', plugin("'int f(int n)': (n) => n + 10n"));
    const kept = (): number =>
      readdirSync(join(folder.path, 'cache/sluice')).filter((name) => name.endsWith('.sluice')).length;
    expect([run('one.mjs'), kept()]).toEqual(['2\n', 1]);
    expect([run('other.mjs'), kept()]).toEqual(['0.5\n', 2]);
    expect([run('same.mjs'), kept()]).toEqual(['11\n', 2]);
  });

  it.each(['logged.slu', 'logged.wasm'])('goes with logs: %s', (file) => {
    folder.write(
      'logged.ts',
      `import { writeFileSync } from 'node:fs';
      import { defineModule } from 'sluice/plugins';
      const state: { calls: bigint } = { calls: 0n };
      export const stats = defineModule({ name: 'Stats', functions: {
        'double mean(double[] xs)': (xs: Float64Array) => xs.reduce((sum, x) => sum + x, 0) / xs.length,
        'int next(int n)': (n: bigint) => (writeFileSync('called.txt', ''), n + ++state.calls),
        'string read(string name)': { permission: 'db:read', call: async (name: string) => (writeFileSync('called.txt', ''), name + performance.now()) },
      } });`,
    );
    folder.write(
      'logged.slu',
      'yield Stats.mean([1.0, 2.0]); yield Stats.next(5); yield Stats.read("a"); try { Stats.read("b").length(); ' +
        '} catch (e) { yield e; } yield Math.random();\n',
    );
    expect(folder.run('build', 'logged.slu', '--plugin', 'logged.ts')).toMatchObject({ code: 0 });
    const called = join(folder.path, 'called.txt');
    const first = folder.run('run', file, '--plugin', 'logged.ts', '--allow-plugin=db:read', '--record', 'log.json');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.split('\n').slice(0, 3)).toEqual(['1.5', '6', expect.stringMatching(/^a\d/)]);
    expect(existsSync(called)).toBe(true);
    rmSync(called);
    expect(folder.run('run', file, '--plugin', 'logged.ts', '--replay', 'log.json')).toEqual(first);
    expect(existsSync(called)).toBe(false);
    const denied = folder.run('run', file, '--plugin', 'logged.ts', '--no-prompt', '--record', 'log.json');
    expect(denied).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('SecurityError: Stats.read denied') as string,
    });
    expect(folder.run('run', file, '--plugin', 'logged.ts', '--replay', 'log.json')).toMatchObject({
      code: 3,
      stdout: denied.stdout,
    });
  });

  it('loads esbuild for TypeScript and decorators alone', () => {
    const note = `import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';
      registerHooks({ resolve(name, context, next) { const found = next(name, context); if (/esbuild|load-plugins/.test(found.url)) writeSync(2, found.url + '\\n'); return found; } });`;
    const loadedBy = (...words: string[]): string =>
      sluice(words, {
        folder: folder.path,
        nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(note)}`],
      }).stderr;
    folder.write('plain.slu', 'yield 1;\n');
    expect(loadedBy('run', 'plain.slu')).toBe('');
    expect(loadedBy('run', 'a.slu', '--plugin', 'one.mjs')).not.toContain('esbuild');
    expect(loadedBy('run', 'a.slu', '--plugin', 'one.mjs')).toContain('load-plugins');
  });
});

describe('the examples', () => {
  const first = (name: string): string[] =>
    /sluice run (.*)$/m.exec(readFileSync(join(examples, name), 'utf8'))![1]!.split(' ');

  it('stats.slu sums up', () => {
    expect(sluice(['run', ...first('stats.slu')], { folder: examples })).toEqual({
      code: 0,
      stdout: '6 values, mean 18.0, median 15.5\n32.5\n[1.0,2.0,3.0,4.0,5.0,6.0]\n',
      stderr: '',
    });
  });

  it('birds.slu changes and asks a database, if it may', () => {
    const words = first('birds.slu');
    expect(sluice(['run', ...words], { folder: examples })).toEqual({
      code: 0,
      stdout: 'Gentoo 5076 g\nChinstrap 3733 g\nAdelie 3700 g\n',
      stderr: '',
    });
    const denied = sluice(['run', ...words.slice(0, -1)], { folder: examples });
    expect(denied).toMatchObject({ code: 3, stdout: '' });
    expect(denied.stderr).toContain('SecurityError: Database.change denied');
    expect(denied.stderr).toContain('--allow-plugin=db:change');
  });

  it('database.mjs keeps to its grants', () => {
    folder.write(
      'deny.slu',
      'string[] none = [];\nforeach (string sql in ["SELECT * FROM birds", "DELETE FROM birds", ' +
        '"PRAGMA user_version", "ATTACH \'x\' AS y", "SELECT load_extension(\'x\')", "nonsense"]) {\n' +
        '  try { yield Database.query(sql, none).size(); } catch (PluginError e) { yield e; }\n}\n',
    );
    const { stdout } = folder.run(
      'run',
      'deny.slu',
      '--plugin',
      join(examples, 'database.mjs'),
      '--allow-plugin=db:query',
    );
    expect(stdout).toBe(`2\n${'Database.query failed\n'.repeat(5)}`);
  });

  it('ease.slu calls a library that was built', () => {
    mkdirSync(join(folder.path, 'curves'));
    const built = join(folder.path, 'curves/curves.wasm');
    expect(sluice(['build', 'curves.slu', '-o', built], { folder: examples })).toMatchObject({ code: 0 });
    expect(sluice(['run', 'ease.slu', '--plugin', built], { folder: examples })).toEqual({
      code: 0,
      stdout: '0.0 0.0 0 %\n0.25 0.15625 29 %\n0.5 0.5 50 %\n0.75 0.84375 10 %\n1.0 1.0 0 %\nCurves.bounce failed\n',
      stderr: '',
    });
  });

  it('are all in the list', () => {
    const list = readFileSync(join(examples, '../README.md'), 'utf8');
    for (const name of readdirSync(examples).filter((file) => file.endsWith('.slu')))
      expect(list).toContain(`plugins/${name}`);
  });
});
