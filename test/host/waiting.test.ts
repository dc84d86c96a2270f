// Waiting: a script is suspended while its host thinks, at its yields while somebody iterates, and nowhere else.

import { describe, expect, it } from 'vitest';
import {
  AbortError,
  createMemoryPlatform,
  Denied,
  Granted,
  HostError,
  loadScript,
} from '../../runtime-host/api/node.ts';
import type { PermissionAnswer, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { load } from './scripts.ts';

const platform = createMemoryPlatform({ files: { '/a.txt': 'alpha' } });
const atOnce: ScriptOptions = { platform, permissions: () => Granted };
const later: ScriptOptions = {
  platform,
  permissions: async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return Granted;
  },
};

async function waitsOf(text: string): Promise<readonly string[]> {
  const { artifact, diagnostics } = await compile('t.slu', text);
  if (artifact === null) throw new Error(diagnostics[0]!.message);
  return artifact.manifest.waits ?? [];
}

describe('which exports may wait', () => {
  it.each<[string, string, readonly string[]]>([
    ['none of a program without such calls', 'main() { yield Math.random(); return Date.now(); }', []],
    ['main, directly', 'main() { return File.read("a"); }', ['run']],
    [
      'main, through functions',
      'string f() { return g(); } string g() { return Env.get("a"); } main() { return f(); }',
      ['run'],
    ],
    ['main, through a default argument', 'main(string s = File.read("a")) { return s; }', ['run']],
    ['main, through globals', 'string s = File.read("a"); main() { return s; }', ['run']],
    ['one that is never called does not count', 'string f() { return File.read("a"); } main() { return 1; }', []],
    [
      'exports, each for itself',
      'export int f() { return File.read("a").length(); } export int g() { return 1; } ' +
        'export string h(string s) { return s; }',
      ['direct.f'],
    ],
    ['exports behind streams', 'export string f(string path) { return File.read(path); }', ['call.f']],
    ['the setting of globals', 'string s = File.read("a"); export int f() { return s.length(); }', ['initialise']],
    ['in a catch clause', 'main() { try { throw "x"; } catch (e) { File.read("a"); } }', ['run']],
    [
      'in recursion',
      'int f(int n) { if (n == 0) return File.read("a").length(); return f(n - 1); } main() { return f(3); }',
      ['run'],
    ],
  ])('%s', async (_name, text, waits) => {
    expect(await waitsOf(text)).toEqual(waits);
  });
});

describe.each([
  ['at once', atOnce],
  ['later', later],
])('a host that answers %s', (_name, options) => {
  it('gives result, yields and errors alike', async () => {
    const script = await load('main(string path) { yield 1; yield File.read(path); File.read("none"); }', options);
    for (const consume of ['forEach', 'iterator'] as const) {
      const seen: unknown[] = [];
      const run = script.run({ path: '/a.txt' });
      const work =
        consume === 'forEach'
          ? run.forEach((value) => seen.push(value))
          : (async () => {
              for await (const value of run) seen.push(value);
            })();
      await expect(work).rejects.toMatchObject({
        name: 'FileError',
        frames: [{ function: 'main', line: 1, column: 53 }],
      });
      expect(seen).toEqual([1n, 'alpha']);
    }
  });

  it('keeps locals, loops and handlers as they were', async () => {
    const script = await load(
      `
      type P { int x; string s; }
      main() {
        P p = { x: 1, s: "s" };
        int[] xs = [];
        for (int i = 0; i < 20; i++) {
          try { xs.push(File.read(i % 3 == 0 ? "none" : "/a.txt").length()); } catch (FileError e) { xs.push(-1); p.x += i; }
        }
        yield xs.sum(); yield p;
      }`,
      options,
    );
    const seen: string[] = [];
    await script.run().forEach((_value, text) => seen.push(text()));
    expect(seen).toEqual(['58', '{"x":64,"s":"s"}']);
  });

  it('serves many runs at once', async () => {
    const script = await load(
      'main(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += File.read("/a.txt").length(); return sum; }',
      options,
    );
    expect(await Promise.all(Array.from({ length: 20 }, (_, n) => script.run({ n }).result))).toEqual(
      Array.from({ length: 20 }, (_, n) => BigInt(5 * n)),
    );
  });

  it('serves calls, and calls on one instance', async () => {
    const script = await load(
      'int calls = 0; export string read(string path) { calls++; return `${calls} ${File.read(path)}`; } ' +
        'export int plain(int x) { return x + calls; } export int size() { yield "on the way"; ' +
        'return File.read("/a.txt").length(); }',
      options,
    );
    expect(await script.call('read', '/a.txt')).toEqual({ value: '1 alpha', yields: [] });
    expect(await script.call('size')).toEqual({ value: 5n, yields: ['on the way'] });
    const instance = script.instance();
    expect((await instance.call('read', '/a.txt')).value).toBe('1 alpha');
    expect((await instance.call('read', '/a.txt')).value).toBe('2 alpha');
    expect(instance.callSync('plain', 1).value).toBe(3n);
    await expect(instance.call('read', 'none')).rejects.toMatchObject({ name: 'FileError' });
    expect((await instance.call('size')).value).toBe(5n);
  });
});

