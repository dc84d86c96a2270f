// `sluice map` as a user runs it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write(
  'clean.slu',
  `type Out { int id; double total; }
export Out map(int id, double price, int limit = 3) {
  if (id > limit) return null;
  if (price < 0) throw "negative price";
  return { id: id, total: price * 2 };
}
`,
);
folder.write('orders.csv', 'id,Unit Price\n1,2.5\n2,\n3,-1\n4,5\n');
const map = (...words: string[]): ReturnType<typeof sluice> =>
  sluice(['map', 'clean.slu', '--input', 'orders.csv', ...words], { folder: folder.path });

describe('sluice map', () => {
  it('takes arguments of json as they are written', () => {
    folder.write('json.slu', 'type Out { string text; } export Out map(json x) { return { text: `${x} ${x.a[2]}` }; }');
    folder.write('one.ndjson', '{"n":1}\n');
    const words = ['map', 'json.slu', '--input', 'one.ndjson', '-o', 'json', '--format', 'csv'];
    const { code } = sluice([...words, '-a', 'x={"a":[1.5,2,3.0]}'], { folder: folder.path });
    expect(code).toBe(0);
    expect(readFileSync(join(folder.path, 'json/part-00000.csv'), 'utf8')).toBe('text\n"{""a"":[1.5,2,3.0]} 3.0"\n');
  });

  it("keeps the engine's code of threads beside that of the command, and scripts see nothing of it", () => {
    folder.write(
      'see.slu',
      'type Out { boolean isHidden; }\n' +
        'export Out map(int id) { return { isHidden: Env.get("NODE_COMPILE_CACHE") == null }; }\n',
    );
    folder.write('ids.csv', 'id\n1\n');
    const words = ['map', 'see.slu', '--input', 'ids.csv', '--format', 'csv', '--allow-env=NODE_COMPILE_CACHE'];
    for (const output of ['first', 'second']) {
      const ended = sluice([...words, '-o', output], {
        folder: folder.path,
        environment: { XDG_CACHE_HOME: folder.path },
      });
      expect(ended.code, ended.stderr).toBe(0);
      expect(readFileSync(join(folder.path, output, 'part-00000.csv'), 'utf8')).toBe('isHidden\ntrue\n');
    }
    const kept = readdirSync(join(folder.path, 'sluice/code'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((path) => /[\\/]threads[\\/].*[\\/]/.test(path))).not.toEqual([]);
  });

  it('counts the rows of a summary', () => {
    folder.write(
      'sum.slu',
      `type State { int n; } type Out { int n; }
export State init() { return { n: 0 }; }
export void step(State s, int id) { s.n++; }
export void merge(State into, State from) { into.n += from.n; }
export Out finish(State s) { return { n: s.n }; }
`,
    );
    const sum = (...words: string[]): string =>
      sluice(['map', 'sum.slu', '--input', 'orders.csv', ...words], { folder: folder.path }).stderr;
    expect(sum('-o', 'sum')).toContain('4 records read, 1 row in sum/summary.parquet\n');
    expect(sum('-o', 'sums', '--by', 'id')).toContain('4 records read, 4 rows in sums/summary.parquet\n');
  });

  it('checks a merge, and ends with 3 where it gives another result', () => {
    const script = (merge: string): string => `type State { int n; } type Out { int n; }
export State init() { return { n: 0 }; }
export void step(State s, int id) { s.n += id; }
export void merge(State into, State from) { ${merge} }
export Out finish(State s) { return { n: s.n }; }
`;
    folder.write('merge.slu', script('into.n += from.n;'));
    folder.write('forgets.slu', script('into.n = from.n;'));
    const check = (name: string): ReturnType<typeof sluice> =>
      sluice(['map', name, '--input', 'orders.csv', '-o', 'none', '--check-merge'], { folder: folder.path });
    const fine = check('merge.slu');
    expect([fine.code, fine.stderr, fine.stdout]).toEqual([
      0,
      '',
      'sample       4 records in 1 group, cut into 4 pieces\n' +
        'merge        gives what one state of all records gives, in 4 orders\n',
    ]);
    const { code, stdout } = check('forgets.slu');
    expect(code).toBe(3);
    expect(stdout).toContain(
      'merge        gives another result\n  pieces merged as a run does\n' +
        '    one state of all records  n = 10\n    merged                    n = 4\n',
    );
    expect(existsSync(join(folder.path, 'none'))).toBe(false);
  });

  it('says what is done of a run that was stopped', () => {
    const words = ['-o', 'stopped', '--column', 'price=Unit Price', '--null', 'price=skip', '--partition-rows', '2'];
    // With two threads the second partition may fail before the first is committed.
    expect(map(...words, '--threads', '1').code).toBe(3);
    expect(map(...words, '--plan').stdout).not.toContain('resume');
    expect(map(...words, '--resume', '--plan').stdout).toMatch(
      /\nresume {7}1 partition is committed, 1 partition is left\n$/,
    );
    const other = map(...words, '--seed', '2', '--resume', '--plan');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the options differ')]);
  });

  it('writes columns of ints as dates', () => {
    const words = ['--column', 'price=Unit Price', '--null', 'price=skip', '--max-errors', '1', '-a', 'limit=9'];
    const { code, stderr } = map('-o', 'dated', ...words, '--type', 'id=DATE', '--format', 'ndjson');
    expect(code, stderr).toBe(0);
    const [first] = readFileSync(join(folder.path, 'dated/part-00000.ndjson'), 'utf8').split('\n');
    expect(first).toBe('{"id":"1970-01-02","total":5.0}');
    expect(map('-o', 'x', ...words, '--type', 'id=timestamp', '--plan').stdout).toContain(
      '\n  id    → TIMESTAMP the int',
    );
    expect(map('-o', 'x', ...words, '--type', 'idd=DATE').stderr).toBe(
      'sluice: --type idd=DATE: the script gives no such column: did you mean id?; it gives id, total\n',
    );
    expect(map('-o', 'x', ...words, '--type', 'id').stderr).toContain(
      '--type takes a name, an equals sign and a value',
    );
  });

  it('says which files and folders it may not read', () => {
    const words = ['map', 'clean.slu', '-o', 'x', '--column', 'price=Unit Price'];
    const said = (input: string): readonly unknown[] => {
      const { code, stderr } = sluice([...words, '--input', input], { folder: folder.path, unprivileged: true });
      return [code, stderr];
    };
    mkdirSync(join(folder.path, 'locked'));
    folder.write('locked/orders.csv', 'id,Unit Price\n1,2.5\n');
    for (const name of ['secret.csv', 'secret.ndjson', 'secret.parquet', 'secret.arrow']) {
      folder.write(name, 'id,Unit Price\n1,2.5\n');
      chmodSync(join(folder.path, name), 0);
      expect(said(name)).toEqual([2, `sluice: cannot read ${name}: permission is denied\n`]);
    }
    chmodSync(join(folder.path, 'locked'), 0);
    for (const input of ['locked', 'locked/orders.csv'])
      expect(said(input)).toEqual([2, `sluice: cannot read ${input}: permission is denied\n`]);
    expect(said('locked/*.csv')).toEqual([2, expect.stringMatching(/locked\/\*\.csv(: permission is denied)?\n$/)]);
    chmodSync(join(folder.path, 'locked'), 0o700);
  });

  it('says what it would do', () => {
    const { code, stdout, stderr } = map(
      '-o',
      'out',
      '--column',
      'price=Unit Price',
      '--null',
      'price=skip',
      '-a',
      'limit=9',
      '--plan',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`script       clean.slu: map takes a record and gives one or none
input        1 file (csv), 32 bytes, records and partitions are counted when it runs
  id TEXT         → int id       dates are days, with a time microseconds since 1970-01-01; null is a dead letter
  Unit Price TEXT → double price null leaves the record out
  -a limit: int, the same for all records
output       out (parquet)
  id    → BIGINT
  total → DOUBLE
permissions  none
limits       60 s and 1.1 GB for a batch of records; 0 records may fail
estimate     about 1 s of one core, and what the script itself takes
`);
    expect(existsSync(join(folder.path, 'out'))).toBe(false);
  });

  it('maps, and says how many records were what', () => {
    const words = [
      '-o',
      'csv',
      '--format',
      'csv',
      '--column',
      'price=Unit Price',
      '--null',
      'price=0.5',
      '--max-errors',
      '1',
    ];
    const { code, stderr } = map(...words);
    expect(stderr).toContain('\n4 records read, 2 written, 1 failed, which csv/_errors has\n');
    expect(code).toBe(0);
    expect(readFileSync(join(folder.path, 'csv/part-00000.csv'), 'utf8')).toBe('id,total\n1,5.0\n2,1.0\n');
    expect(map(...words).stderr).toBe(
      'sluice: csv has the output of a run that is complete: give another folder, or remove it\n',
    );
  });

  it('ends where more records fail than may', () => {
    const { code, stderr } = map('-o', 'strict', '--column', 'price=Unit Price');
    expect(code).toBe(3);
    expect(stderr).toContain('sluice: orders.csv, record 2: NullError: Unit Price is null: ');
    expect(stderr).toContain('--resume and another --max-errors');
  });

  it('says what it needs', () => {
    expect(sluice(['map', 'clean.slu'], { folder: folder.path }).stderr).toContain(
      'sluice map needs files to read: --input FILES',
    );
    expect(map('-o', 'x', '--column', 'price').stderr).toContain('--column takes a name, an equals sign and a value');
    expect(map('-o', 'x', '--threads', 'two').stderr).toContain('--threads takes a whole number');
    for (const share of ['101%', '-1%', 'few'])
      expect(map('-o', 'x', `--max-errors=${share}`).stderr).toContain(
        '--max-errors takes a whole number, or a share such as 1%, not ',
      );
    expect(map('-o', 'x', '--column', 'price=Unit Price', '--max-errors', '1.5%', '--plan').stdout).toContain(
      '1.5% of the records may fail',
    );
    const { code, stderr } = map('-o', 'x', '--column', 'price=Unit Price', '-a', 'limit=x');
    expect(stderr).toContain('limit: expected int as JSON, got x');
    expect(code).toBe(2);
    folder.write('wrong.slu', 'type Out { int id; }\nexport Out map(int id) { return { id: ix }; }\n');
    const wrong = sluice(['map', 'wrong.slu', '--input', 'orders.csv', '-o', 'x'], { folder: folder.path });
    expect(wrong.stderr).toContain('there is no variable');
    expect(wrong.code).toBe(1);
  });

  it('stops at Ctrl-C, and goes on with --resume', async () => {
    writeFileSync(
      join(folder.path, 'slow.csv'),
      `id,price\n${Array.from({ length: 200 }, (_, id) => `${id},1`).join('\n')}\n`,
    );
    folder.write(
      'slow.slu',
      'type Out { int id; int sum; }\n' +
        'export Out map(int id) {\n  int sum = 0;\n  for (int i = 0; i < 40_000_000; i++) sum += i ^ id;\n' +
        '  return { id: id, sum: sum };\n}\n',
    );
    const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
    const words = ['map', 'slow.slu', '--input', 'slow.csv', '-o', 'slow', '--partition-rows', '2', '--threads', '1'];
    const running = spawn(process.execPath, [entry, ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // A folder of which nothing is committed would be given to another run.
    const commits = join(folder.path, 'slow/_commits');
    const stopping = setInterval(() => {
      if (!existsSync(commits) || !readdirSync(commits).some((name) => name.endsWith('.json'))) return;
      clearInterval(stopping);
      running.kill('SIGINT');
    }, 20);
    const [code] = (await once(running, 'exit')) as [number];
    clearInterval(stopping);
    expect(stderr).toMatch(
      /\nstopped: \d+ of 100 partitions are done; the same command with --resume goes on behind them\n$/,
    );
    expect(code).toBe(130);
    expect(sluice(words, { folder: folder.path }).stderr).toContain(
      'slow has the output of a run that was stopped: --resume goes on with it',
    );
    folder.write('slow.slu', 'type Out { int id; }\nexport Out map(int id) { return { id: id }; }\n');
    expect(sluice([...words, '--resume'], { folder: folder.path }).stderr).toContain(
      'slow has the output of another run: the script and the options differ; give another folder',
    );
    rmSync(join(folder.path, 'slow'), { recursive: true });
  });
});
