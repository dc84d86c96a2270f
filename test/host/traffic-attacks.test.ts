// What a run takes in and gives out is held to its limits, in this thread and in a worker: values that nobody reads,
// files, answers of servers and plugins, what is written and sent. Each ends with the error of its limit, soon, and
// with memory of the order of the limit.

import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  createNodePlatform,
  FileGrant,
  Granted,
  HttpGrant,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { LimitOptions, LimitRequest, Platform, ScriptOptions, ScriptRun } from '../../runtime-host/api/node.ts';
import { defineModule } from '../../runtime-host/api/plugins.ts';
import { compile } from '../../src/compile.ts';
import { CallTraffic } from '../../runtime-host/worker/traffic.ts';
import { makeFolder, openedSince, openPaths } from './files/real-files.ts';
import type { RealFolder } from './files/real-files.ts';
import { startServer } from './http/servers.ts';
import type { TestServer } from './http/servers.ts';
import { load } from './scripts.ts';

const MiB = 2 ** 20;
/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
/** The issue of it all says 250 ms; a busy machine has more. */
const soonMs = 1_000;

/** What its owner sees of a process may end it too, with a word more. */
const memory = (mebibytes: number): object => ({
  name: 'MemoryLimitError',
  message: expect.stringContaining(`this run may not use more memory than ${mebibytes} MiB`) as string,
});
const quota = (what: string): object => ({ name: 'QuotaExceededError', message: `this run may not ${what}` });

/** Ends as it must, with no more memory than `mebibytes` in between, as far as that shows. */
async function endsWith(work: () => Promise<unknown>, error: object, mebibytes: number): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  try {
    const failure: unknown = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(ScriptError);
    expect(failure).toMatchObject(error);
  } finally {
    clearInterval(watch);
  }
  most = Math.max(most, process.memoryUsage.rss());
  expect((most - before) / MiB).toBeLessThan(mebibytes);
}

async function iterate(run: ScriptRun): Promise<void> {
  for await (const value of run) void value;
}