describe('calls without a promise', () => {
  const text = 'export string read(string path) { return File.read(path); } export int plain(int x) { return x; }';

  it('are made where nothing has to wait', async () => {
    expect((await load(text, atOnce)).callSync('read', '/a.txt').value).toBe('alpha');
  });

  it('are refused where something has to', async () => {
    const script = await load(text, later);
    expect(() => script.callSync('read', '/a.txt')).toThrow(HostError);
    expect(() => script.callSync('read', '/a.txt')).toThrow('use call() instead of callSync()');
    expect(script.callSync('plain', 1).value).toBe(1n);
  });

  it('on an instance are refused where something may have to', async () => {
    const instance = (await load(text, atOnce)).instance();
    expect(() => instance.callSync('read', '/a.txt')).toThrow('read can reach a call that waits for the host');
    expect(instance.callSync('plain', 2).value).toBe(2n);
  });

  it('cannot be caught by the script', async () => {
    const script = await load(
      'export int f() { try { File.read("/a.txt"); } catch (e) { return 1; } return 2; }',
      later,
    );
    expect(() => script.callSync('f')).toThrow(HostError);
  });

  it('attack 153: an instance that is suspended takes no further call', async () => {
    const instance = (await load(text, later)).instance();
    const first = instance.call('read', '/a.txt');
    expect(() => instance.callSync('plain', 1)).toThrow('in a call already');
    await expect(instance.call('read', '/a.txt')).rejects.toThrow('in a call already');
    expect((await first).value).toBe('alpha');
    expect(instance.callSync('plain', 1).value).toBe(1n);
  });
});

describe('attack 153: the moment when the globals are set', () => {
  it('lets no other call into the instance', async () => {
    const script = await load(
      'string s = File.read("/a.txt"); export string f(string path) { return s + File.read(path); }',
      {
        platform,
        permissions: async () => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          if (!hasTried) void tryAll();
          return Granted;
        },
      },
    );
    const instance = script.instance();
    let hasTried = false;
    const others: unknown[] = [];
    /** Between any two steps of the first call. */
    const tryAll = async (): Promise<void> => {
      hasTried = true;
      for (let step = 0; step < 50; step++) {
        instance.call('f', '/a.txt').then(
          (given) => others.push(given.value),
          (error: unknown) => others.push((error as Error).name),
        );
        await Promise.resolve();
      }
    };
    expect((await instance.call('f', '/a.txt')).value).toBe('alphaalpha');
    expect(others).toEqual(Array.from({ length: 50 }, () => 'HostError'));
  });
});

