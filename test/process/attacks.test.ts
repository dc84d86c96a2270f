// Modules that bind themselves to nothing, and processes in which somebody has broken out of the script: each ends with
// one error, and the host goes on.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AbortError, HostError, InternalError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { LimitOptions, ScriptOptions } from '../../runtime-host/api/node.ts';
import { MemoryWatch, residentOf } from '../../runtime-host/node/process-memory.ts';
import { compile } from '../../src/compile.ts';
import { workerUrl } from './loading.ts';
import { endless, floods, growsBy, growsBySmall, growsMemory, growsTables, insists, nests, traps } from './modules.ts';
import { memoryOf, processesOf, settled } from './system.ts';

const MiB = 2 ** 20;
const memoryBytes = 64 * MiB;
const overMemory = 'this run may not use more memory than 64 MiB: its process ';

async function end(
  bytes: Uint8Array,
  limits: LimitOptions,
  options: ScriptOptions = {},
): Promise<{ readonly error: unknown; readonly yields: number }> {
  const run = (
    await loadScript(bytes as Uint8Array<ArrayBuffer>, { isolation: 'process', workerUrl, ...options, limits })
  ).run();
  let yields = 0;
  const error = await run
    .forEach(() => yields++)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  return { error, yields };
}

/** How much the process had taken when it was seen, in MiB; null where the system had refused it more. */
function peakOf(error: unknown): number | null {
  expect(error).toBeInstanceOf(ScriptError);
  const { name, message } = error as ScriptError;
  expect(name).toBe('MemoryLimitError');
  expect(message.startsWith(overMemory)).toBe(true);
  const taken = /took (\d+) MiB/.exec(message);
  return taken === null ? null : Number(taken[1]);
}

describe.runIf(process.platform === 'linux')('a module that takes memory without end, under 64 MiB', () => {
  it.each([
    ['arrays of 64 MB', growsBy(8_388_608)],
    ['arrays of 1 MB', growsBy(131_072)],
    ['one array of a gigabyte', growsBy(130_000_000)],
    ['a memory of its own', growsMemory],
    ['small structs', growsBySmall],
  ])(
    '%s',
    async (_name, bytes) => {
      const before = process.memoryUsage.rss();
      const peak = peakOf((await end(bytes, { memoryBytes, timeMs: 60_000 })).error);
      // Twice what the engine may have beside the script; the bound that the system keeps is 64 + 2 x 96 MiB.
      if (peak !== null) expect(peak).toBeLessThan(300);
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MiB);
    },
    90_000,
  );

  it.runIf(existsSync('/usr/bin/prlimit'))(
    'arrays of 64 MB while the owner looks away: the system refuses more',
    async () => {
      const script = await loadScript(growsBy(8_388_608), { isolation: 'process', workerUrl, limits: { memoryBytes } });
      let highest = 0;
      // Two seconds in which nobody can end it.
      const lookAway = (): void => {
        for (let iteration = 0; iteration < 200; iteration++) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
          for (const pid of processesOf(process.pid)) highest = Math.max(highest, memoryOf(pid));
        }
      };
      const error = await script
        .run()
        .forEach(lookAway)
        .then(
          () => null,
          (thrown: unknown) => thrown,
        );
      expect(highest).toBeGreaterThan(64 * MiB);
      expect(highest).toBeLessThan((64 + 2 * 96 + 32) * MiB);
      expect(peakOf(error)).toBeNull();
    },
    90_000,
  );

  it('tables, which the engine bounds', async () => {
    const { error } = await end(growsTables, { memoryBytes, timeMs: 500 });
    expect(error).toMatchObject({ name: expect.stringMatching(/^(TimeoutError|MemoryLimitError)$/) as string });
  }, 90_000);

  it('needs no guards for that', async () => {
    const { artifact } = await compile(
      'test.slu',
      'main() { int[][] all = []; while (true) { int[] xs = []; for (int i = 0; i < 10000; i++) xs.push(i); ' +
        'all.push(xs); } }',
      { guards: {} },
    );
    expect(peakOf((await end(artifact!.wasm, { memoryBytes })).error)).not.toBeNaN();
  }, 90_000);

  it('does not keep others from their work', async () => {
    const { artifact } = await compile(
      'test.slu',
      'main(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }',
    );
    const good = await loadScript(artifact!.wasm, { isolation: 'process', workerUrl, limits: { memoryBytes } });
    const [bad, ...sums] = await Promise.all([
      end(growsBy(8_388_608), { memoryBytes }),
      good.run({ n: 10 }).result,
      good.run({ n: 1000 }).result,
    ]);
    peakOf(bad.error);
    expect(sums).toEqual([45n, 499_500n]);
  }, 90_000);
});

