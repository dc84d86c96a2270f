// What is left after many runs: memory of a script that is kept, threads and descriptors after runs that were ended.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMemoryPlatform, createNodePlatform, Granted, loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { memoryGauge } from '../../runtime-host/node/memory.ts';
import { startServer } from './http/servers.ts';

const MiB = 2 ** 20;
/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

const world: ScriptOptions = {
  platform: createMemoryPlatform({ files: { '/a': 'x'.repeat(10_000) } }),
  permissions: () => Granted,
  limits: { timeMs: 60_000, memoryBytes: 64 * MiB, inputBytes: MiB },
};

const busy = `type P { int x; string s; }
  main(int n) {
    P[] kept = []; json j = {}; double[] d = new double[1000];
    for (int i = 0; i < 200; i++) { kept.push({ x: i, s: \`\${i} and \${n}\` }); j[\`k\${i}\`] = i; d[i] = i * 0.5; }
    string text = File.read("/a"); File.write("/b", text);
    try { if (n % 3 == 0) throw "now and then"; yield d; yield j; } catch (Error e) { yield e; }
    if (n % 5 == 0) { int[] none = []; none.pop(); }
    return text.length() + kept.length();
  }`;

async function load(text: string, options: ScriptOptions): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return loadScript(artifact.wasm, options);
}

/** Bytes of the heap, garbage left out, and of the process; what ends a little later has had its time. */
async function settled(): Promise<{ readonly heap: number; readonly rss: number }> {
  for (let iteration = 0; iteration < 5; iteration++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    memoryGauge!.collect!();
  }
  return { heap: memoryGauge!.used(), rss: process.memoryUsage.rss() };
}

async function runs(script: Script, count: number): Promise<number> {
  let ended = 0;
  for (let n = 0; n < count; n++) {
    const run = script.run({ n });
    await run
      .forEach(() => {})
      .then(
        () => run.result,
        () => {},
      );
    ended += 1;
  }
  return ended;
}

const count = (folder: string): number => readdirSync(folder).length;

/** Waits until there are no more than these again. */
async function backTo(threads: number, descriptors: number): Promise<void> {
  await expect
    .poll(() => [count('/proc/self/task') <= threads, count('/proc/self/fd') <= descriptors], {
      timeout: 20_000,
      interval: 100,
    })
    .toEqual([true, true]);
}

describe('a script that is kept', () => {
  it.each<[where: string, options: ScriptOptions, times: number]>([
    ['in this thread', {}, 10_000],
    ['in workers', { isolation: 'worker', workerUrl }, 2_000],
    ['with logs', { record: true }, 2_000],
  ])(
    'takes no more memory for many runs, %s',
    async (_where, options, times) => {
      const script = await load(busy, { ...world, ...options });
      // Until heaps, of workers too, have the size that they keep.
      await runs(script, 1_000);
      const before = await settled();
      expect(await runs(script, times)).toBe(times);
      const after = await settled();
      const growth = { heap: (after.heap - before.heap) / MiB, rss: (after.rss - before.rss) / MiB };
      console.log(
        `${_where}: ${times} runs, heap ${growth.heap.toFixed(1)} MiB more, resident ${growth.rss.toFixed(1)} MiB more`,
      );
      // A leak of 1 KB a run would be 10 MiB; what the engine keeps for itself is less than that.
      expect(growth.heap).toBeLessThan(6);
      expect(growth.rss).toBeLessThan(96);
    },
    300_000,
  );

  it('takes no more for many instances and calls', async () => {
    const script = await load(
      'int total = 0; int[] all = new int[1000]; export int add(int n) { total += n; all[n % 1000] = n; ' +
        'yield total; return total; }',
      { limits: { fuel: 1_000_000, memoryBytes: 64 * MiB } },
    );
    const calls = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        const instance = script.instance();
        instance.callSync('add', n);
        instance.close();
        await script.call('add', n);
      }
    };
    await calls(500);
    const before = await settled();
    await calls(5_000);
    expect(((await settled()).heap - before.heap) / MiB).toBeLessThan(6);
  }, 300_000);
});

describe.skipIf(process.platform !== 'linux')('threads and descriptors are back', () => {
  const endless = 'main() { File.write("/b", "x"); while (true) { } }';

  it.each<[how: string, text: string, options: ScriptOptions, abort: boolean]>([
    ['runs in workers that were aborted', endless, { isolation: 'worker', workerUrl }, true],
    ['runs in workers whose time was up', endless, { isolation: 'worker', workerUrl, limits: { timeMs: 5 } }, false],
    ['runs here whose time was up', endless, { limits: { timeMs: 2 } }, false],
  ])(
    'after 200 %s',
    async (_how, text, options, abort) => {
      const script = await load(text, { ...world, ...options });
      const end = async (): Promise<void> => {
        const run = script.run();
        const ended = run.result.then(
          () => 'ended',
          (error: Error) => error.name,
        );
        if (abort) setTimeout(() => run.abort(), 2);
        expect(await ended).toBe(abort ? 'AbortError' : 'TimeoutError');
      };
      for (let n = 0; n < 4; n++) await end();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const [threads, descriptors] = [count('/proc/self/task'), count('/proc/self/fd')];
      for (let n = 0; n < 50; n++) await Promise.all([end(), end(), end(), end()]);
      await backTo(threads, descriptors);
    },
    300_000,
  );

  it('after 200 runs that were aborted while they waited for files and servers', async () => {
    const server = await startServer(() => {});
    const platform = createNodePlatform();
    const script = await load('main(string url) { Http.get(url); }', { ...world, platform, privateNetwork: 'allow' });
    const end = async (): Promise<void> => {
      const run = script.run({ url: server.origin });
      const ended = run.result.then(
        () => 'ended',
        (error: Error) => error.name,
      );
      setTimeout(() => run.abort(), 3);
      expect(await ended).toBe('AbortError');
    };
    for (let n = 0; n < 4; n++) await end();
    await expect.poll(server.connections, { timeout: 10_000 }).toBe(0);
    const [threads, descriptors] = [count('/proc/self/task'), count('/proc/self/fd')];
    for (let n = 0; n < 50; n++) await Promise.all([end(), end(), end(), end()]);
    await expect.poll(server.connections, { timeout: 10_000 }).toBe(0);
    await backTo(threads, descriptors);
    await server.close();
  }, 300_000);
});
