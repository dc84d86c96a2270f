// `sluice run`: what it prints and how it ends.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

folder.write(
  'values.slu',
  `
type Point { double x; string label; }
yield 1;
yield 4.0;
yield "text";
yield true;
yield [1, 2];
Point p = { x: 1.5, label: "a\\"b" };
yield p;
double zero = 0.0;
yield [zero / zero];
return "done";
`,
);
folder.write('quiet.slu', 'int x = 1;\nx += 1;\n');
folder.write('broken.slu', 'int x = "a";\nyield x + y;\n');
folder.write('empty.slu', '');
folder.write(
  'divide.slu',
  `int divide(int a, int b) {
  return a / b;
}
main() {
  yield 1;
  return divide(1, 0);
}
`,
);
folder.write(
  'arguments.slu',
  `type Point { double x; int[] ns; }
main(string s, int i = 7, double d = 0.5, boolean b = false, Point[] ps = [], string[] names = []) {
  yield s;
  yield i;
  yield d;
  yield b;
  yield ps;
  yield names;
}
`,
);

const lines = ({ stdout }: Ended): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('run', () => {
  it('prints yields line by line, then the result', () => {
    expect(folder.run('run', 'values.slu')).toEqual({
      code: 0,
      stdout: '1\n4.0\ntext\ntrue\n[1,2]\n{"x":1.5,"label":"a\\"b"}\n[null]\ndone\n',
      stderr: '',
    });
  });

  it('prints nothing for a program that returns nothing', () => {
    expect(folder.run('run', 'quiet.slu').stdout).toBe('');
    expect(folder.run('run', 'quiet.slu', '--format', 'ndjson').stdout).toBe('{"result":{"text":"","value":null}}\n');
  });

  it('prints objects a line with --format ndjson', () => {
    const { stdout } = folder.run('run', 'values.slu', '--format', 'ndjson');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      '{"yield":{"text":"1","value":1}}',
      '{"yield":{"text":"4.0","value":4.0}}',
      '{"yield":{"text":"text","value":"text"}}',
    ]);
    expect(stdout.split('\n').at(-2)).toBe('{"result":{"text":"done","value":"done"}}');
  });

  it('adds the times with --time', () => {
    const withLines = lines(folder.run('run', 'values.slu', '--format', 'ndjson', '--time'));
    const last = withLines.at(-1) as { time: Record<string, number> };
    expect(Object.keys(last.time)).toEqual(['compileMs', 'instantiateMs', 'firstRunMs']);
    expect(Object.values(last.time).every((ms) => ms > 0)).toBe(true);
    const { stdout, stderr } = folder.run('run', 'values.slu', '--time');
    expect(stdout.endsWith('done\n')).toBe(true);
    expect(stderr).toMatch(/^compiled in \d+\.\d ms, instantiated in \d+\.\d ms, ran in \d+\.\d ms\n$/);
  });

  it('runs what was built', () => {
    expect(folder.run('build', 'values.slu', '-o', 'values.wasm').code).toBe(0);
    expect(folder.run('run', 'values.wasm').stdout).toBe(folder.run('run', 'values.slu').stdout);
  });

  it('is quiet when nobody reads on', () => {
    folder.write('many.slu', 'for (int i = 0; i < 1000000; i++) yield i;');
    const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
    const { stdout, stderr } = spawnSync('sh', ['-c', `"$0" "$1" run many.slu | head -n 2`, process.execPath, entry], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: '0\n1\n', stderr: '' });
  });

  it('shows errors of the script with their stack, exit 3', () => {
    const { code, stdout, stderr } = folder.run('run', 'divide.slu');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '1\n' });
    expect(stderr).toMatch(
      /^DivisionByZeroError: .+\n    at divide \(divide\.slu:2:\d+\)\n    at main \(divide\.slu:6:\d+\)\n$/,
    );
    const last = lines(folder.run('run', 'divide.slu', '--format', 'ndjson')).at(-1) as {
      error: { type: string; stack: object[] };
    };
    expect(last.error.type).toBe('DivisionByZeroError');
    expect(last.error.stack).toMatchObject([
      { file: 'divide.slu', line: 2, function: 'divide' },
      { file: 'divide.slu', line: 6, function: 'main' },
    ]);
    expect(Object.keys(last.error.stack[0]!)).toEqual(['file', 'line', 'column', 'function']);
  });

  it('folds the frames of a recursion without end', () => {
    folder.write('deep.slu', 'int f(int n) {\n  return f(n + 1) + 1;\n}\nyield f(0);\n');
    const { code, stderr } = folder.run('run', 'deep.slu');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^StackOverflowError: .*\n    at f \(deep\.slu:2:\d+\)\n    … \d+ more of the same\n/);
  });

  it('shows diagnostics, exit 1', () => {
    const { code, stdout, stderr } = folder.run('run', 'broken.slu', '--format', 'ndjson');
    expect(code).toBe(1);
    expect(stderr).toMatch(/SemanticError E2\d+: /);
    expect(stderr).toContain(' --> broken.slu:1:9\n');
    expect(stderr).toMatch(/\n2 errors\n$/);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Record<string, unknown>[] };
    expect(diagnostics).toHaveLength(2);
    expect(diagnostics[0]).toMatchObject({
      type: 'SemanticError',
      severity: 'error',
      file: 'broken.slu',
      line: 1,
      column: 9,
      endLine: 1,
      endColumn: 12,
    });
  });

  it('says that a file holds nothing to run, exit 1', () => {
    const { code, stdout, stderr } = folder.run('run', 'empty.slu');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('SemanticError E2900: there is nothing to run here');
    folder.write('library.slu', 'int twice(int n) {\n  return 2 * n;\n}\n');
    expect(folder.run('run', 'library.slu').stderr).toContain(' --> library.slu:3:2\n');
    expect(folder.run('build', 'library.slu').stderr).toMatch(
      /there is nothing to build here[^]*A function that the host may call is marked export\./,
    );
    expect(folder.run('check', 'library.slu').code).toBe(0);
    expect(folder.run('explain', 'E2900').stdout).toContain('A file with only types');
  });
});

