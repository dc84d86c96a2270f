// `build`, `check`, `bench`, and the start without a command.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write(
  'sum.slu',
  'main(int n = 3) {\n  int sum = 0;\n  for (int i = 1; i <= n; i++) sum += i;\n  return sum;\n}\n',
);
folder.write('broken.slu', 'int x = "a";\n');
folder.write('unused.slu', 'int f() {\n  int unused = 1;\n  return 2;\n}\nyield f();\n');

describe('build', () => {
  it('takes the name of its output behind an equals sign too', () => {
    folder.write('equals.slu', 'return 1;');
    expect(folder.run('build', 'equals.slu', '-o=equals.wasm').stdout).toContain('equals.wasm');
    expect(folder.run('run', 'equals.wasm').stdout).toBe('1\n');
  });

  it('writes a module that is complete by itself', async () => {
    const { code, stdout, stderr } = folder.run('build', 'sum.slu');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^sum\.wasm: \d+ bytes\n$/);
    const script = await loadScript(join(folder.path, 'sum.wasm'));
    expect(await script.run({ n: 4 }).result).toBe(10n);
  });

  it('writes a source map and the text of the module', () => {
    expect(folder.run('build', 'sum.slu', '-o', 'out.wasm', '--source-map', '--wat').code).toBe(0);
    const map = JSON.parse(readFileSync(join(folder.path, 'out.wasm.map'), 'utf8')) as {
      version: number;
      sources: string[];
      sourcesContent: string[];
    };
    expect(map).toMatchObject({ version: 3, sources: ['sum.slu'] });
    expect(map.sourcesContent[0]).toContain('int sum = 0;');
    expect(readFileSync(join(folder.path, 'out.wat'), 'utf8')).toMatch(/^\(module/);
    const module = new WebAssembly.Module(readFileSync(join(folder.path, 'out.wasm')), {
      builtins: ['js-string'],
      importedStringConstants: "'",
    });
    const [section] = WebAssembly.Module.customSections(module, 'sourceMappingURL');
    expect(new TextDecoder().decode(section).slice(1)).toBe('out.wasm.map');
  });

  it('writes nothing for a script with errors', () => {
    const { code, stderr } = folder.run('build', 'broken.slu', '-o', 'broken.wasm');
    expect(code).toBe(1);
    expect(stderr).toContain('broken.slu:1:9');
    expect(existsSync(join(folder.path, 'broken.wasm'))).toBe(false);
  });

  it('writes into a device as it is', () => {
    expect(folder.run('build', 'sum.slu', '-o', '/dev/null').code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('build for who works on the compiler', () => {
  it('prints what a pass made of the script, and builds it', () => {
    const { code, stdout, stderr } = folder.run('build', 'sum.slu', '-o', 'mir.wasm', '--print-mir=lower');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'void main(int n = 3) {\n  locals int sum, int i\n  sum = 0\n  i = 1\n  loop 1 while (i <= n)\n' +
        '    sum = (sum + i)\n  step\n    i = (i + 1)\n  finish sum\n}\n',
    });
    expect(stderr).toMatch(/^mir\.wasm: \d+ bytes\n$/);
  });

  it('prints what all passes made of it, or all but those that are left out', () => {
    const entries = (...options: string[]): boolean =>
      folder.run('build', 'sum.slu', '-o', 'mir.wasm', '--print-mir', ...options).stdout.includes('#osr entry');
    expect([entries(), entries('--without-pass', 'osr-entries')]).toEqual([true, false]);
  });

  it('asserts what passes took to be in range', () => {
    folder.write('all.slu', 'int[] a = [1, 2, 3];\nint sum = 0;\nforeach (int x in a) sum += x;\nreturn sum;\n');
    const accesses = (...options: string[]): string =>
      folder.run('build', 'all.slu', '-o', 'all.wasm', '--print-mir', ...options).stdout;
    expect(accesses()).toMatch(/\] unchecked/);
    expect(accesses('--assert-bounds')).not.toMatch(/\] unchecked/);
    expect(accesses('--assert-bounds')).toMatch(/\] asserted/);
    expect(folder.run('run', 'all.wasm').stdout).toBe('6\n');
  });

  it.each([
    [['--print-mir=osr-entrys'], /no pass osr-entrys \(did you mean osr-entries\?\); the passes are lower, depth, /],
    [['--without-pass', 'xyz'], /no pass xyz; the passes are depth, global-constant-propagation, /],
    [['--without-pass', 'fuel'], /cannot leave out fuel: no module is right without it/],
    [['--print-mir=nullness', '--without-pass', 'nullness'], /cannot print what nullness makes/],
  ])('refuses %j', (options, message) => {
    const { code, stderr } = folder.run('build', 'sum.slu', '-o', 'refused.wasm', ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(join(folder.path, 'refused.wasm'))).toBe(false);
  });
});

