// A quote of a CSV that is broken: which one it is, and where it was opened, whatever else is wrong with the file.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findBrokenQuote } from '../../map/read/csv-quotes.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const pairs = 'type Out { string a; string b; } export Out map(string a, string b) { return { a: a, b: b }; }';
const many = Array.from({ length: 30_000 }, (_, at) => `${at},"v, ${at}"\n`).join('');

/** What is said behind the name of the file. */
async function said(content: string | Uint8Array, maxErrors = 0, name = 'quotes.csv'): Promise<string> {
  const input = folder.write(name, content);
  const error: unknown = await folder.map(pairs, input, { maxErrors }).catch((fault: unknown) => fault);
  return (error as Error).message.replace(`${input}: `, '');
}

const found = 'Value with unterminated quote found.';

describe('a broken quote', () => {
  it.each([
    ['is never closed', 'a,b\n1,"x\n2,y\n', `line 2: ${found} The quote in front of "x" is never closed`],
    [
      'is closed by the next one',
      `a,b\n1,"x\n2,y\n3,"z"\n${many}`,
      `line 2: ${found} The quote in front of "x" is closed in line 4, and "z\\"" stands behind that`,
    ],
    [
      'has more behind it',
      `a,b\n1,2\n"x"y,3\n${many}`,
      `line 3: ${found} The quote in front of "x" is closed, and "y,3" stands behind that`,
    ],
    [
      'stands behind a field of several lines',
      `a,b\n"1\n1","x"y\n${many}`,
      `line 3: ${found} The quote in front of "x" is closed, and "y" stands behind that`,
    ],
    ['stands far behind', `a,b\n${many}1,"x\n`, `line 30002: ${found} The quote in front of "x" is never closed`],
    [
      'stands behind a byte order mark',
      '\ufeff"a\na",b\n1,"x\n',
      `line 3: ${found} The quote in front of "x" is never closed`,
    ],
    ['ends its line', 'a,b\r\n1,"\r\n2,y\r\n', `line 2: ${found} It is never closed`],
    [
      'is in the first line',
      `a,"b\n${many}`,
      `line 1: ${found} The quote in front of "b" is closed in line 2, and "v, 0\\"" stands behind that`,
    ],
    [
      'is in names',
      'a,"b"c\n1,2\n',
      `line 1: ${found} The quote in front of "b" is closed, and "c" stands behind that`,
    ],
    [
      'is one with a backslash',
      `a,b\n1,"say \\"hi\\""\n${many}`,
      `line 2: ${found} The quote in front of "say \\\\" is closed, and "hi\\\\\\"\\"" stands behind that`,
    ],
  ])('that %s', async (_, content, message) => {
    for (const maxErrors of [0, 9]) expect(await said(content, maxErrors)).toBe(message);
    expect(await said(gzipSync(content), 0, 'quotes.csv.gz')).toBe(message);
  });

  it.each([
    ['in front of it', 'a,b\n0\n1,"x\n2,y\n', 3],
    ['behind it', 'a,b\n1,"x\n2,y\n3\n', 2],
    ['around it', `a,b\n0\n"x"y,2\n4\n${many}`, 3],
  ])('is told where there is a ragged line %s', async (_, content, line) => {
    for (const maxErrors of [0, 9]) expect(await said(content, maxErrors)).toMatch(`line ${line}: ${found} The quote`);
  });

  it('is none where texts have quotes, lines and spaces as they may', async () => {
    const field = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é'), maxLength: 6 })
      .chain((text) =>
        fc.constantFrom(
          `"${text.replaceAll('"', '""')}"`,
          ` "${text.replaceAll('"', '""')}" `,
          text.replaceAll(/[",\n]/g, ''),
        ),
      );
    const file = fc.array(
      fc.tuple(field, field).map((fields) => fields.join(',')),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(file, async (lines) => {
        const path = folder.write('whole.csv', `a,b\n${lines.join('\n')}`);
        expect(await findBrokenQuote(path)).toBe(null);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a quote in the middle of a name', () => {
  it('is a part of it, and the next line is one', async () => {
    const input = folder.write('inches.csv', 'a,5" pipe,"say ""b"""\n1,2,3\n4,5,6\n');
    const columns = { b: '5" pipe' };
    const { output } = await folder.map(pairs, input, { columns, format: 'csv' });
    expect(readFileSync(`${output}/part-00000.csv`, 'utf8')).toBe('a,b\n1,2\n4,5\n');
    await expect(folder.map(pairs, input, {})).rejects.toThrow('it has a, 5" pipe, say "b" in its first line');
  });
});