describe('arguments', () => {
  beforeAll(() => void folder.run('build', 'arguments.slu'));
  const run = (...words: string[]): Ended =>
    folder.run('run', 'arguments.wasm', ...words.flatMap((word) => ['-a', word]));

  it('are text for a string and JSON for the rest', () => {
    const { stdout, stderr } = run(
      's=12',
      'i=9223372036854775807',
      'd=3',
      'b=true',
      'ps=[{"x": 1, "ns": [9007199254740993]}]',
      'names=["a"]',
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('12\n9223372036854775807\n3.0\ntrue\n[{"x":1.0,"ns":[9007199254740993]}]\n["a"]\n');
  });

  it('take the value from a file with @', () => {
    folder.write('text.txt', '\ufefföne\ntwo');
    folder.write('int.json', ' 42\n');
    expect(run('s=@text.txt', 'i=@int.json').stdout).toBe('öne\ntwo\n42\n0.5\nfalse\n[]\n[]\n');
    expect(run('s=@@home=x').stdout).toMatch(/^@home=x\n7\n/);
    expect(run('s=').stdout).toMatch(/^\n7\n/);
  });

  it.each([
    [['i=1'], 'TypeError: missing argument s: main takes string s\n'],
    [['s=', 'n=1'], 'TypeError: unknown argument n: '],
    [['s=', 'nmaes=[]'], 'TypeError: unknown argument nmaes: did you mean names?\n'],
    [['s=', 'i=1.0'], 'TypeError: i: expected int, got double\n'],
    [['s=', 'i=9223372036854775808'], 'TypeError: i: expected int, got 9223372036854775808, which is beyond 64 bits\n'],
    [
      ['s=', `i=${'9'.repeat(100_000)}`],
      `TypeError: i: expected int, got ${'9'.repeat(60)}…, which is beyond 64 bits\n`,
    ],
    [['s=', 'd=-1e309'], 'TypeError: d: the number -1e309 is too large for a double\n'],
    [['s=', `ps=${'['.repeat(60_000)}${']'.repeat(60_000)}`], 'TypeError: ps: nested deeper than 512\n'],
    [['s=', 'i=x'], 'TypeError: i: expected int as JSON, got x\n'],
    [['s=', 'd="1"'], 'TypeError: d: expected double, got string\n'],
    [['s=', 'ps=[{"x": 1, "ns": [1, 2.5]}]'], 'TypeError: ps[0].ns[1]: expected int, got double\n'],
    [['s=', 'names=[1]'], 'TypeError: names[0]: expected string, got int\n'],
  ])('%j is a TypeError, exit 2', (words, message) => {
    const { code, stdout, stderr } = run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    [['s=', 'i=x'], 'i', 'give it with -a i=3'],
    [['s=', 'd=x'], 'd', 'give it with -a d=2.5'],
    [['s=', 'b=1'], 'b', 'give it with -a b=true'],
    [['s=', 'names=a'], 'names', `give it as JSON, such as -a 'names=["a", "b"]'`],
    [['s=', 'ps=1,2,3'], 'ps', `give it as JSON, such as -a 'ps=[{"x": 2.5, "ns": [1, 2]}]'`],
  ])('%j: help says how to give %s, by an example that works', (words, name, help) => {
    const { stderr } = run(...words);
    expect(stderr.split('\n').slice(1)).toEqual([`help: ${help}`, '']);
    const example = /-a '?(?<word>[^']+=[^@'].*?)'?$/.exec(help)!.groups!['word']!.replace(' or -a s=@FILE', '');
    expect(example.startsWith(`${name}=`)).toBe(true);
    expect(run(...words.filter((word) => !word.startsWith(`${name}=`)), example).code).toBe(0);
  });

  it('that are missing: help lists the parameters with their types, and how to give each', () => {
    expect(run().stderr).toBe(`TypeError: missing argument s: main takes string s
help: main takes
  string s                   -a s=TEXT
  int i (optional)           -a i=3
  double d (optional)        -a d=2.5
  boolean b (optional)       -a b=true
  Point[] ps (optional)      -a 'ps=[{"x": 2.5, "ns": [1, 2]}]'
  string[] names (optional)  -a 'names=["a", "b"]'
`);
  });

  it('get no example for a parameter that main does not have', () => {
    expect(run('s=', 'zzz=1').stderr).not.toContain('help:');
  });

  it('get an example of a type that holds itself, but none that nobody would type', () => {
    folder.write('list.slu', 'type Node { int value; Node next; }\nmain(Node list) {\n  yield list.value;\n}\n');
    expect(folder.run('run', 'list.slu', '-a', 'list=1').stderr).toContain(
      `help: give it as JSON, such as -a 'list={"value": 3, "next": {"value": 3, "next": {"value": 3, "next": ` +
        `null}}}'\n`,
    );
    folder.write(
      'wide.slu',
      `type Wide { ${Array.from({ length: 20 }, (_, at) => `string field${at};`).join(' ')} }\n` +
        'main(Wide wide) {\n  yield wide.field0;\n}\n',
    );
    expect(folder.run('run', 'wide.slu', '-a', 'wide=1').stderr).toContain(
      'help: give it as JSON with -a wide=@FILE\n',
    );
  });

  it('in a form that is none', () => {
    expect(run('s').stderr).toContain('-a takes NAME=VALUE, not s');
    expect(run('s=1', 's=2').stderr).toContain('argument s is given twice');
    expect(run('s=@missing.txt').stderr).toContain('cannot read missing.txt: there is no such file');
  });

  it('are an error line too', () => {
    const { code, stdout } = folder.run('run', 'arguments.wasm', '--format', 'ndjson');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: { type: 'TypeError', message: 'missing argument s: main takes string s', stack: [] },
    });
  });
});

