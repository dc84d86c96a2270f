// Plugins and handlers that throw and give what nobody expects: the script gets PluginError or a denial, the host no
// error of its own and no unhandled rejection.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Granted, loadScript } from '../../runtime-host/api/node.ts';
import { defineModule } from '../../runtime-host/api/plugins.ts';
import { compile } from '../../src/compile.ts';

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

class Unreadable extends Error {
  override get message(): string {
    throw new Error('no message');
  }
  override get name(): string {
    throw new Error('no name');
  }
}

const later = (): Promise<never> => new Promise((_, reject) => setTimeout(reject, 1, new Error('later')));
const thenable = {
  get then(): never {
    throw new Error('no then');
  },
};
const hurl = (thrown: unknown): never => {
  throw thrown;
};

const works: readonly (readonly [name: string, work: () => unknown])[] = [
  ['throws a revoked proxy', () => hurl(revoked())],
  [
    'throws a proxy whose traps throw',
    () => hurl(new Proxy({}, { getPrototypeOf: () => hurl(1), get: () => hurl(2), has: () => hurl(3) })),
  ],
  ['throws an error that cannot be read', () => hurl(new Unreadable())],
  [
    'throws an exception of WebAssembly',
    () =>
      hurl(
        new (WebAssembly as never as { Exception: new (tag: unknown, values: unknown[]) => object }).Exception(
          new (WebAssembly as never as { Tag: new (type: object) => object }).Tag({ parameters: [] }),
          [],
        ),
      ),
  ],
  ['throws null', () => hurl(null)],
  ['throws a symbol', () => hurl(Symbol('x'))],
  ['gives a revoked proxy', revoked],
  ['gives a promise that rejects later', later],
  ['gives one that rejects at once', () => Promise.reject(new Error('now'))],
  ['gives a thenable whose then throws', () => thenable],
];

describe.each(['none', 'worker'] as const)('a plugin, isolation %s', (isolation) => {
  it.each(works)('that %s', async (_name, work) => {
    const plugin = defineModule({
      name: 'Odd',
      functions: {
        'int number(int x)': work,
        'string text()': work,
        'int[] wait()': { async: true, call: async () => work() },
        'string asked()': { permission: 'odd:ask', details: work as never, call: () => 'asked' },
      },
    });
    const { artifact } = await compile(
      't.slu',
      `main(int which) {
      try {
        if (which == 0) { yield Odd.number(1); } else if (which == 1) { yield Odd.text(); } else if (which == 2) { yield Odd.wait(); } else { yield Odd.asked(); }
      } catch (PluginError e) { return "PluginError"; }
      return "nothing";
    }`,
      { plugins: [plugin] },
    );
    const script = await loadScript(artifact!.wasm, { plugins: [plugin], isolation, permissions: () => Granted });
    const told: unknown[] = [];
    for (const which of [0, 1, 2, 3])
      told.push(await script.run({ which }).result.catch((error: unknown) => String(error)));
    expect(told.slice(0, 3)).toEqual(['PluginError', 'PluginError', 'PluginError']);
    // Details of a request may be anything that has none.
    expect(['PluginError', 'nothing']).toContain(told[3]);
  });
});

describe('what a host is given', () => {
  it.each(works)('%s: handlers', async (_name, work) => {
    const { artifact } = await compile(
      't.slu',
      'main() { string found = "nothing"; try { found = Env.get("X"); } catch (SecurityError e) { ' +
        'found = "denied"; } yield 1; return found; }',
    );
    const script = await loadScript(artifact!.wasm, {
      permissions: work as never,
      log: work as never,
      onDecision: work as never,
      environment: { X: 'secret' },
    });
    expect(await script.run().result).toBe('denied');
    const granting = await loadScript(artifact!.wasm, {
      permissions: () => Granted,
      log: work as never,
      onDecision: work as never,
      environment: { X: 'public' },
    });
    expect(await granting.run().result).toBe('public');
  });

  it.each(works)('%s: onLimit', async (_name, work) => {
    const { artifact } = await compile('t.slu', 'main() { int i = 0; while (i >= 0) { i = (i + 1) & 7; } }');
    const script = await loadScript(artifact!.wasm, { limits: { fuel: 1_000, onLimit: work as never } });
    await expect(
      script.run().result.then(
        () => 'ended',
        () => 'failed',
      ),
    ).resolves.toBe('failed');
  });

  it.each(works)('%s: a consumer', async (_name, work) => {
    const { artifact } = await compile('t.slu', 'main() { yield 1; yield 2; }');
    const run = (await loadScript(artifact!.wasm)).run();
    await expect(
      run.forEach(work).then(
        () => 'failed',
        () => 'failed',
      ),
    ).resolves.toBe('failed');
  });
});

describe('names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'valueOf'])(
    'a plugin called %s changes no object of the host',
    async (name) => {
      const before = Reflect.ownKeys(Object.prototype).length;
      const plugin = defineModule({
        name,
        functions: { 'int f(int x)': (x: bigint) => x + 1n, 'string toString(string s)': (s: string) => s },
      });
      const { artifact } = await compile('t.slu', `main() { return ${name}.f(1); }`, { plugins: [plugin] });
      for (const isolation of ['none', 'worker'] as const) {
        const script = await loadScript(artifact!.wasm, { plugins: [plugin], isolation, permissions: () => Granted });
        expect(await script.run().result).toBe(2n);
      }
      expect(Reflect.ownKeys(Object.prototype).length).toBe(before);
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    },
  );
});
