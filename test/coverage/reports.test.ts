// What is said of what ran: the table, lcov's format, and pages.

import { describe, expect, it } from 'vitest';
import { formatPercent, mergeCoverage, summaryOf, totalOf } from '../../src/coverage/coverage.ts';
import type { FileCoverage } from '../../src/coverage/coverage.ts';
import { htmlReport } from '../../src/coverage/reports/html.ts';
import { lcovReport } from '../../src/coverage/reports/lcov.ts';
import { coverageTable } from '../../src/coverage/reports/text.ts';
import { plainStyle } from '../../src/diagnostics/render.ts';
import { coverageOfScript } from './counting.ts';

const script = `int half(int n) {
  if (n % 2 == 1)
    throw "odd";
  return n / 2;
}

void unused() {
  yield 1;

  yield 2;
}
yield half(4);
`;
const [file] = (await coverageOfScript(script)) as [FileCoverage];
const style = { ...plainStyle, passed: (text: string) => text };
const empty: FileCoverage = { path: 'b.slu', text: '', statements: [], functions: [], branches: [] };

describe('a share', () => {
  it('is whole only where nothing is missing', () => {
    expect(formatPercent({ found: 0, hit: 0 })).toBe('100');
    expect(formatPercent({ found: 3, hit: 3 })).toBe('100');
    expect(formatPercent({ found: 100_000, hit: 99_999 })).toBe('99.9');
    expect(formatPercent({ found: 3, hit: 0 })).toBe('0.0');
  });

  it('of several files is that of all that is in them', () => {
    expect(totalOf([summaryOf(file), summaryOf(empty)])).toEqual(summaryOf(file));
    expect(summaryOf(file)).toEqual({
      lines: { found: 6, hit: 3 },
      branches: { found: 2, hit: 1 },
      functions: { found: 2, hit: 1 },
    });
  });
});

describe('counts of the same file', () => {
  it('add up', () => {
    const [both] = mergeCoverage([file, file]) as [FileCoverage];
    const twice = ({ count }: { readonly count: bigint }): bigint => count * 2n;
    expect(both.statements.map(({ count }) => count)).toEqual(file.statements.map(twice));
    expect(both.functions.map(({ count }) => count)).toEqual(file.functions.map(twice));
    expect(both.branches.flatMap(({ outcomes }) => outcomes.map(({ count }) => count))).toEqual(
      file.branches.flatMap(({ outcomes }) => outcomes.map(twice)),
    );
  });

  it('add up where one knows of code that the other does not have', () => {
    const library = { ...file, statements: file.statements.slice(0, 2), functions: [], branches: [] };
    const [both] = mergeCoverage([library, file]) as [FileCoverage];
    expect(both.statements.length).toBe(file.statements.length);
    expect(summaryOf(both)).toEqual(summaryOf(file));
  });

  it('are kept apart if its text has changed, and files are in the order of their names', () => {
    const changed = { ...file, text: `${file.text}\n` };
    expect(mergeCoverage([empty, changed, file]).map(({ path }) => path)).toEqual(['a.slu', 'a.slu', 'b.slu']);
  });
});

describe('the table', () => {
  it('has a row for each file, and one for all', () => {
    expect(coverageTable([file, empty], style)).toEqual([
      '',
      'file          lines  branches  never reached',
      'a.slu        50.0 %    50.0 %  3, 8-10, a branch in 2',
      'b.slu         100 %     100 %',
      'all files    50.0 %    50.0 %',
    ]);
  });

  it('says so where there is nothing', () => {
    expect(coverageTable([], style).join('\n')).toContain('no code but their own');
  });

  it('escapes names', () => {
    expect(coverageTable([{ ...empty, path: 'a\u001b[2J.slu' }], style).join('\n')).toContain('a\\u001b[2J.slu');
  });
});

it('the format of lcov has functions, branches and lines', () => {
  expect(lcovReport([file]).split('\n')).toEqual([
    'TN:',
    'SF:a.slu',
    'FN:1,half',
    'FN:7,unused',
    'FNDA:1,half',
    'FNDA:0,unused',
    'FNF:2',
    'FNH:1',
    'BRDA:2,0,0,0',
    'BRDA:2,0,1,1',
    'BRF:2',
    'BRH:1',
    'DA:2,1',
    'DA:3,0',
    'DA:4,1',
    'DA:8,0',
    'DA:10,0',
    'DA:12,1',
    'LF:6',
    'LH:3',
    'end_of_record',
    '',
  ]);
});

it('the format of lcov has no counts for branches that control never came to', async () => {
  const files = await coverageOfScript('void f() {\n  if (1 > 2) yield 1;\n}\nyield 1;\n');
  expect(lcovReport(files)).toContain('BRDA:2,0,0,-\nBRDA:2,0,1,-\n');
});

describe('the pages', () => {
  const pageOf = (of: FileCoverage): string => htmlReport([of])[1]!.content;

  it('show each line with its count, and what never happens beside it', () => {
    const page = pageOf(file);
    expect(page.match(/<tr/g)).toHaveLength(12);
    expect(page).toContain('<tr class="missed" id="L3">');
    expect(page).toMatch(/<tr class="hit" id="L12">.*<td class="count">1×<\/td>/);
    expect(page).toContain('if (<mark title="this is never true">n % 2 == 1</mark>)');
    expect(page).toContain('<td class="note">this is never true</td>');
    // Of code that was not reached as a whole nothing more is said.
    expect(page.match(/<mark/g)).toHaveLength(1);
  });

  it('paint what they are told to, across lines and marks', async () => {
    const [of] = (await coverageOfScript('/* a\nb */ if (1 > 2) yield 1;')) as [FileCoverage];
    const paint = [
      { start: 0, end: 9, kind: 'comment' },
      { start: 14, end: 15, kind: 'literal' },
    ];
    const page = htmlReport([of], () => paint)[1]!.content;
    expect(page).toContain('<code><span class="comment">/* a</span></code>');
    expect(page).toContain(
      '<span class="comment">b */</span> if (<mark title="this is never true"><span class="literal">1</span></mark>',
    );
  });

  it('hold nothing of a script that a browser would act on', () => {
    const evil = `"><script>alert('&')</script>`;
    const pages = htmlReport([{ ...empty, path: evil, text: evil }]);
    for (const { content } of pages) {
      expect(content).not.toContain('<script');
      expect(content).toContain('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;');
    }
  });

  it('are in the folder of the report, each under a name of its own', () => {
    const names = ['../../etc/x.slu', 'index', 'a b.slu', 'a_b.slu', 'lib/c.slu', '/d.slu'];
    const pages = htmlReport(names.map((path) => ({ ...empty, path })));
    expect(pages.map(({ path }) => path)).toEqual([
      'index.html',
      '__/__/etc/x.slu.html',
      'index-2.html',
      'a_b.slu.html',
      'a_b.slu-2.html',
      'lib/c.slu.html',
      'd.slu.html',
    ]);
    expect(pages[0]!.content).toContain('<a href="lib/c.slu.html">lib/c.slu</a>');
    expect(pages[5]!.content).toContain('<a href="../index.html">');
  });
});
