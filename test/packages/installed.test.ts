// The packages where they are installed, and nothing of this repository is within reach: the command without a clone
// around it, plugins without esbuild, files that are lost, and the other engines that run Node's entry.

import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runtimes, whyNotInstalled } from '../engines/runtimes.ts';
import { root } from '../../tools/entries.ts';
import { placePackages } from './files.ts';

vi.setConfig({ testTimeout: 60_000 });

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-installed-')));
placePackages(place);
writeFileSync(join(place, 'package.json'), '{ "type": "module" }');

afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, ...words: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: place,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: place, XDG_CACHE_HOME: '/dev/null', NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

const sluice = (...words: readonly string[]): Ended =>
  run(process.execPath, 'node_modules/sluice/bin/sluice.mjs', ...words);

describe('the command', () => {
  it('prints help where there are no examples to run', () => {
    const { status, stdout, stderr } = sluice();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Usage: sluice');
    expect(stdout).not.toContain('an example runs');
  });

  it('runs a script, and a built module in a process', () => {
    writeFileSync(join(place, 'two.slu'), 'main(int n = 2) { yield n; return n * n; }');
    expect(sluice('run', 'two.slu')).toEqual({ status: 0, stdout: '2\n4\n', stderr: '' });
    expect(sluice('build', 'two.slu', '-o', 'two.wasm')).toMatchObject({ status: 0 });
    expect(sluice('run', 'two.wasm', '-a', 'n=3')).toEqual({ status: 0, stdout: '3\n9\n', stderr: '' });
  });
});

describe('sluice map', () => {
  writeFileSync(join(place, 'same.slu'), 'type Row { int id; }\nexport Row map(int id) { return { id: id }; }');
  writeFileSync(join(place, 'rows.csv'), 'id\n1\n');
  const words = ['map', 'same.slu', '--input', 'rows.csv', '-o', 'out'];

  it('says what to install without its package', () => {
    const [from, aside] = ['node_modules/sluice-map', 'sluice-map'].map((path) => join(place, path));
    renameSync(from!, aside!);
    try {
      expect(sluice(...words)).toEqual({
        status: 2,
        stdout: '',
        stderr: 'sluice: sluice map is a package of its own, which is not installed: npm install sluice-map\n',
      });
    } finally {
      renameSync(aside!, from!);
    }
  });

  it('says what its package lacks', () => {
    const { status, stderr } = sluice(...words);
    expect(stderr).toMatch(
      /^sluice: the package sluice-map is installed, but cannot be loaded: Cannot find package '[^']+'.*\n$/,
    );
    expect(status).toBe(2);
    expect(existsSync(join(place, 'out'))).toBe(false);
  });

  it('gives scripts what flags allow, plugins, and arguments of other copies of the host', () => {
    for (const name of ['@duckdb', 'cli-progress', 'piscina'])
      symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
    writeFileSync(
      join(place, 'reaching.slu'),
      'type Row { int id; string text; json extra; }\nexport Row map(int id, json extra) {\n' +
        '  return { id: Items.twice(id), text: File.read("rows.csv"), extra: extra };\n}',
    );
    writeFileSync(
      join(place, 'items.mjs'),
      "import { defineModule } from 'sluice/plugins';\nexport const plugin = defineModule({ name: 'Items', " +
        "functions: { 'int twice(int id)': (id) => id * 2n } });\n",
    );
    const written = '{"id":2,"text":"id\\n1\\n","extra":{"a":5.0,"b":5}}\n';
    const words =
      'map reaching.slu --input rows.csv -o by-command --format ndjson --allow-file-read=. --plugin=items.mjs';
    expect(sluice(...words.split(' '), '-a', 'extra={"a":5.0,"b":5}')).toMatchObject({ status: 0 });
    expect(readFileSync(join(place, 'by-command/part-00000.ndjson'), 'utf8')).toBe(written);
    writeFileSync(
      join(place, 'reaching.mjs'),
      `import { planMap, runMap } from 'sluice-map';
       import { JsonDouble } from 'sluice/host';
       const plan = await planMap({
         script: 'reaching.slu', input: 'rows.csv', output: 'by-program', format: 'ndjson',
         arguments: { extra: { a: new JsonDouble(5), b: 5n } },
         permissions: { 'allow-file-read': '.' }, plugins: ['items.mjs'],
       });
       for await (const progress of runMap(plan));`,
    );
    expect(run(process.execPath, 'reaching.mjs')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(place, 'by-program/part-00000.ndjson'), 'utf8')).toBe(written);
  });
});