describe('back-pressure', () => {
  const count = 'main(int n) { for (int i = 0; i < n; i++) yield i; return "end"; }';

  it('holds the script at each yield until the next value is wanted', async () => {
    let made = 0;
    const script = await load('main(int n) { for (int i = 0; i < n; i++) { Math.random(); yield i; } }', {
      random: () => {
        made++;
        return 0;
      },
    });
    const seen: [unknown, number][] = [];
    for await (const value of script.run({ n: 5 })) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      seen.push([value, made]);
    }
    expect(seen).toEqual([
      [0n, 1],
      [1n, 2],
      [2n, 3],
      [3n, 4],
      [4n, 5],
    ]);
  });

  it('holds at yields of every type', async () => {
    const script = await load(
      'type P { int x; } main() { yield 1; yield 2.5; yield true; yield "s"; yield [1, 2]; P p = { x: 1 }; ' +
        'yield p; json j = { a: [1] }; yield j; }',
    );
    const seen: unknown[] = [];
    for await (const value of script.run()) seen.push(value);
    expect(seen).toEqual([1n, 2.5, true, 's', BigInt64Array.of(1n, 2n), { x: 1n }, { a: [1] }]);
  });

  it('gives the result too', async () => {
    const run = (await load(count)).run({ n: 3 });
    let values = 0;
    for await (const _ of run) values++;
    expect([values, await run.result]).toEqual([3, 'end']);
  });

  it('gives what is left when the result was asked for first', async () => {
    const run = (await load(count)).run({ n: 3 });
    expect(await run.result).toBe('end');
    const seen: unknown[] = [];
    for await (const value of run) seen.push(value);
    expect(seen).toEqual([0n, 1n, 2n]);
  });

  it('gives all values of a run that the result started and that waits', async () => {
    const run = (await load('main() { yield 1; File.read("/a.txt"); yield 2; return 3; }', later)).run();
    const result = run.result;
    const seen: unknown[] = [];
    for await (const value of run) seen.push(value);
    expect([seen, await result]).toEqual([[1n, 2n], 3n]);
  });

  it("hands a waiting run's values to forEach, those before it too", async () => {
    const run = (await load('main() { yield 1; File.read("/a.txt"); yield 2; return 3; }', later)).run();
    const result = run.result;
    const seen: unknown[] = [];
    await run.forEach((value) => seen.push(value));
    expect([seen, await result]).toEqual([[1n, 2n], 3n]);
  });

  it('ends with the loop: leaving it gives the run up', async () => {
    let made = 0;
    const script = await load('main() { while (true) { Math.random(); yield 1; } }', {
      random: () => {
        made++;
        return 0;
      },
    });
    const run = script.run();
    for await (const _ of run) if (made === 3) break;
    await expect(run.result).rejects.toBeInstanceOf(AbortError);
    expect(made).toBe(3);
  });

  it('lets nobody iterate twice', async () => {
    const run = (await load(count)).run({ n: 1 });
    for await (const _ of run);
    await expect(
      (async () => {
        for await (const _ of run);
      })(),
    ).rejects.toThrow('taken already');
    await expect(run.forEach(() => {})).rejects.toThrow('taken already');
  });

  it('costs nothing at forEach: the script runs on', async () => {
    const run = (await load(count)).run({ n: 1000 });
    let values = 0;
    const ended = run.forEach(() => {
      values++;
    });
    expect(values).toBe(1000);
    await ended;
  });

  it("keeps a consumer's error out of the script", async () => {
    const script = await load('main() { try { yield 1; } catch (e) { yield 2; } }');
    await expect(
      script.run().forEach(() => {
        throw new RangeError('mine');
      }),
    ).rejects.toThrow('mine');
  });
});

describe('a script that waits all the time', () => {
  it.each<[string, string]>([
    ['at its yields', 'main() { while (true) yield 1; }'],
    ['for a host that answers at once', 'main() { while (true) File.exists("/a.txt"); }'],
  ])('lets timers have their turn: %s', async (_name, text) => {
    const run = (await load(text, { platform, permissions: async () => Granted })).run();
    setTimeout(() => run.abort(), 20);
    await expect(
      (async () => {
        for await (const _ of run);
      })(),
    ).rejects.toBeInstanceOf(AbortError);
  });
});

