// The commands for many machines as people use them: sluice map --queue, map-worker, map-keys.

import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadPackages } from '../../map/queue/packages.ts';
import { root } from '../../tools/entries.ts';
import { hashesOf, MapFolder } from './harness.ts';
import { startRedis } from './queue-servers.ts';

const folder = new MapFolder();
const redis = await startRedis();
const processes: Command[] = [];
afterEach(async () => {
  for (const one of processes.splice(0)) {
    one.kill('SIGKILL');
    await one.end;
  }
});
afterAll(async () => {
  await redis.stop();
  folder.remove();
});

/** `sluice` with these words, in the folder. */
class Command {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  text = '';
  readonly end: Promise<number | NodeJS.Signals | null>;

  constructor(...words: readonly string[]) {
    this.#child = spawn(process.execPath, [join(root, 'packages/sluice/bin/sluice.mjs'), ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder.path },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (data: Buffer) => (this.text += String(data)));
    this.end = new Promise((resolve) => this.#child.once('close', (code, signal) => resolve(code ?? signal)));
    processes.push(this);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async says(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`it has ended without ${text}: ${this.text}`);
      await sleep(20);
    }
  }
}

const queue = ['--queue', redis.url];
const worker = (): Command =>
  new Command(
    'map-worker',
    ...queue,
    '--trust=job.pub',
    '--allow-input=.',
    '--allow-output=.',
    '--threads=1',
    '--lock-time=3',
    '--grace=30',
  );

describe('sluice map with a queue', () => {
  it('is made of three commands, and gives the same bytes while a worker is killed', async () => {
    const keys = new Command('map-keys', 'job');
    expect(await keys.end).toBe(0);
    expect(statSync(folder.file('job.key')).mode & 0o77).toBe(0);
    const again = new Command('map-keys', 'job');
    expect(await again.end).toBe(2);
    expect(again.text).toBe('sluice: job.key is there already: jobs that it signed would no longer be trusted\n');
    await folder.parquet('in.parquet', 'SELECT i AS n FROM range(60000) AS r(i)', ', ROW_GROUP_SIZE 4096');
    folder.write('s.slu', 'type Out { int n; } export Out map(int n) { return { n: n * 2 }; }');
    const words = ['map', 's.slu', '--input', 'in.parquet', '--partition-rows', '4096'];
    expect(await new Command(...words, '-o', 'here').end).toBe(0);
    const victim = worker();
    await victim.says('takes partitions from redis://127.0.0.1:');
    const map = new Command(...words, '-o', 'there', ...queue, '--key', 'job.key');
    await victim.says(' records, ');
    victim.kill('SIGKILL');
    const other = worker();
    expect(await map.end).toBe(0);
    expect(map.text).toContain('60,000 records read, 60,000 written\n');
    expect(hashesOf(folder.file('there'))).toEqual(hashesOf(folder.file('here')));
    other.kill('SIGTERM');
    expect(await other.end).toBe(0);
    expect(other.text).toContain('ends when what it is at is done (0)');
  });

  it('sums up by groups, and gives the same bytes while one of two workers is killed', async () => {
    await folder.parquet(
      'sales.parquet',
      "SELECT i AS id, i * 0.1 AS price, ['DE', 'FR', NULL][1 + i % 3] AS country FROM range(80000) AS r(i)",
      ', ROW_GROUP_SIZE 4096',
    );
    folder.write(
      'sums.slu',
      `type Sale { string country; double price; }
       type State { int count; double sum; }
       type Sums { int count; double sum; }
       export Sale map(int id, string country, double price) {
         int x = id;
         for (int i = 0; i < 10_000; i++) x = (x * 31 + i) % 1_000_003;
         if (x < 0) throw "never";
         return { country: country, price: price };
       }
       export State init() { return { count: 0, sum: 0.0 }; }
       export void step(State s, double price) { s.count++; s.sum += price; }
       export void merge(State into, State from) { into.count += from.count; into.sum += from.sum; }
       export Sums finish(State s) { return { count: s.count, sum: s.sum }; }`,
    );
    const words = ['map', 'sums.slu', '--input', 'sales.parquet', '--by', 'country', '--partition-rows', '4096'];
    expect(await new Command(...words, '-o', 'sums-here').end).toBe(0);
    const [victim, other] = [worker(), worker()];
    await victim.says('takes partitions');
    await other.says('takes partitions');
    const map = new Command(...words, '-o', 'sums-there', ...queue, '--key', 'job.key');
    await victim.says(' records, ');
    await other.says(' records, ');
    victim.kill('SIGKILL');
    expect(await victim.end).toBe('SIGKILL');
    expect(victim.text).not.toContain('summary of ');
    expect(await map.end).toBe(0);
    expect(map.text).toContain('80,000 records read, 80,000 written, 3 rows in sums-there/summary.parquet\n');
    const hashes = hashesOf(folder.file('sums-there'));
    expect(hashes).toEqual(hashesOf(folder.file('sums-here')));
    expect(Object.keys(hashes)).toEqual(expect.arrayContaining(['/_SUCCESS', '/summary.parquet']));
    await other.says('summary of ');
  });

  it('can be stopped, coordinator and worker, also without the queue', async () => {
    folder.write('endless.slu', 'type Out { int n; } export Out map(int n) { while (n == 1) {} return { n: n }; }');
    const words = ['map', 'endless.slu', '--input', 'one.ndjson', '-o', 'endless', ...queue, '--key', 'job.key'];
    folder.write('one.ndjson', '{"n":1}\n');
    const one = worker();
    const map = new Command(...words);
    await one.says('takes partitions');
    await map.says('of 1 partitions');
    await sleep(1_000);
    one.kill('SIGTERM');
    await one.says('a second signal ends it at once');
    one.kill('SIGTERM');
    expect(await one.end).toBe('SIGKILL');
    await redis.kill();
    map.kill('SIGINT');
    expect(await map.end).toBe(130);
    expect(map.text).toContain(
      'stopped: 0 of 1 partitions are done; the same command with --resume goes on behind them\n',
    );
    await redis.start();
  });

  it('says what is missing', async () => {
    const fails = async (...words: readonly string[]): Promise<string | undefined> => {
      const command = new Command(...words);
      expect(await command.end).toBe(2);
      return command.text.split('\n')[0];
    };
    const map = ['map', 's.slu', '--input', 'in.parquet', '-o', 'none'];
    expect(await fails(...map, ...queue)).toBe(
      'sluice: jobs of a queue are signed: --key FILE; sluice map-keys NAME makes NAME.key, and NAME.pub for workers',
    );
    expect(await fails(...map, '--key', 'job.key')).toBe('sluice: --key goes with --queue');
    expect(await fails(...map, '--key', 'job.pub', ...queue)).toBe(
      'sluice: job.pub is no private key for Ed25519: sluice map-keys NAME makes NAME.key and NAME.pub',
    );
    expect(await fails(...map, '--key', 'job.key', '--queue', 'redis://u:secret@127.0.0.1:1')).toBe(
      'sluice: cannot reach the queue at redis://127.0.0.1:1: ECONNREFUSED',
    );
    expect(await fails('map-worker', ...queue)).toBe(
      'sluice: sluice map-worker needs --trust FILE and --allow-input DIR and --allow-output DIR',
    );
    await expect(loadPackages('a queue at redis://', ['bullmq', 'no-such-package'])).rejects.toThrow(
      'a queue at redis:// needs what is not installed: npm install no-such-package',
    );
  });
});