describe('run --seed and --clock', () => {
  folder.write('chance.slu', 'yield Math.random();\nyield Math.random();\nreturn Date.now();\n');
  const drawn = (...words: readonly string[]): string[] =>
    folder
      .run('run', 'chance.slu', ...words)
      .stdout.trimEnd()
      .split('\n');

  it('give the same numbers and the same time in every run', () => {
    const first = drawn('--seed', '7', '--clock', '1700000000000');
    expect(first[2]).toBe('1700000000000');
    expect(first[0]).not.toBe(first[1]);
    expect(drawn('--seed', '7', '--clock=2023-11-14T22:13:20Z')).toEqual(first);
    expect(drawn('--seed', '8')[0]).not.toBe(first[0]);
  });

  it.each([
    ['--seed', 'x', '--seed takes a whole number'],
    ['--seed', '1.5', '--seed takes a whole number'],
    ['--clock', 'noon', '--clock takes milliseconds since 1970 or a date'],
    ['--clock', '2026-13-01', '--clock takes milliseconds since 1970 or a date'],
    ['--clock', '2026-04-31', '--clock takes milliseconds since 1970 or a date'],
    ['--clock', '2026-05-01T12:00:00', '--clock takes milliseconds since 1970 or a date'],
  ])('refuse %s %s', (option, value, message) => {
    const { code, stderr } = folder.run('run', 'chance.slu', option, value);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('hold for bench too', () => {
    expect(folder.run('bench', 'chance.slu', '--reps', '2', '--seed', '1').code).toBe(0);
  });
});

describe('an error of a script', () => {
  it.each([
    ['json j = { a: 1 }; yield j.b == null;', 'help: j.has("key") asks whether a key is there'],
    ['json j = { a: 1 }; foreach (string k in j) yield k;', 'help: go through the keys of an object with foreach'],
    ['int[] a = []; a[0] = 1;', 'help: an empty array has no elements: xs.push(value) adds one'],
  ])('comes with what helps: %s', (input, help) => {
    expect(sluice(['run', '-'], { input }).stderr).toContain(help);
  });

  it('comes alone where its message is enough', () => {
    expect(sluice(['run', '-'], { input: 'int[] a = [1]; a[1] = 1;' }).stderr).not.toContain('help:');
  });
});
