// What takes longer, or more memory, than the tests of every day: large limits, many runs that are killed, many at
// once.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AbortError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import { workerUrl } from './loading.ts';
import { endless, growsBy, growsBySmall, growsMemory } from './modules.ts';
import { processesOf, settled } from './system.ts';

const MiB = 2 ** 20;

describe.runIf(process.platform === 'linux')('memory', () => {
  it.each([
    ['arrays of 64 MB', growsBy(8_388_608)],
    ['small structs', growsBySmall],
    ['a memory of its own', growsMemory],
  ])(
    'of a gigabyte is held to as well: %s',
    async (_name, bytes) => {
      const script = await loadScript(bytes, { isolation: 'process', workerUrl, limits: { memoryBytes: 1024 * MiB } });
      const error = await script.run().result.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: 'MemoryLimitError', message: expect.stringContaining('1 GiB') as string });
    },
    300_000,
  );

  it('of several at once is held to for each', async () => {
    const script = await loadScript(growsBy(131_072), {
      isolation: 'process',
      workerUrl,
      limits: { memoryBytes: 64 * MiB },
    });
    const errors = await Promise.all(
      Array.from({ length: 8 }, () =>
        script.run().result.then(
          () => null,
          (thrown: unknown) => thrown,
        ),
      ),
    );
    for (const error of errors) expect(error).toBeInstanceOf(ScriptError);
  }, 300_000);

  it('and processes and descriptors are what they were after 200 runs that were killed', async () => {
    const script = await loadScript(endless, { isolation: 'process', workerUrl, limits: { memoryBytes: 64 * MiB } });
    const held = (): { readonly processes: number; readonly descriptors: number } => ({
      processes: processesOf(process.pid).length,
      descriptors: readdirSync('/proc/self/fd').length,
    });
    await settled(() => processesOf(process.pid).length, 0);
    const before = held();
    const memory = process.memoryUsage.rss();
    for (let iteration = 0; iteration < 50; iteration++) {
      const runs = Array.from({ length: 4 }, () => script.run());
      const ends = runs.map((run) =>
        run.result.then(
          () => null,
          (thrown: unknown) => thrown,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, iteration * 5));
      for (const run of runs) run.abort();
      for (const end of ends) expect(await end).toBeInstanceOf(AbortError);
    }
    expect(await settled(held, before)).toEqual(before);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(200 * MiB);
  }, 300_000);
});
