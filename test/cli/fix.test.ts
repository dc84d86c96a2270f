// `check --fix`: what is mended, what is left, and what is not touched.

import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mendText } from '../../src/cli/fix.ts';
import { checkSource } from '../../src/compile.ts';
import { catalog } from '../../src/diagnostics/catalog.ts';
import { applyFixes, findSureFixes } from '../../src/diagnostics/fixes.ts';
import { format } from '../../src/format.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

function mend(text: string): string {
  return mendText(text, (candidate) => checkSource('a.slu', candidate).diagnostics, 'a.slu').text;
}

describe('check --fix', () => {
  it('mends what is sure, round by round, and says so', () => {
    folder.write(
      'habits.slu',
      "# count\nint[] xs = [1, 2]\nif (xs.size === 2 and xs[0] == 1) print('yes');\n" +
        'elif (!xs.isEmpty()) { console.log("n: " + xs.size()); }\n',
    );
    const { code, stdout, stderr } = folder.run('check', 'habits.slu', '--fix');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'habits.slu: nothing to complain about\n' });
    expect(stderr).toContain("habits.slu:3:13: E1005: write '=='\n");
    expect(stderr).toMatch(/\n11 fixes made in habits\.slu\n$/);
    expect(read('habits.slu')).toBe(
      '// count\nint[] xs = [1, 2];\nif (xs.length() == 2 && xs[0] == 1) yield "yes";\n' +
        'else if (!xs.isEmpty()) { yield "n: " + xs.length().toString(); }\n',
    );
  });

  it('leaves what is only possible, and ends with what is left', () => {
    const text = 'int total = 1;\nint x = 2.5;\nyield totl === x;\n';
    folder.write('left.slu', text);
    const { code, stderr } = folder.run('check', 'left.slu', '--fix');
    expect(code).toBe(1);
    expect(stderr).toContain('1 fix made in left.slu\n');
    expect(stderr).toMatch(/\n2 errors\n$/);
    expect(read('left.slu')).toBe(text.replace('===', '=='));
  });

  it('does not write where there is nothing to mend', () => {
    folder.write('fine.slu', 'yield 1;\n');
    chmodSync(join(folder.path, 'fine.slu'), 0o444);
    const before = statSync(join(folder.path, 'fine.slu')).mtimeMs;
    expect(folder.run('check', 'fine.slu', '--fix')).toEqual({
      code: 0,
      stdout: 'fine.slu: nothing to complain about\n',
      stderr: '',
    });
    expect(statSync(join(folder.path, 'fine.slu')).mtimeMs).toBe(before);
  });

  it('keeps line ends, the byte order mark, rights and links', () => {
    folder.write('marked.slu', '\ufeffint x = 1\r\nyield x === 1;\r\n');
    chmodSync(join(folder.path, 'marked.slu'), 0o750);
    symlinkSync('marked.slu', join(folder.path, 'link.slu'));
    expect(folder.run('check', 'link.slu', '--fix').code).toBe(0);
    expect(read('marked.slu')).toBe('\ufeffint x = 1;\r\nyield x == 1;\r\n');
    expect(statSync(join(folder.path, 'marked.slu')).mode & 0o777).toBe(0o750);
    expect(lstatSync(join(folder.path, 'link.slu')).isSymbolicLink()).toBe(true);
  });

  it('leaves imported files alone, and shows what is wrong in them', () => {
    folder.write('lib.slu', 'boolean same(int a, int b) { return a === b; }\n');
    folder.write('uses.slu', 'import "lib.slu" as lib;\nyield lib.same(1, 2)\n');
    const { code, stderr } = folder.run('check', 'uses.slu', '--fix');
    expect(code).toBe(1);
    expect(stderr).toContain('--> lib.slu:1:39\n');
    expect(read('lib.slu')).toContain('===');
    expect(read('uses.slu')).toBe('import "lib.slu" as lib;\nyield lib.same(1, 2);\n');
  });

  it('gives programs what is left', () => {
    folder.write('both.slu', 'yield 1 === missing;\n');
    const { code, stdout, stderr } = folder.run('check', 'both.slu', '--fix', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ code: 'E2012' }] });
    expect(stderr).toContain('1 fix made');
  });
});

describe('mending', () => {
  it('lets what was hidden come to light', () => {
    expect(mend('int x = "a"\nyield y === 1;\n')).toBe('int x = "a";\nyield y == 1;\n');
  });

  it.each([
    ['import { area } from "./shapes.slu";', 'import "./shapes.slu" as shapes;'],
    [
      'import {\n  area,\n  side as width,\n} from "lib/flat shapes.slu";',
      'import "lib/flat shapes.slu" as flatShapes;',
    ],
    ['import type { Shape } from "for.slu"', 'import "for.slu" as for2;'],
    ['import flat from "shapes.slu"', 'import "shapes.slu" as flat;'],
    ['import * as flat from "shapes.slu";', 'import "shapes.slu" as flat;'],
    ["import flat, { area } from 'shapes.slu';", 'import "shapes.slu" as shapes;'],
    ['import "shapes.slu"', 'import "shapes.slu" as shapes;'],
  ])('writes the imports of JavaScript as ours: %s', (wrong, right) => {
    const mended = mend(`${wrong}\n\nyield 1;\n`);
    expect(mended).toBe(`${right}\n\nyield 1;\n`);
    expect(format(mended)).toMatchObject({ text: mended, kept: [] });
  });

  it.each(['import { readFile } from "node:fs";\n', 'import area in "shapes.slu";\n', 'import { area };\n"a.slu";\n'])(
    'leaves what names no file of ours: %s',
    (text) => expect(mend(text)).toBe(text),
  );

  it('makes no fix that makes it worse', () => {
    const bad = 'yield 1 === 1;';
    const { diagnostics } = checkSource('a.slu', bad);
    const worse = (text: string) =>
      text === bad ? diagnostics : [...diagnostics, ...checkSource('a.slu', ')').diagnostics];
    expect(mendText(bad, worse, 'a.slu')).toMatchObject({ text: bad, made: [] });
  });

  it('comes to an end', () => {
    const bad = 'yield 1 === 1;';
    const { diagnostics } = checkSource('a.slu', bad);
    expect(mendText(bad, () => diagnostics, 'a.slu').made.length).toBeLessThanOrEqual(100);
  });

  it('leaves other files alone', () => {
    const { diagnostics } = checkSource('lib.slu', 'yield 1 === 1;');
    expect(mendText('yield 2;', () => diagnostics, 'a.slu').made).toEqual([]);
  });
});

describe('the sure fix of a wrong script in the catalog', () => {
  const rows = Object.values(catalog).filter(({ code, wrong }) =>
    checkSource('a.slu', wrong).diagnostics.some((found) => found.code === code && found.fix?.sure === true),
  );

  it('is there for many', () => {
    expect(rows.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        'E1004',
        'E1005',
        'E1009',
        'E1012',
        'E1013',
        'E2025',
        'E2038',
        'E2039',
        'E2041',
        'E2054',
      ]),
    );
  });

  it.each(rows.map(({ code, wrong }) => [code, wrong] as const))('%s takes it away', (code, wrong) => {
    const before = checkSource('a.slu', wrong).diagnostics.filter((found) => found.code === code);
    const mended = applyFixes(
      wrong,
      findSureFixes(before, 'a.slu').map(({ fix }) => fix),
    );
    expect(
      checkSource('a.slu', mended).diagnostics.filter((found) => found.code === code),
      mended,
    ).toEqual([]);
  });
});