describe('build --explain-loops', () => {
  const script =
    'double[][] b = new double[9][9];\nb[0] = [1.0];\n' +
    'for (int i = 0; i < 9; i++)\n  for (int k = 0; k < 9; k++) b[i][0] = b[k][i];\nyield b;\n';

  it('says of each loop what was done, what was not, and why, and builds', () => {
    folder.write('loops.slu', script);
    const { code, stdout, stderr } = folder.run('build', 'loops.slu', '--explain-loops');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'In <top level>:\n  3:1 for (int i = 0; i < 9; i++)\n' +
        "    slow: works on one of its iterations at a time, since rows of 'b' may differ in length, " +
        "or be the same: a row of 'b' is stored at 2:1\n" +
        '      help: Make the matrix with new double[n][m], and set its elements: b[i][j] = …, never a whole row.\n' +
        '    4:3 for (int k = 0; k < 9; k++) b[i][0] = b[k][i];\n' +
        "      fast: counts 'k' up to 9\n" +
        "      fast: looks up once, in front of it: 'b[i]'\n" +
        "      fast: looks up once, in front of the loop at 3:1: 'b'\n" +
        "      fast: checks indices in front of it, not inside: 'b[i][0]'\n" +
        "      slow: checks the index in each iteration: 'b[k][i]', " +
        "since rows may differ in length: a row of 'b' is stored at 2:1\n" +
        '        help: Make the matrix with new double[n][m], and set its elements: b[i][j] = …, never a whole row.\n',
    });
    expect(stderr).toMatch(/^loops\.wasm: \d+ bytes\n$/);
  });

  it('is JSON for programs', () => {
    folder.write('loops.slu', script);
    const { stdout } = folder.run('build', 'loops.slu', '--explain-loops=json');
    const { loops } = JSON.parse(stdout) as { loops: { line: number; remarks: { reason: string }[] }[] };
    expect(loops.map(({ line, remarks }) => [line, remarks.map(({ reason }) => reason)])).toEqual([
      [3, ['nestRowsDiffer']],
      [4, ['counted', 'hoisted', 'hoistedFurther', 'unchecked', 'rowsDiffer']],
    ]);
    const lines = folder.run('build', 'loops.slu', '--format', 'json', '--explain-loops').stdout.trimEnd().split('\n');
    expect(lines).toEqual(['{"diagnostics":[]}', stdout.trimEnd()]);
    expect((loops[1]!.remarks as object[])[4]).toEqual({
      pass: 'bounds-check-elimination',
      reason: 'rowsDiffer',
      outcome: 'missed',
      text: expect.stringMatching(/^checks the index/),
      help: expect.stringMatching(/^Make the matrix/),
      places: [{ file: 'loops.slu', line: 2, column: 1 }],
    });
  });

  it('names the loops of imported files by their files, and says where there are none', () => {
    folder.write(
      'lib.slu',
      'export int add(int[] xs) {\n  int sum = 0;\n  foreach (int x in xs) sum += x;\n  return sum;\n}\n',
    );
    folder.write('app.slu', 'import "lib.slu" as lib;\nyield lib.add([1, 2]);\n');
    expect(folder.run('build', 'app.slu', '--explain-loops').stdout).toBe(
      "In add of lib.slu:\n  3:3 foreach (int x in xs) sum += x;\n    fast: counts the elements of 'xs'\n" +
        "    fast: looks up once, in front of it: 'xs'\n" +
        '    fast: looks every 1024 iterations whether a limit stops it\n',
    );
    folder.write('none.slu', 'int[] xs = [2, 1];\nxs.sort();\nyield xs.sum();\n');
    expect(folder.run('build', 'none.slu', '--explain-loops').stdout).toBe('There is no loop in this script.\n');
  });

  it('refuses other formats', () => {
    const { code, stderr } = folder.run('build', 'loops.slu', '--explain-loops=xml');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^sluice: --explain-loops is text or json, not xml/),
    });
  });
});

