// `sluice map` with a queue: Redis, one worker and the coordinator, all on this machine. What they take together is
// written into descriptor 3, as `usage.js` does for one process.
//
//   node queue.ts SCRIPT INPUT OUTPUT [--threads=N] [options of sluice map]

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { writeKeys } from '../../../map/queue/keys.ts';
import { startRedis } from '../../../test/map/queue-servers.ts';
import type { Measured } from '../measure.ts';

type Usage = Omit<Measured, 'wallMs'>;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

class Command {
  readonly child: ChildProcess;
  readonly #said: Promise<string>;
  readonly #usage: Promise<string>;
  readonly #exit: Promise<unknown[]>;

  constructor(...words: readonly string[]) {
    const file = path('../../../packages/sluice/bin/sluice.mjs');
    this.child = spawn(process.execPath, ['--import', path('../usage.js'), file, ...words], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#said = text(this.child.stderr!);
    this.#usage = text(this.child.stdio[3] as Readable);
    this.#exit = once(this.child, 'exit');
  }

  /** Until it has said something: that it is ready. */
  async begun(): Promise<void> {
    await Promise.race([once(this.child.stderr!, 'data'), this.#exit]);
  }

  async end(): Promise<Usage> {
    const [[code], said, usage] = await Promise.all([this.#exit, this.#said, this.#usage]);
    if (code !== 0) throw new Error(`it ended with ${String(code)}: ${said}`);
    return JSON.parse(usage) as Usage;
  }
}

/** What the server has taken, by its own account. */
function usageOf(url: string): Usage {
  const info = execFileSync('redis-cli', ['-u', url, 'INFO', 'everything'], { encoding: 'utf8' });
  const value = (name: string): number => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(info)![1]);
  return {
    cpuMs: (value('used_cpu_user') + value('used_cpu_sys')) * 1000,
    bytes: value('used_memory_peak'),
  };
}

const [script, input, output, ...options] = process.argv.slice(2) as [string, string, string, ...string[]];
const isThreads = (option: string): boolean => option.startsWith('--threads=');
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-queue-'));
const redis = await startRedis();
try {
  const queue = ['--queue', redis.url];
  const keys = writeKeys(join(folder, 'job'));
  const worker = new Command(
    'map-worker',
    ...queue,
    `--trust=${keys.publicKey}`,
    `--allow-input=${dirname(input)}`,
    `--allow-output=${dirname(output)}`,
    ...options.filter(isThreads),
  );
  try {
    await worker.begun();
    const words = ['map', script, '--input', input, '--output', output, ...queue, '--key', keys.privateKey];
    const coordinator = await new Command(...words, ...options.filter((option) => !isThreads(option))).end();
    worker.child.kill('SIGTERM');
    const parts = [coordinator, await worker.end(), usageOf(redis.url)];
    const sum = (name: keyof Usage): number => parts.reduce((all, part) => all + part[name], 0);
    writeSync(3, JSON.stringify({ cpuMs: sum('cpuMs'), bytes: sum('bytes') }));
  } finally {
    worker.child.kill('SIGKILL');
  }
} finally {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
