// What scripts may reach besides their records: by flags alone, in every thread.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { describePlan, planMap } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { Database, DatabaseError, fileToRead, fileToWrite } from '../../map/duckdb/database.ts';
import { failuresOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());
const input = folder.write('in.csv', 'n\n1\n2\n3\n4\n');
const lookup = folder.write('lookup.txt', 'from the file');

const script = (body: string): string => `type Out { int n; string s; } export Out map(int n) { ${body} }`;
const reads = script(`return { n: n, s: File.read("${lookup}") };`);
const writes = (path: string): string => script(`File.append("${path}", "x"); return { n: n, s: "" };`);

async function refused(text: string, options: Partial<MapOptions> = {}): Promise<string> {
  const path = folder.write('refused.slu', text);
  return planMap({ script: path, input, output: folder.file('refused'), ...options }).then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message.replaceAll(`${folder.path}/`, '')}`,
  );
}

describe('a script that asks', () => {
  it('is refused before a record is read, with the flag that allows it', async () => {
    expect(await refused(reads)).toBe('MapError: refused.slu asks for File.Read: allow it with --allow-file-read=DIR');
    expect(await refused(reads, { permissions: { 'allow-http': 'example.com' } })).toContain('asks for File.Read');
    expect(await refused(script('Http.get("https://example.com"); return null;'))).toContain(
      'asks for Http.Get: allow it with --allow-http-get=DOMAIN',
    );
    expect(await refused(reads, { permissions: { 'alow-file': folder.path } })).toBe(
      'MapError: permissions has no flag alow-file: did you mean allow-file?',
    );
    expect(await refused(reads, { permissions: { 'allow-file': '/nowhere/at/all' } })).toContain('allow-file');
  });

  it('needs more where it has effects, which retries have again', async () => {
    expect(await refused(writes('a'), { permissions: { 'allow-file': folder.path } })).toBe(
      'MapError: refused.slu asks for File.Append, and a partition that is done again does that again: ' +
        '--allow-repeats says that it may',
    );
    const plan = await planMap({
      script: folder.write('allowed.slu', writes('a')),
      input,
      output: 'out',
      permissions: { 'allow-file': folder.path },
      allowRepeats: true,
    });
    expect(describePlan(plan)).toContain(
      `\npermissions  File.Append; by --allow-file=${folder.path} --allow-repeats\n`,
    );
  });

  it('reads in every thread', async () => {
    const { output, end } = await folder.map(reads, input, {
      permissions: { 'allow-file-read': folder.path },
      threads: 2,
      partitionRows: 1,
    });
    expect(end).toMatchObject({ read: 4, done: 4 });
    expect(await rowsOf(output)).toEqual([1, 2, 3, 4].map((n) => `{"n":${n},"s":"from the file"}`));
  });

  it('gets a dead letter where the flags do not cover it', async () => {
    mkdirSync(folder.file('other'));
    const { output } = await folder.map(reads, input, {
      permissions: { 'allow-file-read': folder.file('other') },
      maxErrors: 4,
    });
    expect(failuresOf(output).map(({ type }) => type)).toEqual(Array(4).fill('SecurityError'));
  });

  it('writes where it may, as often as it runs', async () => {
    const path = folder.write('log.txt', '');
    await folder.map(writes(path), input, { permissions: { 'allow-file': folder.path }, allowRepeats: true });
    expect(readFileSync(path, 'utf8')).toBe('xxxx');
  });

  it('waits for the network', async () => {
    const server = createServer((request, response) => setTimeout(() => response.end(`page ${request.url!}`), 5));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { output } = await folder.map(
        script(`return { n: n, s: Http.get(\`http://127.0.0.1:${port}/\${n}\`) };`),
        input,
        { permissions: { 'allow-http-get': '127.0.0.1', 'http-ports': String(port) }, threads: 2, partitionRows: 2 },
      );
      expect(await rowsOf(output)).toEqual([1, 2, 3, 4].map((n) => `{"n":${n},"s":"page /${n}"}`));
    } finally {
      server.close();
    }
  });
});