describe('check', () => {
  it('finds nothing wrong', () => {
    expect(folder.run('check', 'sum.slu')).toEqual({
      code: 0,
      stdout: 'sum.slu: nothing to complain about\n',
      stderr: '',
    });
    expect(folder.run('check', 'sum.slu', '--format', 'json').stdout).toBe('{"diagnostics":[]}\n');
  });

  it('finds errors, exit 1', () => {
    const { code, stdout, stderr } = folder.run('check', 'broken.slu');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^SemanticError E2\d+: .+\n --> broken\.slu:1:9\n  \|\n1 \| int x = "a";\n  \|         \^\^\^\n/,
    );
    const json = folder.run('check', 'broken.slu', '--format', 'json');
    expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 1, stderr: '' });
    const { diagnostics } = JSON.parse(json.stdout) as { diagnostics: object[] };
    expect(diagnostics.map(Object.keys)).toEqual([
      [
        'type',
        'code',
        'severity',
        'message',
        'file',
        'line',
        'column',
        'endLine',
        'endColumn',
        'help',
        'labels',
        'fix',
      ],
    ]);
  });

  it('gives programs the help and the labels too', () => {
    folder.write('twice.slu', 'int total = 1;\nint total = 2;\nyield totl;\n');
    const { diagnostics } = JSON.parse(folder.run('check', 'twice.slu', '--format', 'json').stdout) as {
      diagnostics: object[];
    };
    expect(diagnostics).toMatchObject([
      {
        line: 2,
        labels: [
          { message: expect.any(String) as string, file: 'twice.slu', line: 1, column: 5, endLine: 1, endColumn: 10 },
        ],
      },
      { line: 3, help: expect.stringContaining('total') as string, labels: [] },
    ]);
  });

  const frames = (stderr: string): number => stderr.split('\n').filter((line) => line.includes('--> ')).length;

  it('shows at most 50 messages, errors first', () => {
    const idle = '1 == 2;\n'.repeat(40);
    const wrong = Array.from({ length: 20 }, (_, at) => `int wrong${at} = "a";\n`).join('');
    folder.write('many.slu', idle + wrong);
    const { stderr } = folder.run('check', 'many.slu');
    expect(frames(stderr)).toBe(50);
    expect(stderr).toMatch(/^SemanticError /);
    expect(stderr).toMatch(/\n\n… and 10 more\n20 errors, 40 warnings\n$/);
    const { diagnostics } = JSON.parse(folder.run('check', 'many.slu', '--format', 'json').stdout) as {
      diagnostics: object[];
    };
    expect(diagnostics).toHaveLength(60);
  });

  it('doubts that a file is a script', () => {
    const wrong = (count: number): string =>
      Array.from({ length: count }, (_, at) => `int wrong${at} = "a";\n`).join('');
    folder.write('notes.txt', wrong(21));
    const { code, stderr } = folder.run('check', 'notes.txt');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^notes\.txt does not look like a script: 21 messages\n\nSemanticError /);
    expect(frames(stderr)).toBe(3);
    expect(stderr).toMatch(/\n… and 18 more\n$/);
    expect(folder.run('run', 'notes.txt').stderr).toBe(stderr);
    folder.write('few.txt', wrong(20));
    expect(frames(folder.run('check', 'few.txt').stderr)).toBe(20);
    folder.write('script.slu', wrong(21));
    expect(frames(folder.run('check', 'script.slu').stderr)).toBe(21);
  });

  it('lets warnings pass', () => {
    const { code, stderr } = folder.run('check', 'unused.slu');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Warning W5\d+: /);
    expect(stderr).toMatch(/\n1 warning\n$/);
  });
});