describe('giving up', () => {
  const never: ScriptOptions = { platform, permissions: () => new Promise<PermissionAnswer>(() => {}) };
  const stubborn = 'main() { while (true) { try { File.read("/a.txt"); } catch (e) { yield "caught"; } } }';

  it('ends a run that waits for an answer, and no clause catches it', async () => {
    const run = (await load(stubborn, never)).run();
    const seen: unknown[] = [];
    const ended = run.forEach((value) => seen.push(value));
    run.abort();
    await expect(ended).rejects.toBeInstanceOf(AbortError);
    expect(seen).toEqual([]);
  });

  it('ends a run that is held at a yield', async () => {
    const run = (await load('main() { try { yield 1; yield 2; } catch (e) { yield 3; } }')).run();
    const values = run[Symbol.asyncIterator]();
    expect(await values.next()).toEqual({ value: 1n, done: false });
    run.abort();
    await expect(values.next()).rejects.toBeInstanceOf(AbortError);
  });

  it('ends a run before it begins', async () => {
    const run = (await load(stubborn, atOnce)).run();
    run.abort();
    await expect(run.result).rejects.toBeInstanceOf(AbortError);
  });

  it('takes no answer that comes late', async () => {
    let answer: (grant: PermissionAnswer) => void = () => {};
    const run = (
      await load('main() { File.write("/new.txt", "x"); }', {
        platform,
        permissions: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      })
    ).run();
    const result = run.result;
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    answer(Granted);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(platform.files.snapshot()).toEqual({ '/a.txt': 'alpha' });
  });

  it.each<[string, string]>([
    ['by the handler itself', 'main() { try { File.write("/new.txt", "x"); } catch (e) { yield "caught"; } }'],
    [
      'by who takes the values',
      'main() { yield 1; try { File.write("/new.txt", "x"); } catch (e) { yield "caught"; } }',
    ],
  ])('ends a run that never waits at its next host call: %s', async (_name, text) => {
    const asked: string[] = [];
    const script = await load(text, {
      platform,
      permissions: ({ kind }) => {
        asked.push(kind);
        run.abort();
        return Granted;
      },
    });
    const run = script.run();
    await expect(
      run.forEach((value) => {
        asked.push(String(value));
        run.abort();
      }),
    ).rejects.toBeInstanceOf(AbortError);
    expect(asked).toHaveLength(1);
    expect(platform.files.snapshot()).toEqual({ '/a.txt': 'alpha' });
  });

  it('a call without a promise that was refused does nothing later', async () => {
    const script = await load('export int f() { File.write("/new.txt", "x"); return 1; }', later);
    expect(() => script.callSync('f')).toThrow(HostError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(platform.files.snapshot()).toEqual({ '/a.txt': 'alpha' });
  });
});

describe('engines that cannot suspend', () => {
  const { Suspending, promising } = WebAssembly;

  async function without<Result>(work: () => Promise<Result>): Promise<Result> {
    Object.assign(WebAssembly, { Suspending: undefined, promising: undefined });
    try {
      return await work();
    } finally {
      Object.assign(WebAssembly, { Suspending, promising });
    }
  }

  it('run what need not wait', async () => {
    const script = await load('main() { yield 1; yield File.read("/a.txt"); }', atOnce);
    const seen: unknown[] = [];
    await without(async () => {
      for await (const value of script.run()) seen.push(value);
    });
    expect(seen).toEqual([1n, 'alpha']);
  });

  it('say so where something has to wait', async () => {
    const script = await load('main() { return File.read("/a.txt"); }', later);
    await without(() => expect(script.run().result).rejects.toThrow(/File.read has to wait for the host/));
  });
});

it("stack overflow of a run that can wait is the script's error", async () => {
  const script = await load(
    'int f(int n) { return f(n + 1) + 1; } main() { File.exists("/a.txt"); return f(0); }',
    later,
  );
  await expect(script.run().result).rejects.toMatchObject({ name: 'StackOverflowError' });
});

it('errors after waiting tell their place', async () => {
  const script = await load(
    'string inner(string path) {\n  return File.read(path);\n}\nmain() {\n  File.exists("/a.txt");\n' +
      '  inner("none");\n}',
    later,
  );
  await expect(script.run().result).rejects.toMatchObject({
    frames: [
      { function: 'inner', line: 2, column: 10 },
      { function: 'main', line: 6, column: 3 },
    ],
  });
});

it('a handler that refuses later is caught by its type', async () => {
  const script = await load('main() { try { File.read("/a.txt"); } catch (SecurityError e) { return e; } }', {
    platform,
    permissions: async () => Denied(),
  });
  expect(await script.run().result).toBe('File.read denied: the host does not permit it');
});

it('a module that says nothing of waiting is ended where it tries', async () => {
  const { artifact } = await compile('t.slu', 'main() { return File.read("/a.txt"); }');
  // As a module from elsewhere may be: its manifest does not say that run can wait.
  const bytes = Uint8Array.from(artifact!.wasm);
  const text = new TextDecoder('latin1').decode(bytes);
  bytes.set(new TextEncoder().encode('"waitz"'), text.indexOf('"waits"'));
  const script = await loadScript(bytes, later);
  await expect(script.run().result).rejects.toThrow(/does not keep to the interface/);
});