describe.each<[where: string, home: ScriptOptions]>([
  ['in this thread', {}],
  ['in a worker', { isolation: 'worker', workerUrl }],
  ['in a process', { isolation: 'process', workerUrl }],
])('%s', (_where, home) => {
  const options = (limits: LimitOptions, more: ScriptOptions = {}): ScriptOptions => ({
    ...home,
    ...more,
    limits: { timeMs: 60_000, ...limits },
  });
  /** What the script yields, and then how it ends. */
  const ends = async (
    text: string,
    given: ScriptOptions,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly unknown[]> => {
    const run = (await load(text, given)).run(values);
    const yields: unknown[] = [];
    try {
      await run.forEach((value) => yields.push(value));
      return [...yields, await run.result];
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      return [...yields, `${error.name}: ${error.message}`];
    }
  };

  describe('values that nobody reads', () => {
    const floods: Readonly<Record<string, string>> = {
      'arrays of numbers': 'int[] a = new int[131072]; for (int i = 0; i < 4000; i++) yield a;',
      texts: 'string s = "x".repeat(1048576); for (int i = 0; i < 4000; i++) yield s + i.toString();',
      'one text again and again': 'string s = "x".repeat(1048576); for (int i = 0; i < 4000; i++) yield s;',
      json: 'json j = { a: "x".repeat(1048576), b: [1, 2, 3] }; for (int i = 0; i < 4000; i++) yield j;',
      'keys of json': 'json j = {}; j["k".repeat(1048576)] = 1; for (int i = 0; i < 4000; i++) yield j;',
      'small ones': 'for (int i = 0; i < 100000000; i++) yield i;',
    };

    // A process hands over some 60,000 values a second: one row is enough of it.
    it.each(home.isolation === 'process' ? ['texts'] : Object.keys(floods))(
      '%s count as memory, whoever shall have them',
      async (name) => {
        const script = await load(
          `export int f() { ${floods[name]!} return 0; }\nmain() { ${floods[name]!} }`,
          options({ memoryBytes: 64 * MiB }),
        );
        await endsWith(() => script.run().result, memory(64), 400);
        await endsWith(() => script.call('f'), memory(64), 400);
        // In a worker the script waits for who comes so.
        if (home.isolation !== undefined) return;
        const asked = script.run();
        const result = asked.result.catch(() => {});
        await endsWith(() => iterate(asked), memory(64), 400);
        await result;
      },
      120_000,
    );

    it('count for readers who take their time', async () => {
      const text = `main() { ${floods['arrays of numbers']!} }`;
      const never = new Promise<void>(() => {});
      if (home.isolation !== undefined) {
        // There the script waits, long before.
        const run = (await load(text, options({ memoryBytes: 64 * MiB }))).run();
        let taken = 0;
        const ended = run
          .forEach(() => {
            taken += 1;
            return never;
          })
          .catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 500));
        expect(taken).toBeLessThan(4);
        run.abort();
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
      } else
        await endsWith(
          async () => (await load(text, options({ memoryBytes: 64 * MiB }))).run().forEach(() => never),
          memory(64),
          400,
        );
    });

    it('have a limit of their own in bytes', async () => {
      const script = await load(
        'main() { string s = "x".repeat(10000); for (int i = 0; i < 1000; i++) yield s; return 1; }',
        options({ unreadBytes: 100_000 }),
      );
      await expect(script.run().result).rejects.toMatchObject(
        quota('yield more than 100,000 bytes that nobody has read'),
      );
      let seen = 0;
      const run = script.run();
      await run.forEach(() => {
        seen++;
      });
      expect([seen, await run.result]).toEqual([1000, 1n]);
    });

    it('are as much as fits', async () => {
      const script = await load(
        'main() { int[] a = new int[131072]; for (int i = 0; i < 40; i++) yield a; return 1; }',
        options({ memoryBytes: 64 * MiB }),
      );
      expect(await script.run().result).toBe(1n);
    });
  });

  describe('a value that holds a part many times', () => {
    it('counts as large as it becomes', async () => {
      const text = (way: string): string =>
        'main() { int[] a = new int[131072]; int[][] all = []; for (int i = 0; i < 4000; i++) all.push(a); ' +
        `${way} all; }`;
      for (const way of ['yield', 'return']) {
        const script = await load(text(way), options({ memoryBytes: 64 * MiB }));
        await endsWith(() => script.run().result, memory(64), 400);
      }
    });

    it('ends in time', async () => {
      const text = (way: string): string =>
        'type N { N a; N b; }\nmain() { N n = { a: null, b: null }; for (int i = 0; i < 40; i++) n = { ' +
        `a: n, b: n }; ${way} n; }`;
      for (const way of ['yield', 'return']) {
        const script = await load(text(way), { ...home, limits: { timeMs: 100, memoryBytes: 0 } });
        const start = performance.now();
        await endsWith(() => script.run().result, { name: 'TimeoutError' }, 1_000);
        expect(performance.now() - start).toBeLessThan(100 + soonMs);
      }
    });

    it('can be taken back by a clause, and the next value is whole', async () => {
      const text =
        'main() { int[] a = new int[131072]; int[][] all = []; for (int i = 0; i < 4000; i++) all.push(a); try { ' +
        'yield all; } catch (MemoryLimitError e) { yield [1, 2]; } return 3; }';
      expect(await ends(text, options({ memoryBytes: 64 * MiB }))).toEqual([
        BigInt64Array.of(1n, 2n),
        expect.stringContaining('MemoryLimitError'),
      ]);
    });
  });

  describe('files', () => {
    let folder: RealFolder;
    let open: readonly string[];
    beforeEach(() => {
      folder = makeFolder();
      open = openPaths();
      writeFileSync(join(folder.path, 'large'), '');
      truncateSync(join(folder.path, 'large'), 120 * MiB);
      writeFileSync(join(folder.path, 'small'), 'x'.repeat(300_000));
    });
    afterEach(() => {
      expect(openedSince(open)).toEqual([]);
      folder.remove();
    });
    const world = (platform: Platform = createNodePlatform({ baseDir: folder.path })): ScriptOptions => ({
      platform,
      permissions: () => Granted,
    });

    it('are not read where the run may not have so much memory', async () => {
      const script = await load(
        'main() { return File.read("large").length(); }',
        options({ memoryBytes: 16 * MiB }, world()),
      );
      const start = performance.now();
      await endsWith(() => script.run().result, memory(16), 64);
      expect(performance.now() - start).toBeLessThan(soonMs);
    });

    it('nor what is in memory already', async () => {
      const platform = createMemoryPlatform({ files: { '/large': new Uint8Array(120 * MiB) } });
      const script = await load(
        'main() { return File.read("/large").length(); }',
        options({ memoryBytes: 16 * MiB }, world(platform)),
      );
      await endsWith(() => script.run().result, memory(16), 64);
    });

    it('count together', async () => {
      const text =
        'main() { int n = 0; for (int i = 0; i < 10; i++) { n += File.read("small").length(); yield n; } return n; }';
      expect(await ends(text, options({ inputBytes: MiB }, world()))).toEqual([
        300_000n,
        600_000n,
        900_000n,
        'QuotaExceededError: this run may not read more than 1 MiB',
      ]);
      expect(await ends(text, options({ inputBytes: 3_000_000 }, world()))).toHaveLength(11);
    });

    it('that were refused do not count, and a clause has little more', async () => {
      const text =
        'main() { try { File.read("large"); } catch (QuotaExceededError e) { yield 1; File.exists("small"); ' +
        'yield 2; File.read("large"); yield 3; } }';
      expect(await ends(text, options({ inputBytes: MiB }, world()))).toEqual([
        1n,
        2n,
        'QuotaExceededError: this run may not read more than 1 MiB',
      ]);
      const again =
        'main() { try { File.read("large"); } catch (MemoryLimitError e) { yield 1; File.read("large"); yield 2; } }';
      expect(await ends(again, options({ memoryBytes: 16 * MiB }, world()))).toEqual([
        1n,
        'MemoryLimitError: this run may not use more memory than 16 MiB',
      ]);
    });

    it('and lists of them count too', async () => {
      for (let at = 0; at < 500; at++) writeFileSync(join(folder.path, `${at}${'n'.repeat(200)}`), '');
      const text = 'main() { return File.list(".").length(); }';
      expect(await ends(text, options({ inputBytes: 100_000 }, world()))).toEqual([
        'QuotaExceededError: this run may not read more than 100,000 bytes',
      ]);
      expect(await ends(text, options({ inputBytes: 200_000 }, world()))).toEqual([502n]);
    });

    it('of the system, which do not tell their size, count as they come', async () => {
      const text = 'main() { for (int i = 0; i < 1000; i++) File.read("/proc/self/maps"); }';
      const given = options(
        { inputBytes: 100_000 },
        {
          platform: createNodePlatform({ baseDir: '/' }),
          permissions: () => FileGrant({ allowedDirectories: ['/proc'] }),
        },
      );
      expect(await ends(text, given)).toEqual(['QuotaExceededError: this run may not read more than 100,000 bytes']);
    });

    it('are written until it is enough, all of a file or nothing', async () => {
      const text =
        'main() { for (int i = 0; i < 10; i++) { File.write("made" + i.toString(), "é".repeat(200000)); ' +
        'File.append("made0", "x"); yield i; } }';
      expect(await ends(text, options({ writtenBytes: MiB }, world()))).toEqual([
        0n,
        1n,
        'QuotaExceededError: this run may not write and send more than 1 MiB',
      ]);
      const files = createNodePlatform({ baseDir: folder.path });
      expect(
        await ends(
          'main() { yield File.metadata("made0").getInt("size", 0); ' +
            'yield File.metadata("made1").getInt("size", 0); yield File.exists("made2"); }',
          options({}, world(files)),
        ),
      ).toEqual([400_002n, 400_000n, false, undefined]);
    });
  });

  describe('answers of servers', () => {
    let server: TestServer;
    beforeEach(async () => {
      server = await startServer((request, response) => {
        const path = request.url!;
        if (path.startsWith('/to/')) {
          const left = Number(path.slice(4));
          response.writeHead(302, { location: left === 0 ? '/small' : `/to/${left - 1}` });
          response.end();
        } else if (path === '/endless') {
          const part = Buffer.alloc(65_536, 'x');
          const more = (): void => {
            while (!response.destroyed && response.write(part));
            if (!response.destroyed) response.once('drain', more);
          };
          more();
        } else response.end('x'.repeat(path === '/small' ? 1_000 : 200_000));
      });
    });
    afterEach(() => server.close());
    const world = (grant = Granted): ScriptOptions => ({
      platform: createNodePlatform(),
      permissions: () => grant,
      privateNetwork: 'allow',
    });
    const get = 'main(string url) { return Http.get(url).length(); }';

    it('end at 64 MiB where no grant says more', async () => {
      const url = `${server.origin}/endless`;
      expect(await ends(get, { ...home, ...world() }, { url })).toEqual([
        `NetworkError: Http.get failed: the answer is larger than 64 MiB: ${url}`,
      ]);
      expect(await ends(get, { ...home, ...world(HttpGrant({ maxResponseSize: 70 * MiB })) }, { url })).toEqual([
        'SecurityError: Http.get denied: larger than maxResponseSize',
      ]);
    }, 60_000);

    it('end where the run may not have so much memory', async () => {
      const script = await load(get, options({ memoryBytes: 16 * MiB }, world()));
      const start = performance.now();
      await endsWith(() => script.run({ url: `${server.origin}/endless` }).result, memory(16), 128);
      expect(performance.now() - start).toBeLessThan(2 * soonMs);
      // The server's end is gone.
      await expect.poll(server.connections).toBe(0);
    });

    it('count together, and so do requests, redirects, and what is sent', async () => {
      const many = (call: string): string => `main(string o) { for (int i = 0; i < 20; i++) { ${call}; yield i; } }`;
      const o = server.origin;
      expect(await ends(many('Http.get(o + "/large")'), options({ inputBytes: 500_000 }, world()), { o })).toEqual([
        0n,
        1n,
        'QuotaExceededError: this run may not read more than 500,000 bytes',
      ]);
      expect(await ends(many('Http.get(o + "/small")'), options({ requests: 3 }, world()), { o })).toEqual([
        0n,
        1n,
        2n,
        'QuotaExceededError: this run may not make more than 3 requests',
      ]);
      expect(await ends(many('Http.get(o + "/to/3")'), options({ requests: 12 }, world()), { o })).toEqual([
        0n,
        1n,
        'QuotaExceededError: this run may not make more than 12 requests',
      ]);
      expect(
        await ends(many('Http.post(o + "/small", "x".repeat(1000))'), options({ writtenBytes: 2_500 }, world()), { o }),
      ).toEqual([0n, 1n, 'QuotaExceededError: this run may not write and send more than 2,500 bytes']);
    });

    it('count where the script hears nothing of them', async () => {
      const text = 'main(string url) { for (int i = 0; i < 20; i++) { try { Http.get(url); } catch (e) { } } }';
      const given = options({ inputBytes: 500_000 }, world(HttpGrant({ maxResponseSize: 150_000 })));
      await expect(
        (await load(text, { ...given })).run({ url: `${server.origin}/endless` }).result,
      ).rejects.toMatchObject(quota('read more than 500,000 bytes'));
    });
  });

  describe('what else comes from outside', () => {
    const flood = defineModule({
      name: 'Flood',
      functions: {
        'string text(int n)': (n: bigint) => 'x'.repeat(Number(n)),
        'int[] ints(int n)': (n: bigint) => new BigInt64Array(Number(n)),
        'json data(int n)': (n: bigint) => Array.from({ length: Number(n) }, () => 'some text'),
      },
    });
    const loadFlood = async (text: string, limits: LimitOptions) => {
      const { artifact, diagnostics } = await compile('test.slu', text, { plugins: [flood] });
      if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
      return loadScript(artifact.wasm, options(limits, { plugins: [flood] }));
    };

    it.each([
      ['text', 20 * MiB],
      ['ints', 3 * MiB],
      ['data', MiB],
    ])('counts: the %s of a plugin', async (fn, n) => {
      const text = `main(int n) { return Flood.${fn}(n)${fn === 'data' ? '.size()' : '.length()'}; }`;
      await expect((await loadFlood(text, { memoryBytes: 16 * MiB })).run({ n }).result).rejects.toMatchObject(
        memory(16),
      );
      await expect((await loadFlood(text, { inputBytes: MiB })).run({ n }).result).rejects.toMatchObject(
        quota('read more than 1 MiB'),
      );
      expect(await (await loadFlood(text, { inputBytes: MiB })).run({ n: 1000 }).result).toBe(1000n);
    });

    it('counts: variables', async () => {
      const given = options(
        { inputBytes: 5_000 },
        { platform: createMemoryPlatform(), permissions: () => Granted, environment: { A: 'x'.repeat(1_000) } },
      );
      expect(await ends('main() { for (int i = 0; i < 10; i++) { Env.get("A"); yield i; } }', given)).toEqual([
        0n,
        1n,
        2n,
        3n,
        4n,
        'QuotaExceededError: this run may not read more than 5,000 bytes',
      ]);
    });
  });

  describe('onLimit', () => {
    const world: ScriptOptions = {
      platform: createMemoryPlatform({ files: { '/a': 'x'.repeat(1_000) } }),
      permissions: () => Granted,
    };
    const text =
      'main() { int n = 0; for (int i = 0; i < 10; i++) { n += File.read("/a").length(); ' +
      'File.write("/b", "x".repeat(1000)); } return n; }';

    it('may give more of what goes in and out', async () => {
      const asked: LimitRequest[] = [];
      const onLimit = (request: LimitRequest) => {
        asked.push(request);
        return { newLimit: request.limit * 2 };
      };
      expect(await ends(text, options({ inputBytes: 4_000, writtenBytes: 3_000, onLimit }, world))).toEqual([10_000n]);
      expect(asked.map(({ kind, used, limit }) => [kind, used, limit])).toEqual([
        ['writtenBytes', 4_000, 3_000],
        ['inputBytes', 5_000, 4_000],
        ['writtenBytes', 7_000, 6_000],
        ['inputBytes', 9_000, 8_000],
      ]);
    });

    it('has the last word', async () => {
      let asked = 0;
      const onLimit = () => {
        asked += 1;
        return null;
      };
      expect(await ends(text, options({ inputBytes: 4_000, onLimit }, world))).toEqual([
        'QuotaExceededError: this run may not read more than 4,000 bytes',
      ]);
      expect(asked).toBe(1);
    });

    it('may take its time in a worker, and denies elsewhere', async () => {
      const onLimit = ({ limit }: LimitRequest) =>
        new Promise<{ newLimit: number }>((resolve) => setTimeout(() => resolve({ newLimit: limit * 10 }), 20));
      expect(await ends(text, options({ inputBytes: 4_000, onLimit }, world))).toEqual([
        home.isolation !== undefined ? 10_000n : 'QuotaExceededError: this run may not read more than 4,000 bytes',
      ]);
    });
  });

  it('a log has it all: a replay ends the same, without any limits', async () => {
    const world: ScriptOptions = {
      platform: createMemoryPlatform({ files: { '/a': 'x'.repeat(1_000) } }),
      permissions: () => Granted,
    };
    const text =
      'main() { int n = 0; try { for (int i = 0; i < 10; i++) n += File.read("/a").length(); } ' +
      'catch (QuotaExceededError e) { yield n; yield Env.get("A"); while (true) File.read("/a"); } }';
    const { artifact } = await compile('test.slu', text);
    const hear = async (run: ScriptRun): Promise<unknown> => {
      const yields: unknown[] = [];
      const error: unknown = await run.forEach((value) => yields.push(value)).catch((thrown: unknown) => thrown);
      return { yields, error: `${(error as Error).name}: ${(error as Error).message}` };
    };
    const first = (await loadScript(artifact!.wasm, { ...options({ inputBytes: 4_500 }, world), record: true })).run();
    const heard = await hear(first);
    expect(heard).toEqual({
      yields: [4_000n, null],
      error: 'QuotaExceededError: this run may not read more than 4,500 bytes',
    });
    const log = JSON.parse(JSON.stringify(await first.log)) as typeof first.log extends Promise<infer Log>
      ? Log
      : never;
    expect(log.cut).toEqual({ error: 'QuotaExceededError', message: 'this run may not read more than 4,500 bytes' });
    expect(await hear((await loadScript(artifact!.wasm, { ...home, replay: log })).run())).toEqual(heard);
  });
});

