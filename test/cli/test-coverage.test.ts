// `sluice test --coverage` as a user runs it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.write('shapes.slu', 'int area(int a, int b) {\n  if (a < 0)\n    throw "no";\n  return a * b;\n}\n');
});
afterEach(() => folder.remove());

const head = 'import "shapes.slu" as s;\n';
const read = (...names: string[]): string => readFileSync(join(folder.path, ...names), 'utf8');
const tableOf = (stdout: string): string => stdout.slice(stdout.indexOf('\nfile') + 1);

describe('--coverage', () => {
  it('prints a table, and writes lcov.info and pages', () => {
    folder.write('shapes.test.slu', `${head}export int some() { return s.area(2, 3); // → 6\n}\n`);
    const { code, stdout, stderr } = folder.run('test', '--coverage');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(tableOf(stdout)).toBe(
      'file           lines  branches  never reached\n' +
        'shapes.slu    66.6 %    50.0 %  3, a branch in 2\n' +
        `${join('coverage', 'html', 'index.html')} shows them line by line\n`,
    );
    expect(read('coverage', 'lcov.info')).toContain('SF:shapes.slu\n');
    expect(read('coverage', 'html', 'shapes.slu.html')).toContain('<span class="keyword">throw</span>');
    expect(readdirSync(join(folder.path, 'coverage')).toSorted()).toEqual(['html', 'lcov.info']);
  });

  it('writes to another folder', () => {
    folder.write('a.slu', 'yield 1; // → 1\n');
    expect(folder.run('test', 'a.slu', '--coverage=out/here').code).toBe(0);
    expect(read('out', 'here', 'lcov.info')).toContain('DA:1,1\n');
    expect(existsSync(join(folder.path, 'coverage'))).toBe(false);
  });

  it('writes over what is there, and says so if it cannot', () => {
    folder.write('a.slu', 'yield 1; // → 1\n');
    expect(folder.run('test', '--coverage').code).toBe(0);
    expect(folder.run('test', '--coverage').code).toBe(0);
    const { code, stderr } = folder.run('test', '--coverage=a.slu');
    expect(code).toBe(2);
    expect(stderr).toContain('there is a file of that name');
    expect(folder.run('test', '--coverage=').stderr).toContain('--coverage= needs the name of a folder');
  });

  it('adds up tests, those that fail and those that are ended, and processes', () => {
    folder.write(
      'one.test.slu',
      `${head}export void fails() { s.area(-1, 1); }\nexport void endless() { while (true) s.area(1, 1); }\n`,
    );
    folder.write('two.test.slu', `${head}export void passes() { s.area(1, 1); }\n`);
    mkdirSync(join(folder.path, 'sub'));
    writeFileSync(
      join(folder.path, 'sub', 'c.test.slu'),
      'import "../shapes.slu" as s;\nexport void c() { s.area(1, 1); }\n',
    );
    const options = ['--max-fuel=2000', '--coverage'];
    const alone = folder.run('test', '--jobs=1', ...options);
    const lcov = read('coverage', 'lcov.info');
    expect(alone.code).toBe(1);
    expect(tableOf(alone.stdout)).toContain('shapes.slu     100 %     100 %\ncoverage');
    expect(lcov.match(/^SF:.*$/gm)).toEqual(['SF:shapes.slu']);
    expect(lcov).toContain('DA:3,1\n');
    const several = folder.run('test', '--jobs=3', ...options);
    expect(tableOf(several.stdout)).toBe(tableOf(alone.stdout));
    expect(read('coverage', 'lcov.info')).toBe(lcov);
  });

  it('leaves the standard output to reports for programs', () => {
    folder.write('shapes.test.slu', `${head}export void some() { s.area(2, 3); }\n`);
    const { stdout, stderr } = folder.run('test', '--coverage', '--format=json');
    expect(JSON.parse(stdout)).toMatchObject({ totals: { passed: 1 } });
    expect(stderr).toContain('shapes.slu    66.6 %');
  });

  it('covers what --only chooses', () => {
    folder.write('shapes.test.slu', `${head}export void some() { s.area(2, 3); }\nexport void none() {}\n`);
    expect(folder.run('test', '--coverage', '--only', 'none').stdout).toContain('shapes.slu     0.0 %');
  });

  it('says so where tests have no code but their own', () => {
    folder.write('own.test.slu', 'export int one() { return 1; // → 1\n}\n');
    expect(folder.run('test', '--coverage').stdout).toContain('coverage: these tests have no code but their own\n');
  });
});

describe('--coverage-min', () => {
  beforeEach(() => void folder.write('shapes.test.slu', `${head}export void some() { s.area(2, 3); }\n`));

  it('fails if fewer lines are covered', () => {
    const { code, stderr } = folder.run('test', '--coverage-min=66.7');
    expect(code).toBe(1);
    expect(stderr).toBe('error: 66.6 % of the lines are covered, and --coverage-min asks for 66.7 %\n');
  });

  it('passes if as many are covered', () => {
    expect(folder.run('test', '--coverage-min', '66').code).toBe(0);
  });

  it('takes a number up to 100', () => {
    for (const text of ['101', 'x', '-1', '1e1'])
      expect(folder.run('test', `--coverage-min=${text}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--coverage-min takes a number from 0 to 100') as string,
      });
  });
});
