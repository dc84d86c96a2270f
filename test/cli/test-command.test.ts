// `sluice test` as a user runs it.

import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';
import type { Ended } from './sluice.ts';

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

/** The output without times. */
function run(...words: string[]): Ended {
  const { code, stdout, stderr } = folder.run('test', ...words);
  return { code, stdout: stdout.replace(/ {2,}\d+(\.\d+)? m?s\b/g, ''), stderr };
}

/** Writes a file and tests it. */
function test(name: string, text: string, ...words: string[]): Ended {
  folder.write(name, text);
  return run(name, ...words);
}

const passes = (name: string): Ended => ({ code: 0, stdout: `ok   ${name}\n\n1 passed in 1 file\n`, stderr: '' });

describe('a script', () => {
  it('passes if it does what its comments say', () => {
    const text = [
      'int half(int n) { if (n % 2 == 1) throw "odd"; return n / 2; }',
      'void twice(string s) { yield s; yield s + "!"; }',
      'for (int i = 0; i < 3; i++) yield i * 0.5; // → 0.0 | 0.5 | 1.0',
      'twice("a | b"); // → "a | b" | "a | b!"',
      'yield [1,',
      '  2]; // → [1,2]',
      'json j = { a: [null, 1.0, "x"] };',
      'yield j; // → {"a":[null,1.0,"x"]}',
      'yield "not compared";',
      'yield "x\\n";',
      '// → "x\\n"',
      'yield half(3); // → throws Error: odd',
      '',
    ].join('\n');
    expect(test('fine.slu', text)).toEqual(passes('fine.slu'));
  });

  it('fails where it does something else, and shows the place', () => {
    const { code, stdout } = test('wrong.slu', 'yield 0.1 + 0.2; // → 0.3\nyield 2; // → 2\n');
    expect(code).toBe(1);
    expect(stdout).toBe(`FAIL wrong.slu

FAIL wrong.slu
 --> wrong.slu:1:1
  |
1 | yield 0.1 + 0.2; // → 0.3
  | ^^^^^^^^^^^^^^^^
expected: 0.3
  actual: 0.30000000000000004

0 passed, 1 failed in 1 file
`);
  });

  it('fails if a line hands out less, more, or in another order', () => {
    const actual = (line: string): string | undefined =>
      /actual: (.*)/.exec(test('count.slu', `int[] xs = [1, 2];\n${line}\n`).stdout)?.[1];
    expect(actual('foreach (int x in xs) yield x; // → 1')).toBe('1 | 2');
    expect(actual('foreach (int x in xs) yield x; // → 1 | 2 | 3')).toBe('1 | 2');
    expect(actual('foreach (int x in xs) yield x; // → 2 | 1')).toBe('1 | 2');
    expect(actual('xs.clear(); // → 1')).toBe('nothing');
    expect(actual('yield xs[0]; // →')).toBe('1');
  });

  it('tells an int from a double, and compares a text as it is', () => {
    expect(test('kinds.slu', 'yield 1; // → 1.0\n').code).toBe(1);
    expect(test('kinds.slu', 'yield " a"; // → a\n').code).toBe(1);
    expect(test('kinds.slu', 'yield " a"; // → " a"\n').code).toBe(0);
  });

  it('fails if an error that is expected does not come, or another one does', () => {
    expect(test('throws.slu', 'yield 1; // → 1 | throws Error\n').stdout).toContain('expected: 1 | throws Error\n');
    expect(test('throws.slu', 'int[] xs = [];\nyield xs[0]; // → throws Error\n').stdout).toContain(
      'actual: throws IndexOutOfBoundsError: ',
    );
    const { code, stdout } = test('throws.slu', 'yield 1; // → 1\nint[] xs = [];\nyield xs[0];\nyield 2; // → 2\n');
    expect(code).toBe(1);
    expect(stdout).toContain('IndexOutOfBoundsError: index 0 is out of bounds for length 0\n');
    expect(stdout).toContain('    at <top level> (throws.slu:3:');
    // What an error has kept from happening is no failure of its own.
    expect(stdout).not.toContain('expected:');
  });

  it('has the arguments of main from a comment', () => {
    const main =
      'main(int n, string who, double[] xs) {\n  yield n; // → 9007199254740993\n' +
      '  yield who; // → @x\n  return xs; // → [1.0]\n}\n';
    expect(test('args.slu', `// args: {"n": 9007199254740993, "who": "@x", "xs": [1]}\n${main}`).code).toBe(0);
    expect(test('args.slu', main).stdout).toContain('TypeError: missing argument n');
    expect(test('args.slu', `// args: [1]\n${main}`).stdout).toContain(
      'the comment // args: in line 1 holds a JSON object',
    );
  });

  it('says which return it was', () => {
    const text = '// args: {"n": 1}\nmain(int n) {\n  if (n > 0) return "more"; // → more\n  return "none";\n}\n';
    expect(test('returns.slu', text).code).toBe(0);
    expect(test('returns.slu', text.replace('"n": 1', '"n": 0')).stdout).toContain('actual: nothing');
  });

  it('with mistakes is not run', () => {
    const { code, stdout } = test('broken.slu', 'yield "a" + 1; // → a1\n');
    expect(code).toBe(1);
    expect(stdout).toContain("SemanticError E2025: Operator '+' not defined for (string, int)");
    expect(stdout).toContain('0 passed, 1 failed in 1 file');
  });
});