describe('a module that does what it wants', () => {
  it('loops for ever: the time limit ends it', async () => {
    expect((await end(endless, { timeMs: 200 })).error).toMatchObject({
      name: 'TimeoutError',
      message: 'this run may not take longer than 200 ms',
    });
  }, 60_000);

  it('yields for ever: the host goes on, and the time limit ends it', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const { error, yields } = await end(floods, { timeMs: 500 });
    clearInterval(timer);
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(yields).toBeGreaterThan(100);
    expect(ticks).toBeGreaterThan(5);
  }, 60_000);

  it('nests for ever', async () => {
    expect((await end(nests, {})).error).toMatchObject({ name: 'StackOverflowError' });
  }, 60_000);

  it('takes the end of the stack as nothing', async () => {
    expect((await end(insists, { timeMs: 500 })).error).toMatchObject({
      name: expect.stringMatching(/^(TimeoutError|StackOverflowError)$/) as string,
    });
  }, 60_000);

  it('traps', async () => {
    expect((await end(traps, {})).error).toBeInstanceOf(InternalError);
  }, 60_000);

  it('is not taken compiled', async () => {
    const module = new WebAssembly.Module(endless, { builtins: ['js-string'], importedStringConstants: "'" });
    await expect(loadScript(module, { isolation: 'process', workerUrl })).rejects.toThrow(
      new HostError('a compiled WebAssembly.Module cannot go to a process: load the script from its bytes'),
    );
  });
});

describe.runIf(process.platform === 'linux')('no process is left', () => {
  const text = `
    import { loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
    const bytes = Buffer.from(process.argv[1], 'base64');
    const script = await loadScript(bytes, { isolation: 'process' });
    const run = script.run();
    run.forEach(() => {}).catch(() => {});
    setTimeout(() => console.log('running'), 1000);
    setTimeout(() => {}, 60_000);
    process.stdin.on('data', () => process.exit(0));
  `;

  it.each(['is killed', 'exits'] as const)(
    'when the host %s while the script loops',
    async (how) => {
      const host = spawn(
        process.execPath,
        ['--input-type=module', '-e', text, Buffer.from(endless).toString('base64')],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      try {
        await new Promise((resolve) => host.stdout.once('data', resolve));
        const children = processesOf(host.pid!);
        expect(children.length).toBeGreaterThan(0);
        if (how === 'is killed') host.kill('SIGKILL');
        else host.stdin.write('x');
        expect(await settled(() => children.filter((pid) => processesOf(null).includes(pid)), [])).toEqual([]);
      } finally {
        host.kill('SIGKILL');
      }
    },
    60_000,
  );

  it('when runs are aborted, in every state', async () => {
    const before = processesOf(process.pid).length;
    const script = await loadScript(endless, { isolation: 'process', workerUrl });
    for (const waits of [0, 1, 30, 400]) {
      const run = script.run();
      const result = run.result;
      await new Promise((resolve) => setTimeout(resolve, waits));
      run.abort();
      await expect(result).rejects.toBeInstanceOf(AbortError);
    }
    expect(await settled(() => processesOf(process.pid).length, before)).toBeLessThanOrEqual(before);
  }, 60_000);
});

describe('a process is watched', () => {
  it('on, where the system could not say once how much it takes', async () => {
    const told = [1_000, null, null, 900_000_000];
    const used = await new Promise<number>((resolve) => {
      const watch: MemoryWatch = new MemoryWatch(
        { intervalMs: 1, bound: (_moreBytes, done) => done(), measure: (take) => take(told.shift() ?? null) },
        memoryBytes,
        (bytes) => {
          watch.stop();
          resolve(bytes);
        },
      );
      watch.begin(() => watch.start());
    });
    expect(used).toBe(899_999_000);
  });

  it('by what is resident, where files are not counted apart', () => {
    expect(residentOf('Name:\tnode\nVmRSS:\t    2048 kB\nRssAnon:\t    1024 kB\n')).toBe(MiB);
    expect(residentOf('Name:\tnode\nVmRSS:\t    2048 kB\n')).toBe(2 * MiB);
    expect(residentOf('State:\tZ (zombie)\n')).toBeNull();
    expect(residentOf(null)).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('a host with no descriptor left', () => {
  it('goes on: the run that could not begin says so, and later ones do', async () => {
    const { artifact } = await compile('test.slu', 'main() { return 42; }');
    const text = `
      import { closeSync, openSync } from 'node:fs';
      import { HostError, loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
      const script = await loadScript(Buffer.from(process.argv[1], 'base64'), { isolation: 'process', limits: { memoryBytes: 2 ** 26 } });
      const attempt = () => script.run().result.catch((error) => (error instanceof HostError ? error.message : String(error)));
      await attempt();
      const held = [];
      try { for (;;) held.push(openSync('/dev/null', 'r')); } catch {}
      const ends = [];
      for (let free = 0; free < 4; free++) {
        ends.push(await attempt());
        closeSync(held.pop());
      }
      for (const descriptor of held) closeSync(descriptor);
      console.log(JSON.stringify([...ends, Number(await attempt())]));
    `;
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      [
        '-c',
        'ulimit -n 64; exec "$0" "$@"',
        process.execPath,
        '--input-type=module',
        '-e',
        text,
        Buffer.from(artifact!.wasm).toString('base64'),
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(stderr).toBe('');
    const refused = 'no process can be started here: too many files are open';
    expect(JSON.parse(stdout)).toEqual([refused, refused, refused, refused, 42]);
  }, 60_000);
});