describe('a plugin in TypeScript, without esbuild', () => {
  const defined = (before: string, body: string): string =>
    `import { defineModule } from 'sluice/plugins';\n${before}\nexport const plugin = defineModule({ ` +
    `name: 'P', functions: { 'int f(int n)': ${body} } });\n`;
  writeFileSync(join(place, 'calls.slu'), 'return P.f(20);');

  it('loses its types', () => {
    writeFileSync(join(place, 'typed.ts'), defined('type Count = bigint;', '(n: Count): Count => n * 2n + 2n'));
    expect(sluice('run', 'calls.slu', '--plugin', 'typed.ts')).toEqual({ status: 0, stdout: '42\n', stderr: '' });
  });

  it.each([
    ['an enum', 'enum Step { One = 1 }', '(n: bigint) => n + BigInt(Step.One)'],
    ['a decorator', 'const keep = <T>(kept: T): T => kept;\n@keep\nclass Kept {}', '(n: bigint) => n'],
  ])('is told what lowers %s', (_what, before, body) => {
    writeFileSync(join(place, 'lowered.ts'), defined(before, body));
    const { status, stderr } = sluice('run', 'calls.slu', '--plugin', 'lowered.ts');
    expect(status).toBe(2);
    expect(stderr).toContain('npm install esbuild, with which Sluice lowers them');
    expect(stderr).not.toContain('    at ');
  });
});

describe('a file that is lost', () => {
  const program = `import { compile } from 'sluice';
    const name = process.argv[2];
    const tried = async (options) => compile('x.slu', 'return 1;', options).then(({ artifact }) => console.log(artifact.wasm.length > 0), (error) => console.log(error.message));
    await tried({});
    await tried({ wasmUrl: new URL(name, import.meta.url) });
    await tried({});`;

  it('is named, with the option that says where it is, which may then be given', () => {
    const [own, other] = [join(place, 'node_modules/sluice/dist/binaryen.wasm'), join(place, 'elsewhere.wasm')];
    writeFileSync(join(place, 'tries.js'), program);
    renameSync(own, other);
    try {
      const lines = run(process.execPath, 'tries.js', 'elsewhere.wasm').stdout.split('\n');
      expect(lines).toEqual([
        expect.stringMatching(
          /^the compiler cannot load its file binaryen\.wasm, at file:.*: there is no such file\. .* wasmUrl$/,
        ) as string,
        'true',
        'true',
        '',
      ]);
      expect(run(process.execPath, 'tries.js', 'package.json').stdout).toContain(
        'package.json: what is there is no WebAssembly',
      );
    } finally {
      renameSync(other, own);
    }
  });
});

describe.each(runtimes)('$name', (runtime) => {
  it('runs the packages, in workers too', () => {
    const why = whyNotInstalled(runtime);
    if (why !== null) throw new Error(why);
    writeFileSync(
      join(place, 'squares.js'),
      `import { compile } from 'sluice';
      import { loadScript } from 'sluice-host';
      const { artifact } = await compile('squares.slu', 'main(int n) { yield n; return n * n; }');
      for (const isolation of ['none', 'worker']) {
        const script = await loadScript(artifact.wasm, { isolation, limits: { timeMs: 20_000 } });
        console.log(isolation, String(await script.run({ n: 12 }).result));
      }
      process.exit(0);`,
    );
    expect(run(runtime.program!, ...runtime.arguments, 'squares.js')).toMatchObject({
      status: 0,
      stdout: 'none 144\nworker 144\n',
    });
  });
});

describe('Bun', () => {
  it('waits for a worker that starts late, without a word', () => {
    const bun = runtimes.find(({ name }) => name === 'Bun')!;
    const why = whyNotInstalled(bun);
    if (why !== null) throw new Error(why);
    writeFileSync(
      join(place, 'late-worker.js'),
      "const file = new URL('node_modules/sluice-host/dist/node/worker-main.js', import.meta.url);\n" +
        'setTimeout(() => void import(file), 1200);',
    );
    writeFileSync(
      join(place, 'late.js'),
      `import { compile } from 'sluice';
      import { loadScript } from 'sluice-host';
      const { artifact } = await compile('late.slu', 'return 1;');
      const workerUrl = new URL('late-worker.js', import.meta.url);
      const script = await loadScript(artifact.wasm, { isolation: 'worker', workerUrl });
      console.log(String(await script.run().result));
      process.exit(0);`,
    );
    expect(run(bun.program!, ...bun.arguments, 'late.js')).toEqual({ status: 0, stdout: '1\n', stderr: '' });
  });
});
