// Logs of runs: what a run got from outside is kept, and gives the same run again without a host.

import { describe, expect, it } from 'vitest';
import {
  AbortError,
  createMemoryPlatform,
  Denied,
  formatLog,
  Granted,
  HostError,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { RunLog, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

async function bytesOf(text: string): Promise<Uint8Array> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

interface Seen {
  readonly yields: readonly unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
}

async function seenOf(run: ReturnType<Script['run']>): Promise<Seen> {
  const yields: unknown[] = [];
  try {
    await run.forEach((_value, text) => yields.push(text()));
    return { yields, result: await run.resultText };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return { yields, error: { stack: error.stack, frames: error.frames } };
  }
}

const files = { '/a.txt': 'alpha', '/large.txt': 'größer'.repeat(40_000) };

/** Everything that a script gets from outside, of each kind. */
const outside: Readonly<
  Record<string, { readonly text: string; readonly values?: object; readonly options?: () => ScriptOptions }>
> = {
  nothing: { text: 'main() { yield 1; return 2; }' },
  'random numbers of the engine': {
    text: 'main() { for (int i = 0; i < 20; i++) yield Math.random(); return Math.random() < 2.0; }',
  },
  'random numbers of a function': {
    text: 'main() { for (int i = 0; i < 5; i++) yield Math.random(); }',
    options: () => ({
      random: (() => {
        let x = 0;
        return () => (x = (x + 0.1) % 1);
      })(),
    }),
  },
  'a seed and a fixed clock': {
    text: 'main() { yield Math.random(); return Date.now(); }',
    options: () => ({ random: 5, clock: 1.5e12 }),
  },
  'the clock of the engine': {
    text: 'main() { int start = Date.now(); while (Date.now() == start) { } return Date.now() - start; }',
  },
  'answers at once': {
    text:
      'main() { yield File.read("/a.txt"); yield File.exists("/none"); yield File.list("/"); ' +
      'yield File.metadata("/a.txt"); File.write("/new.txt", "x"); return Env.get("HOME"); }',
  },
  'answers later, and large ones': {
    text: 'main() { yield File.read("/large.txt"); return Env.get("NONE"); }',
    options: () => ({ permissions: async () => Granted }),
  },
  'failures that are caught': {
    text:
      'main() { try { File.read("/none"); } catch (FileError e) { yield e; } try { Env.get("="); } ' +
      'catch (SecurityError e) { return e; } }',
  },
  'a denial that is not caught': {
    text: 'string f() { return File.read("/a.txt"); } main() { yield 1; return f(); }',
    options: () => ({ permissions: () => Denied('secret') }),
  },
  'an error of its own': {
    text: 'main() { yield Env.get("HOME"); int[] xs = []; return xs[Env.get("HOME").length()]; }',
  },
  arguments: {
    text:
      'type P { int x; double d; } main(int n, double d, string s, json j, P p, int[] xs, double[] ds, P[] ps, ' +
      'boolean left = true) { yield n; yield d; yield s; yield j; yield p; yield xs; yield ds; yield ps; ' +
      'return left; }',
    values: {
      n: 2n ** 62n,
      d: -0,
      s: 'ä"',
      j: { a: [1, 2.5, null], '2': 'x' },
      p: { x: 1, d: Infinity },
      xs: [1, 2],
      ds: [0.5, NaN, -0],
      ps: [null, { x: 2, d: 1 }],
    },
  },
};

describe.each<ScriptOptions['isolation']>(['none', 'worker'])('a run that was recorded, isolation %s', (isolation) => {
  it.each(Object.entries(outside))(
    'with %s',
    async (_name, { text, values, options = () => ({}) }) => {
      const wasm = await bytesOf(text);
      const host = {
        platform: createMemoryPlatform({ files }),
        permissions: () => Granted,
        environment: { HOME: '/home/x' },
        isolation: isolation!,
        workerUrl,
      };
      const run = (await loadScript(wasm, { ...host, ...options(), record: true })).run(values as never);
      const expected = await seenOf(run);
      const log = JSON.parse(formatLog(await run.log)) as RunLog;
      expect(log).toEqual(await run.log);
      expect(JSON.stringify(log)).not.toContain('secret');
      const script = await loadScript(wasm, { replay: log, isolation: isolation!, workerUrl });
      expect(await seenOf(script.run())).toStrictEqual(expected);
      expect(await seenOf(script.run(values as never))).toStrictEqual(expected);
    },
    30_000,
  );
});

const reading =
  'main(int n = 2, string dir = "/") { for (int i = 0; i < n; i++) { try { yield File.read(`${dir}${i}`); } ' +
  'catch (FileError e) { yield "none"; } } return Math.random(); }';

async function logOf(text: string, values: object = {}): Promise<{ readonly wasm: Uint8Array; readonly log: RunLog }> {
  const wasm = await bytesOf(text);
  let next = 0;
  const run = (
    await loadScript(wasm, {
      record: true,
      platform: createMemoryPlatform({ files: { '/0': 'zero' } }),
      permissions: () => Granted,
      random: () => (next += 0.25),
      clock: () => 7,
    })
  ).run(values as never);
  await run.result;
  return { wasm, log: await run.log };
}

/** How a replay of the log is refused. */
async function refusal(wasm: Uint8Array, log: unknown, values?: object): Promise<string> {
  const work = async (): Promise<unknown> =>
    (await loadScript(wasm, { replay: log as RunLog })).run(values as never).result;
  const error: unknown = await work().then(
    () => expect.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HostError);
  return (error as HostError).message;
}

describe('a log', () => {
  it('has the answers in their order', async () => {
    const { log } = await logOf(reading);
    expect(log).toMatchObject({
      format: 'sluice-run-log',
      version: 1,
      script: 'test.slu',
      arguments: {},
      random: 'entries',
      clock: 'entries',
      cut: null,
    });
    expect(log.module).toMatch(/^[0-9a-f]{64}$/);
    expect(log.entries).toEqual(
      [
        { call: 'File.read', with: ['/0'], answer: 'zero' },
        { call: 'File.read', with: ['/1'], error: 'FileError', message: 'File.read failed: /1: no such file' },
        { random: 0.25 },
      ].map((entry) => ({ ...entry, ...('message' in entry ? { message: expect.any(String) } : {}) })),
    );
  });

  it('belongs to one module', async () => {
    const { log } = await logOf(reading);
    expect(await refusal(await bytesOf('main() { return 1; }'), log)).toMatch(
      /^this log belongs to another module: it was made by test\.slu, sha256 [0-9a-f]{12}…, and this is test\.slu, sha256 [0-9a-f]{12}…$/,
    );
  });

  it.each<[string, object, string]>([
    ['another argument', { n: 3 }, 'the log does not fit this run: it was made with n = 2, and this run has n = 3'],
    [
      'one that was left out',
      { n: 2, dir: '/x' },
      'the log does not fit this run: it was made with no dir, and this run has dir = "/x"',
    ],
    ['one that is left out now', {}, 'the log does not fit this run: it was made with n = 2, and this run has no n'],
  ])('refuses %s', async (_name, values, message) => {
    const { wasm, log } = await logOf(reading, { n: 2 });
    expect(await refusal(wasm, log, values)).toBe(message);
  });

  it.each<[string, (entries: RunLog['entries'][number][]) => unknown[], string]>([
    [
      'in another order',
      ([a, b, c]) => [b, a, c],
      'the log does not fit this run: its entry 1 is File.read("/1"), and the script calls File.read("/0")',
    ],
    [
      'of another kind',
      ([a, b, c]) => [a, c, b],
      'the log does not fit this run: its entry 2 is Math.random(), and the script calls File.read("/1")',
    ],
    [
      'of the clock',
      ([a, b]) => [a, b, { clock: 1 }],
      'the log does not fit this run: its entry 3 is Date.now(), and the script calls Math.random()',
    ],
    [
      'of another function',
      ([a, b, c]) => [{ ...a, call: 'File.delete' }, b, c],
      'the log does not fit this run: its entry 1 is File.delete("/0"), and the script calls File.read("/0")',
    ],
    [
      'too few',
      ([a]) => [a],
      'the log does not fit this run: it ends after 1 entry, and the script calls File.read("/1")',
    ],
    [
      'too many',
      ([a, b, c]) => [a, b, c, a],
      'the log does not fit this run: the log goes on with File.read("/0"), and the script has ended',
    ],
    ['that is none', ([a]) => [a, 5], 'entry 2 of this log is damaged'],
    [
      'that go on with what is none',
      ([a, b, c]) => [a, b, c, null],
      'the log does not fit this run: the log goes on with what is no entry, and the script has ended',
    ],
    [
      'of a call that is none',
      ([a]) => [{ ...a, call: 5, with: [1n] }],
      'the log does not fit this run: its entry 1 is a call that is none, and the script calls File.read("/0")',
    ],
    ['with an unknown error', ([a]) => [{ ...a, error: 'OwnError', message: 'x' }], 'entry 1 of this log is damaged'],
    [
      'with an error that is a limit',
      ([a]) => [{ ...a, error: 'TimeoutError', message: 'x' }],
      'entry 1 of this log is damaged',
    ],
    ['with half an answer', ([a]) => [{ ...a, answer: { int: 'x' } }], 'entry 1 of this log is damaged'],
    ['with an answer of another type', ([a]) => [{ ...a, answer: true }], 'entry 1 of this log is damaged'],
    ['with no answer', ([a]) => [{ ...a, answer: undefined }], 'entry 1 of this log is damaged'],
    ['with a number that is none', ([a, b]) => [a, b, { random: 1 }], 'entry 3 of this log is damaged'],
  ])('refuses entries %s', async (_name, change, message) => {
    const { wasm, log } = await logOf(reading);
    expect(await refusal(wasm, { ...log, entries: change([...log.entries]) })).toBe(message);
  });

  it.each<[string, (log: RunLog) => unknown, string]>([
    ['of another kind', () => ({ format: 'har' }), 'this is not the log of a run'],
    ['that is null', () => null, 'this is not the log of a run'],
    [
      'of another version',
      (log) => ({ ...log, version: 2 }),
      'this log is of version 2, and this host reads version 1: record the run again',
    ],
    ['without entries', (log) => ({ ...log, entries: null }), 'this log of a run is damaged'],
    ['with a seed that is none', (log) => ({ ...log, random: 'x' }), 'this log of a run is damaged'],
    [
      'with an argument of another type',
      (log) => ({ ...log, arguments: { n: 'x' } }),
      'the argument n of this log is damaged',
    ],
    [
      'with an argument beyond its type',
      (log) => ({ ...log, arguments: { n: { int: '9223372036854775808' } } }),
      'the argument n of this log is damaged',
    ],
    [
      'with an argument that is none',
      (log) => ({ ...log, arguments: { n: { int: 'x' } } }),
      'the argument n of this log is damaged',
    ],
  ])('is refused %s', async (_name, change, message) => {
    const { wasm, log } = await logOf(reading);
    expect(await refusal(wasm, change(log))).toBe(message);
  });

  it('of a run that was given up ends as that did', async () => {
    const wasm = await bytesOf('main() { yield File.read("/a.txt"); yield File.read("/b.txt"); return 1; }');
    const asked = Promise.withResolvers<void>();
    let count = 0;
    const script = await loadScript(wasm, {
      record: true,
      platform: createMemoryPlatform({ files }),
      permissions: () => {
        if (++count === 1) return Granted;
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const run = script.run();
    const { result } = run;
    await asked.promise;
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    const log = await run.log;
    expect(log.entries.length).toBe(1);
    const again = (await loadScript(wasm, { replay: log })).run();
    const seen: unknown[] = [];
    await expect(again.forEach((value) => seen.push(value))).rejects.toBeInstanceOf(AbortError);
    expect(seen).toEqual(['alpha']);
  });

  it('is of runs of main, and of no others', async () => {
    const wasm = await bytesOf('export int f() { return 1; } main() { return 1; }');
    const script = await loadScript(wasm, { record: true });
    await expect(script.call('f')).rejects.toThrow('logs are of runs of main');
    expect(() => script.instance()).toThrow(HostError);
    await expect((await loadScript(wasm)).run().log).rejects.toThrow('load the script with the option record');
    const log = await script.run().log;
    await expect(loadScript(wasm, { replay: log, record: true })).rejects.toThrow(
      'the options replay and record do not go together',
    );
    await expect(loadScript(wasm, { replay: log, random: 1 })).rejects.toThrow(
      'the options replay and random do not go together',
    );
    await expect(
      loadScript(new WebAssembly.Module(wasm, { builtins: ['js-string'], importedStringConstants: "'" }), {
        record: true,
      }),
    ).rejects.toThrow('pass the bytes');
  });
});