describe('a test file', () => {
  beforeAll(() => folder.write('shapes.slu', 'int calls;\nint area(int a, int b) { calls++; return a * b; }\n'));

  const head = 'import "shapes.slu" as s;\nint helped(int n) { yield n; // → 6\n  return n; }\n';

  it('has a test in each exported function without parameters, each in an instance of its own', () => {
    const text = `${head}export void first() { yield s.area(2, 3); yield s.calls; // → 6 | 1\n}
export int second() { s.area(1, 1); return s.calls; // → 1\n}
export boolean third() { return helped(s.area(3, 2)) == 6; // → true\n}
export int notTest(int n) { return n; }\n`;
    expect(test('shapes.test.slu', text)).toEqual({
      code: 0,
      stdout:
        'shapes.test.slu\n  ok   first\n  ok   second\n  ok   third\n' +
        '  skip notTest  it has parameters: a test is an exported function without any\n\n' +
        '3 passed, 1 skipped in 1 file\n',
      stderr: '',
    });
  });

  it('fails by throwing, and goes on with the next test', () => {
    const { code, stdout } = test(
      'throws.test.slu',
      'export void bad() { throw "no"; }\nexport void good() {}\nexport void endless() { while (true) {} }\n',
      '--max-time=0.2',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('FAIL bad\n  ok   good\n  FAIL endless\n');
    expect(stdout).toContain('FAIL throws.test.slu > bad\nError: no\n    at bad (throws.test.slu:1:');
    expect(stdout).toContain('TimeoutError: this run may not take longer than 200 ms');
  });

  it('fails if no test reaches a comment', () => {
    const { code, stdout } = test(
      'unreached.test.slu',
      'void helper() { yield 1; // → 1\n}\nexport void a() { if (1 > 2) helper(); }\nexport void b() {}\n',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('no test reaches this line');
    expect(run('unreached.test.slu', '--only', '> a').code).toBe(0);
  });

  it('draws the same numbers each time', () => {
    const text = 'export double draw() { return Math.random(); }\n';
    folder.write('random.test.slu', text.replace('}', '// →\n}'));
    expect(run('random.test.slu', '--update').code).toBe(0);
    expect(run('random.test.slu').code).toBe(0);
    expect(run('random.test.slu', '--seed=1').code).toBe(1);
  });

  it('reaches nothing unless a flag allows it', () => {
    folder.write('data.txt', 'hello');
    const text = 'export string read() { return File.read("data.txt"); // → hello\n}\n';
    const denied = test('file.test.slu', text);
    expect(denied.code).toBe(1);
    expect(denied.stdout).toContain('SecurityError');
    expect(test('file.test.slu', text, '--allow-file-read=.').code).toBe(0);
  });

  it('shows how long JSON differs', () => {
    const object = (c: number): string =>
      `{"name":"a long name of something, which has many words","list":[1,2,3],"count":${c},"last":"another text"}`;
    const { stdout } = test(
      'long.test.slu',
      `export json show() { return Json.parse("${object(1).replaceAll('"', '\\"')}"); // → ${object(2)}\n}\n`,
    );
    expect(stdout).toContain('- expected  + actual\n');
    expect(stdout).toContain('\n-   "count": 2,\n+   "count": 1,\n    "last": "another text"\n');
  });
});

describe('the command', () => {
  let tree: Folder;
  beforeAll(() => {
    tree = new Folder();
    tree.write('a.slu', 'yield 1; // → 1\n');
    tree.write('b.test.slu', 'export void one() {}\nexport void two() { throw "x"; }\n');
    tree.write('c.slu', 'yield 1;\n');
  });
  afterAll(() => tree.remove());

  it('finds the tests below a folder', () => {
    const { code, stdout } = tree.run('test');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {3}a\.slu .*\nb\.test\.slu\n {2}ok {3}one .*\n {2}FAIL two .*\n/);
    expect(stdout).toMatch(/2 passed, 1 failed in 2 files/);
  });

  it('does the same in several processes', () => {
    const times = / {2,}\d+(\.\d+)? m?s\b/g;
    const alone = tree.run('test', '--jobs=1');
    const shared = tree.run('test', '--jobs=2');
    expect({ ...shared, stdout: shared.stdout.replace(times, '') }).toEqual({
      ...alone,
      stdout: alone.stdout.replace(times, ''),
    });
  });

  it('runs what --only names', () => {
    expect(tree.run('test', '--only', 'one').stdout).toContain('1 passed in 1 file');
    expect(tree.run('test', '--only', '/^a|> one$/').stdout).toContain('2 passed in 2 files');
    expect(tree.run('test', '--only', 'three')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'sluice: no test below this folder has three in its name\nUsage: sluice test [FILE.slu …] [OPTIONS]\n' +
        'sluice test --help says more\n',
    });
    expect(tree.run('test', '--only', '/(/').code).toBe(2);
  });

  it('ends after a failure with --bail', () => {
    tree.write('d.slu', 'yield 1; // → 1\n');
    expect(tree.run('test', '--bail').stdout).not.toContain('d.slu');
  });

  it('says that there are no tests', () => {
    expect(tree.run('test', 'c.slu')).toMatchObject({ code: 2, stdout: '' });
    expect(tree.run('test', 'c.slu').stderr).toContain('c.slu has no tests');
    expect(tree.run('test', 'e.slu').stderr).toContain('cannot read e.slu: there is no such file');
    const empty = new Folder();
    const { code, stderr } = empty.run('test');
    expect([code, stderr.split(':')[1]]).toEqual([2, ' there are no tests below this folder']);
    empty.remove();
  });

  it('writes TAP, JUnit and JSON', () => {
    const tap = tree.run('test', '--format=tap', 'a.slu', 'b.test.slu');
    expect(tap.code).toBe(1);
    expect(tap.stdout.replace(/time=.*ms/g, 'time=')).toBe(`TAP version 14
1..3
ok 1 - a.slu > main # time=
ok 2 - b.test.slu > one # time=
not ok 3 - b.test.slu > two # time=
  ---
  message: "Error: x"
  severity: "fail"
  type: "error"
  file: "b.test.slu"
  line: 2
  column: 21
  stack: ["two (b.test.slu:2:21)"]
  ...
`);
    const junit = tree.run('test', '--format=junit', 'a.slu', 'b.test.slu').stdout;
    expect(junit.replace(/ time="[\d.]+"/g, '')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="sluice test" tests="3" failures="0" errors="1">
  <testsuite name="a.slu" file="a.slu" tests="1" failures="0" errors="0">
    <testcase name="main" classname="a.slu" file="a.slu" line="1"/>
  </testsuite>
  <testsuite name="b.test.slu" file="b.test.slu" tests="2" failures="0" errors="1">
    <testcase name="one" classname="b.test.slu" file="b.test.slu" line="1"/>
    <testcase name="two" classname="b.test.slu" file="b.test.slu" line="2">
      <error message="Error: x" type="error">b.test.slu:2:21: Error: x
    at two (b.test.slu:2:21)</error>
    </testcase>
  </testsuite>
</testsuites>
`);
    const json = JSON.parse(tree.run('test', '--format=json', 'a.slu', 'b.test.slu').stdout) as {
      tests: { file: string; passed: boolean }[];
      totals: object;
    };
    expect(json.tests.map(({ file, passed }) => [file, passed])).toEqual([
      ['a.slu', true],
      ['b.test.slu', true],
      ['b.test.slu', false],
    ]);
    expect(json.totals).toMatchObject({ files: 2, passed: 2, failed: 1, updated: 0 });
  });

  it('says of an exported function with parameters that nothing calls that it is no test', () => {
    const text = 'export void one() { yield twice(1); }\nexport int twice(int n) { return n * 2; }\n';
    const odd = 'export void addsUp(int a, int b) { yield a + b; }\n';
    tree.write('skip.test.slu', text + odd);
    tree.write('none.test.slu', odd);
    const why = 'it has parameters: a test is an exported function without any';
    const { code, stdout } = tree.run('test', 'skip.test.slu');
    expect(code).toBe(0);
    expect(stdout.replace(/ {2,}\d.*s$/gm, '')).toBe(
      `skip.test.slu\n  ok   one\n  skip addsUp  ${why}\n\n1 passed, 1 skipped in 1 file\n`,
    );
    const none = tree.run('test', 'none.test.slu');
    expect([none.code, none.stdout]).toEqual([2, `none.test.slu\n  skip addsUp  ${why}\n`]);
    expect(none.stderr).toContain('there are no tests in none.test.slu');
    expect(tree.run('test', '--only=one', 'skip.test.slu').stdout).not.toContain('addsUp');
    expect(tree.run('test', '--format=tap', 'skip.test.slu').stdout).toContain(
      `\nok 2 - skip.test.slu > addsUp # SKIP ${why}\n`,
    );
    const junit = tree.run('test', '--format=junit', 'skip.test.slu').stdout;
    expect(junit).toContain('tests="2" failures="0" errors="0" skipped="1"');
    expect(junit).toContain(`<skipped message="${why}"/>`);
    const { tests, skipped } = JSON.parse(tree.run('test', '--format=json', 'skip.test.slu').stdout) as {
      tests: readonly { name: string }[];
      skipped: readonly object[];
    };
    expect(tests.map(({ name }) => name)).toEqual(['one']);
    expect(skipped).toEqual([{ file: 'skip.test.slu', name: 'addsUp', line: 3, column: 13, reason: why }]);
    for (const name of ['skip', 'none']) rmSync(join(tree.path, `${name}.test.slu`));
  });

  it('keeps text of a script from being markup', () => {
    tree.write('markup.test.slu', 'export void a() { throw "<b> & ]]> \\u0007 #"; }\n');
    const junit = tree.run('test', '--format=junit', 'markup.test.slu').stdout;
    expect(junit).toContain('message="Error: &lt;b&gt; &amp; ]]&gt; \ufffd #"');
    expect(tree.run('test', 'markup.test.slu').stdout).toContain('Error: <b> & ]]> \\u0007 #\n');
  });

  it('rewrites comments with --update', () => {
    const text =
      '#!/usr/bin/env sluice\nyield 1;   // →\nyield [1, 2]; // → [1]\nyield 3; // → 3\n' +
      'int[] xs = [];\nyield xs[0]; // →\n';
    tree.write('update.slu', text);
    chmodSync(join(tree.path, 'update.slu'), 0o755);
    const { code, stdout } = tree.run('test', 'update.slu', '--update');
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringContaining('1 passed, 3 comments updated')]);
    expect(readFileSync(join(tree.path, 'update.slu'), 'utf8')).toBe(
      '#!/usr/bin/env sluice\nyield 1;   // → 1\nyield [1, 2]; // → [1,2]\nyield 3; // → 3\nint[] xs = [];\n' +
        'yield xs[0]; // → throws IndexOutOfBoundsError: index 0 is out of bounds for length 0\n',
    );
    expect(statSync(join(tree.path, 'update.slu')).mode & 0o777).toBe(0o755);
    expect(tree.run('test', 'update.slu').code).toBe(0);
  });

  it('leaves a comment on which its tests disagree', () => {
    const text = 'void show(int n) { yield n; // → 1\n}\nexport void a() { show(1); }\nexport void b() { show(2); }\n';
    tree.write('disagree.test.slu', text);
    expect(tree.run('test', 'disagree.test.slu', '-u').code).toBe(1);
    expect(readFileSync(join(tree.path, 'disagree.test.slu'), 'utf8')).toBe(text);
  });

  it('refuses a wrong number of jobs', () => {
    expect(tree.run('test', '--jobs=0').stderr).toContain('--jobs takes a whole number from 1 to 999, not 0');
  });
});