describe('bench', () => {
  it('shows diagnostics to people and to programs', () => {
    const { code, stdout, stderr } = folder.run('bench', 'broken.slu', '--format', 'ndjson');
    expect(code).toBe(1);
    expect(stderr).toContain(' --> broken.slu:1:9\n');
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ file: 'broken.slu', line: 1, column: 9 }] });
    expect(folder.run('bench', 'broken.slu')).toMatchObject({ code: 1, stdout: '' });
  });

  it('measures', () => {
    const { code, stdout } = folder.run('bench', 'sum.slu', '--reps', '3', '-a', 'n=100', '--format', 'ndjson');
    expect(code).toBe(0);
    const { bench } = JSON.parse(stdout) as { bench: { firstMs: number; medianMs: number; reps: number } };
    expect(Object.keys(bench)).toEqual(['firstMs', 'medianMs', 'reps']);
    expect(bench.reps).toBe(3);
    expect(folder.run('bench', 'sum.slu', '--reps', '1').stdout).toMatch(
      /^first run [\d.]+ ms, median [\d.]+ ms of 1 run\n$/,
    );
  });

  it("ends with the script's error", () => {
    folder.write('throws.slu', 'throw "no";\n');
    const { code, stderr } = folder.run('bench', 'throws.slu');
    expect(code).toBe(3);
    expect(stderr).toContain('Error: no\n');
    expect(folder.run('bench', 'sum.slu', '-a', 'm=1').code).toBe(2);
  });
});

describe('without a command', () => {
  it('an example runs, with its time and what to do next', () => {
    const { code, stdout, stderr } = sluice([], { folder: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\$ sluice run .*weather\.slu -a csv=@.*seattle-weather\.csv\n/);
    expect(stdout).toMatch(/Compiled in \d+ ms, ran in [\d.]+ ms/);
    expect(stdout).toContain('npm start -- run my.slu');
  });
});

describe('npm start', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const start = (folder: string, environment: Readonly<Record<string, string>>, ...words: string[]): Ended =>
    sluice(words, { folder, environment: { npm_lifecycle_event: 'start', ...environment } });

  it('reads and writes where it was called', () => {
    const environment = { INIT_CWD: folder.path, npm_package_json: join(root, 'package.json') };
    expect(start(root, environment, 'run', 'sum.slu')).toEqual({ code: 0, stdout: '6\n', stderr: '' });
    expect(start(root, environment, 'build', 'sum.slu', '-o', 'started.wasm').code).toBe(0);
    expect(existsSync(join(folder.path, 'started.wasm'))).toBe(true);
    expect(start(root, environment).stdout).toContain('weather.slu -a csv=@');
    expect(start(folder.path, { INIT_CWD: join(folder.path, 'gone') }, 'run', 'sum.slu').stdout).toBe('6\n');
  });

  it('of another package stays there', () => {
    expect(
      start(folder.path, { INIT_CWD: root, npm_package_json: join(folder.path, 'package.json') }, 'run', 'sum.slu')
        .stdout,
    ).toBe('6\n');
  });
});

describe('diagnostics for programs', () => {
  it('of check, as SARIF and for GitHub', () => {
    const sarif = folder.run('check', 'broken.slu', '--format', 'sarif');
    expect(sarif).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'E2023', level: 'error' }] }],
    });
    expect(folder.run('check', 'broken.slu', '--format', 'github')).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^::error file=broken\.slu,line=1,endLine=1,col=9,/) as string,
    });
    expect(folder.run('check', 'sum.slu', '--format', 'github')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('of build, which then says elsewhere what it wrote', () => {
    expect(JSON.parse(folder.run('build', 'broken.slu', '--format', 'json').stdout)).toMatchObject({
      diagnostics: [{ code: 'E2023' }],
    });
    const { code, stdout, stderr } = folder.run('build', 'unused.slu', '--format', 'sarif');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^unused\.wasm: \d+ bytes\n$/) as string,
    });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ results: [{ ruleId: 'W5002' }] }] });
    folder.write('nothing.slu', 'int f() { return 1; }\n');
    expect(JSON.parse(folder.run('build', 'nothing.slu', '--format', 'sarif').stdout)).toMatchObject({
      runs: [{ tool: { driver: { rules: [{ id: 'E2900' }] } } }],
    });
  });
});
