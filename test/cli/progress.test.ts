// What a terminal shows of a run that is silent, and that nobody else gets any of it.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { OutputStream } from '../../src/cli/output.ts';
import { Progress } from '../../src/cli/progress.ts';
import { Folder } from './sluice.ts';

const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
const folder = new Folder();
const server = createServer((_request, response) => void setTimeout(() => response.end('answer'), 2_600));
afterAll(() => {
  server.close();
  folder.remove();
});

folder.write(
  'silent.slu',
  'main() { yield "begun"; int end = Date.now() + 2600; int n = 0; while (Date.now() < end) n++; yield "done"; }',
);
folder.write('waits.slu', 'main(string url) { yield "begun"; yield Http.get(url); }');

/** Runs it with standard error, or both streams, on a terminal. */
function run(
  words: readonly string[],
  where: 'terminal' | 'errors' | 'pipe',
): Promise<{ readonly output: string; readonly code: number | null }> {
  const quoted = [process.execPath, entry, ...words].map((word) => `'${word}'`).join(' ');
  const [program, ...rest] =
    where === 'pipe'
      ? ['sh', '-c', quoted]
      : ['script', '-qefc', where === 'errors' ? `${quoted} >out.txt` : quoted, '/dev/null'];
  const child = spawn(program!, rest, {
    cwd: folder.path,
    env: { ...process.env, TERM: 'xterm', NODE_OPTIONS: '', NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ output, code })));
}

const shown = '\r\u001b[Krunning for 2 s; Ctrl-C ends it';
const erased = '\r\u001b[K';

describe.runIf(process.platform === 'linux')('a silent run', () => {
  it('that computes says on a terminal that it goes on, until there is output', async () => {
    const { output, code } = await run(['silent.slu'], 'terminal');
    expect({ code, output }).toEqual({ code: 0, output: `begun\r\n${shown}${erased}done\r\n` });
  });

  it('that waits does so too, and a line of another stream is output', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { output, code } = await run(['waits.slu', '-a', `url=${url}`, '--allow-http=127.0.0.1'], 'errors');
    expect({ code, output }).toEqual({ code: 0, output: `${shown}${erased}` });
  });

  it('says nothing in a pipe', async () => {
    const { output, code } = await run(['silent.slu'], 'pipe');
    expect({ code, output }).toEqual({ code: 0, output: 'begun\ndone\n' });
  });
});

describe('progress', () => {
  /** A stream that keeps what it is to show. */
  class KeptStream extends OutputStream {
    readonly statuses: string[] = [];

    constructor() {
      super(2, true);
    }

    override status(text: string): void {
      this.statuses.push(text);
    }

    override flush(): void {}
  }

  function begin() {
    let time = 0;
    const stderr = new KeptStream();
    const progress = new Progress({ stdout: new KeptStream(), stderr, now: () => time });
    progress.begin();
    const look = (at: number): void => {
      time = at;
      progress.refresh();
    };
    return { stderr, progress, look };
  }

  it('is shown after two seconds, and then each second', () => {
    const { stderr, progress, look } = begin();
    for (const at of [100, 1_999, 2_000, 2_001, 2_900, 3_000, 3_999, 4_100]) look(at);
    progress.close();
    expect(stderr.statuses).toEqual([
      'running for 2 s; Ctrl-C ends it',
      'running for 3 s; Ctrl-C ends it',
      'running for 4 s; Ctrl-C ends it',
      '',
    ]);
  });

  it('is not shown while a question waits for its answer', async () => {
    const { stderr, progress, look } = begin();
    await progress.pauseDuring(async () => {
      look(5_000);
    });
    look(6_000);
    look(7_100);
    progress.close();
    expect(stderr.statuses).toEqual(['running for 7 s; Ctrl-C ends it', '']);
  });
});