describe('plugins', () => {
  const plugin = folder.write(
    'shop.mjs',
    `import { defineModule } from ${JSON.stringify(import.meta.resolve('sluice/plugins'))};
     export default defineModule({
       name: 'Shop',
       documentation: 'A shop.',
       functions: {
         'int price(int item)': (item) => item * 10n,
         'string later(int item)': { documentation: 'A text.', call: async (item) => \`later \${item}\` },
         'void buy(int item)': { documentation: 'Buys.', permission: 'shop:buy', call: () => {} },
       },
     });`,
  );

  it('are called in each thread, those that wait too', async () => {
    const { output } = await folder.map(script('return { n: Shop.price(n), s: Shop.later(n) };'), input, {
      plugins: [plugin],
      threads: 2,
      partitionRows: 2,
    });
    expect(await rowsOf(output)).toEqual([1, 2, 3, 4].map((n) => `{"n":${n * 10},"s":"later ${n}"}`));
  });

  it('whose functions have a permission need it, and that they may be called again', async () => {
    const buys = script('Shop.buy(n); return { n: n, s: "" };');
    expect(await refused(buys, { plugins: [plugin] })).toBe(
      'MapError: refused.slu asks for shop:buy: allow it with --allow-plugin=shop:buy',
    );
    const permissions = { 'allow-plugin': 'shop:buy' };
    expect(await refused(buys, { plugins: [plugin], permissions })).toContain('--allow-repeats');
    const { end } = await folder.map(buys, input, { plugins: [plugin], permissions, allowRepeats: true });
    expect(end).toMatchObject({ written: 4 });
    expect(await refused(buys, { plugins: [folder.write('none.mjs', 'export const a = 1;')] })).toContain(
      'exports no plugin',
    );
    const taken = folder.write(
      'taken.mjs',
      `import { defineModule } from ${JSON.stringify(import.meta.resolve('sluice/plugins'))};
       export default defineModule({ name: 'P', functions: { 'string upper()': { on: 'string', call: () => '' } } });`,
    );
    expect(await refused(buys, { plugins: [taken] })).toBe(
      'MapError: plugin P, upper: string has a method of this name already',
    );
  });
});

describe('DuckDB', () => {
  it('reaches the files and folders of the run, and nothing else', async () => {
    const secret = folder.write('secret.csv', 'a\n1\n');
    mkdirSync(folder.file('open'));
    const database = await Database.open({
      threads: 1,
      memoryBytes: 2 ** 28,
      temporary: folder.file('open/temporary'),
      reach: { files: [input], folders: [folder.file('open')] },
    });
    try {
      expect(await database.texts(`SELECT CAST(sum(n) AS VARCHAR) FROM read_csv(${fileToRead(input)})`)).toEqual([
        ['10'],
      ]);
      await database.run(`COPY (SELECT 1 AS a) TO ${fileToWrite(folder.file('open/a.parquet'))}`);
      for (const sql of [
        `SELECT * FROM read_csv(${fileToRead(secret)})`,
        `SELECT * FROM read_csv('${folder.path}/*.csv')`,
        `SELECT * FROM read_text('${folder.file('open')}/../secret.csv')`,
        `SELECT * FROM read_text('/etc/passwd')`,
        `COPY (SELECT 1) TO '${folder.file('written.csv')}'`,
        `ATTACH '${folder.file('written.db')}'`,
        "SELECT * FROM read_csv('https://example.com/a.csv')",
        'SET enable_external_access = true',
        `SET allowed_directories = ['/']`,
        "SET memory_limit = '9GB'",
        'RESET lock_configuration',
        'INSTALL httpfs',
        'LOAD httpfs',
      ])
        await expect(database.run(sql), sql).rejects.toThrow(DatabaseError);
      expect(readdirSync(folder.path).filter((name) => name.startsWith('written'))).toEqual([]);
    } finally {
      database.close();
    }
  });
});