describe('who takes the place of a worker', () => {
  const room = { inputBytes: Infinity, writtenBytes: Infinity, requests: Infinity };

  it('is held to the limits all the same, whatever it says', async () => {
    const asked: unknown[] = [];
    const traffic = new CallTraffic({ inputBytes: 1_000, requests: 2, memoryBytes: 16 * MiB }, (wanted) =>
      asked.push(wanted),
    );
    traffic.begin();
    expect(traffic.take('File.read', [], room)).toBe(false);
    expect(() => {
      for (let at = 0; at < 100; at++) void traffic.allow('inputBytes', 10_000, 10_000);
    }).toThrow(expect.objectContaining({ type: 'QuotaExceededError', endsRun: true }));
    expect(() => {
      for (let at = 0; at < 100; at++) void traffic.allow('requests', 1, 0);
    }).toThrow(expect.objectContaining({ type: 'QuotaExceededError' }));
    expect(() => void traffic.allow('writtenBytes', 100 * MiB, 100 * MiB)).toThrow(
      expect.objectContaining({ type: 'MemoryLimitError' }),
    );
    expect(asked).toEqual([]);
    traffic.take('File.read', [], { ...room, inputBytes: 0 });
    traffic.begin();
    const waiting = traffic.allow('inputBytes', 10 * MiB, 0);
    expect(asked).toHaveLength(1);
    expect(traffic.take('goOn', [], room)).toBe(true);
    await expect(waiting).rejects.toMatchObject({ type: 'QuotaExceededError' });
    // As far as the owner has raised it.
    traffic.begin();
    traffic.extend('inputBytes', 20 * MiB);
    await expect(Promise.resolve(traffic.allow('inputBytes', 10 * MiB, 0))).resolves.toBeUndefined();
  });

  it('cannot name the error that a call fails with', async () => {
    const traffic = new CallTraffic({ inputBytes: 1_000 }, () => {});
    const waiting = traffic.allow('inputBytes', 10, 0);
    traffic.take('giveUp', [JSON.stringify({ error: 'SecurityError', message: 'x' })], null);
    await expect(waiting).rejects.toMatchObject({ type: 'QuotaExceededError' });
  });
});
