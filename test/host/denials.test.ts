// A flood of requests that are denied: what one costs the host is counted, and does not add up.

import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryPlatform, Denied, EnvGrant, FileGrant, HttpGrant } from '../../runtime-host/api/node.ts';
import type { PermissionAnswer, PermissionHandler, ScriptOptions } from '../../runtime-host/api/node.ts';
import type { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { memoryGauge } from '../../runtime-host/node/memory.ts';
import { collectLog, load } from './scripts.ts';

const iterations = 2_000;
const requests = 3 * iterations;
const part = requests / 8;
const flood = `main() {
  int denied = 0;
  for (int i = 0; i < ${iterations}; i++) {
    try { File.read(\`/x\${i}\`); } catch (SecurityError e) { denied++; }
    try { Http.get(\`https://example.com/\${i}\`); } catch (SecurityError e) { denied++; }
    try { Env.get(\`A\${i}\`); } catch (SecurityError e) { denied++; }
  }
  return denied;
}`;

/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const places: readonly (readonly [name: string, options: ScriptOptions])[] = [
  ['here', {}],
  ['in a worker', { isolation: 'worker', workerUrl }],
];
const platform = {
  ...createMemoryPlatform({ files: {}, server: () => Promise.reject(new Error('asked')) }),
  system: () => null,
};

let asked = 0;
const handlers: readonly (readonly [name: string, handler: PermissionHandler])[] = [
  ['without a reason', () => Denied()],
  ['with a reason of its own each', () => Denied(`no, for the ${asked}th time`)],
  [
    'by a handler that throws',
    () => {
      throw new TypeError('boom');
    },
  ],
  ['by grants that cannot be', ({ kind }) => (kind.startsWith('File') ? HttpGrant({}) : FileGrant({}))],
  [
    'by grants that allow nothing',
    ({ kind }) =>
      kind.startsWith('File')
        ? FileGrant({ allowedDirectories: [] })
        : kind.startsWith('Http')
          ? HttpGrant({ allowedDomains: [] })
          : EnvGrant({ allowedVarNames: [] }),
  ],
  ['later', async () => Denied(`no, for the ${asked}th time`)],
  ['by a handler that rejects', () => Promise.reject(new TypeError('boom'))],
];

afterEach(() => {
  asked = 0;
});

describe.each(places)('a flood of requests, %s, denied', (_place, options) => {
  it.each(handlers)('%s, leaves nothing behind', async (_name, handler) => {
    const alive: WeakRef<PermissionRequest>[] = [];
    const heaps: number[] = [];
    const counting = (request: PermissionRequest): PermissionAnswer | Promise<PermissionAnswer> => {
      asked += 1;
      // What a weak reference is made of lives until the turn of the event loop is over.
      if (asked % 100 === 0) alive.push(new WeakRef(request));
      if (asked % part === 0 && asked < requests) {
        memoryGauge!.collect!();
        heaps.push(memoryGauge!.used());
      }
      return handler(request);
    };
    const { lines, log } = collectLog();
    const script = await load(flood, { ...options, platform, log, permissions: counting, promptTimeoutMs: 60_000 });
    expect(await script.run().result).toBe(BigInt(requests));
    expect(asked).toBe(requests);
    expect(lines.length).toBeLessThanOrEqual(51);
    // Less than anything takes that is kept of one. What is kept of each shows in every part; what the engine compiles
    // meanwhile, and whoever else uses this heap, in one or two.
    const growths = heaps.slice(1).map((heap, at) => (heap - heaps[at]!) / part);
    expect(growths).toHaveLength(6);
    expect(growths.toSorted((a, b) => a - b)[3]).toBeLessThan(30);
    await new Promise((resolve) => setTimeout(resolve, 1));
    memoryGauge!.collect!();
    expect(alive.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(10);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(10);
  });
});

describe('a flood of denied requests', () => {
  it.each(handlers)('%s, leaves no listener behind and captures no stacks', async (_name, handler) => {
    const { addEventListener, removeEventListener } = AbortSignal.prototype;
    const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')!;
    let [listeners, most, captures] = [0, 0, 0];
    const script = await load(flood, {
      platform,
      permissions: (request) => {
        asked += 1;
        return handler(request);
      },
    });
    AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...values: unknown[]) {
      listeners += 1;
      most = Math.max(most, listeners);
      Reflect.apply(addEventListener, this, values);
    };
    AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...values: unknown[]) {
      listeners -= 1;
      Reflect.apply(removeEventListener, this, values);
    };
    // Whoever captures the stack of a script makes room for it.
    Object.defineProperty(Error, 'stackTraceLimit', {
      configurable: true,
      get: () => 10,
      set: () => {
        captures += 1;
      },
    });
    try {
      await script.run().result;
    } finally {
      Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener });
      Object.defineProperty(Error, 'stackTraceLimit', limit);
    }
    expect(asked).toBe(requests);
    expect(most).toBeLessThan(10);
    expect(captures).toBeLessThan(10);
  });
});

describe('the log of a flood', () => {
  it.each(places)('has each line once, so many and the number of the others, %s', async (_place, options) => {
    const { lines, log } = collectLog();
    const script = await load(flood, {
      ...options,
      platform,
      log,
      permissions: () => {
        asked += 1;
        return Denied(`no, for the ${asked % 1_000}th time`);
      },
    });
    for (const _turn of [1, 2]) {
      lines.length = 0;
      await script.run().result;
      expect(lines).toHaveLength(51);
      expect(lines.slice(0, 2)).toEqual([
        'File.read (File.Read) denied: no, for the 1th time',
        'Http.get (Http.Get) denied: no, for the 2th time',
      ]);
      expect(lines[50]).toMatch(/^\d,\d+ more lines were left out$/);
    }
  });

  it('is closed when the script fails, when it is given up, and with each call', async () => {
    const denials = 'for (int i = 0; i < 60; i++) { try { Env.get("A"); } catch (SecurityError e) { } }';
    const permissions = (): PermissionAnswer => Denied(`no ${++asked}`);
    const last = async (
      text: string,
      work: (script: Awaited<ReturnType<typeof load>>) => Promise<unknown>,
    ): Promise<string> => {
      const { lines, log } = collectLog();
      await work(await load(text, { platform, log, permissions })).catch(() => {});
      expect(lines).toHaveLength(51);
      return lines.at(-1)!;
    };
    expect(await last(`main() { ${denials} throw "x"; }`, (script) => script.run().result)).toBe(
      '10 more lines were left out',
    );
    expect(
      await last(`main() { ${denials} while (true) yield 1; }`, async (script) => {
        for await (const _ of script.run()) break;
      }),
    ).toBe('10 more lines were left out');
    expect(await last(`export int f() { ${denials} return 1; }`, (script) => script.call('f'))).toBe(
      '10 more lines were left out',
    );
  });
});
