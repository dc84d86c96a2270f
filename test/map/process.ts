// `sluice map` as a process, which can be sent signals.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface Disturbance {
  readonly signal: NodeJS.Signals;
  readonly afterMs: number;
}

/** Runs it to its end; `below` is a shell command that runs it as `"$@"`. */
export async function runMapProcess(
  words: readonly string[],
  disturbance: Disturbance | null = null,
  below = 'exec "$@"',
): Promise<Ended> {
  const child = spawn('sh', ['-c', below, 'sh', process.execPath, command, 'map', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ending = once(child, 'close');
  if (disturbance !== null) {
    await Promise.race([ending, sleep(disturbance.afterMs)]);
    child.kill(disturbance.signal);
  }
  const [code, signal] = (await ending) as [number | null, NodeJS.Signals | null];
  return { code, signal, stderr };
}
