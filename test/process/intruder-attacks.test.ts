// Processes in which somebody has broken out of the script and says what he likes: the owner believes nothing, and the
// engine that was started so has nothing to offer.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  Denied,
  Granted,
  HostError,
  InternalError,
  loadScript,
} from '../../runtime-host/api/node.ts';
import type { PermissionRequest, ScriptOptions } from '../../runtime-host/api/node.ts';
import { frameHeader } from '../../runtime-host/process/frames.ts';
import { encodeWire } from '../../runtime-host/process/wire.ts';
import { workerVersion } from '../../runtime-host/worker/messages.ts';
import { compile } from '../../src/compile.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const frame = (message: unknown): Uint8Array => {
  const bytes = encodeWire(message);
  return Buffer.concat([frameHeader(bytes.length), bytes]);
};

const raw = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const [ready, begun] = [frame({ kind: 'ready', version: workerVersion, heapBytes: null }), frame({ kind: 'begun' })];
const ended = {
  kind: 'ended',
  end: { kind: 'run', result: null },
  instantiateMs: 0,
  runMs: 0,
  fuelUsed: null,
  goesOn: false,
  heapBytes: null,
};
const yields = (value: unknown, units = 1): Uint8Array => frame({ kind: 'yield', value, printsAsJson: false, units });
const asks = (called: string, ...values: unknown[]): Uint8Array => frame({ kind: 'ask', called, values, room: null });
const nested = (levels: number): unknown => {
  let value: unknown = 1n;
  for (let level = 0; level < levels; level++) value = { keys: null, items: [value, 1n], note: null };
  return value;
};

let count = 0;

/** The main file of a process that says that it is ready, hears what it is to do, and does this instead. */
function intruder(code: string, first: Uint8Array = ready): string {
  const path = join(folder, `intruder-${count++}.mjs`);
  writeFileSync(
    path,
    `import { closeSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
    const say = (text) => { const bytes = Buffer.from(text, 'base64'); for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at); };
    const hear = () => readSync(3, Buffer.alloc(65536));
    say('${Buffer.from(first).toString('base64')}');
    ${code}
    for (;;) if (hear() === 0) break;`,
  );
  return path;
}

const says = (...frames: readonly Uint8Array[]): string =>
  `hear(); say('${Buffer.concat(frames).toString('base64')}');`;

async function end(
  workerUrl: string,
  options: ScriptOptions = {},
  text = 'main() { yield 1; }',
): Promise<{ readonly error: unknown; readonly values: readonly unknown[] }> {
  const { artifact } = await compile('test.slu', text);
  const run = (await loadScript(artifact!.wasm, { isolation: 'process', workerUrl, ...options })).run();
  const values: unknown[] = [];
  const error = await run
    .forEach((value) => values.push(value))
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  return { error, values };
}

const failure = (cause: unknown): Uint8Array =>
  frame({ ...ended, end: { kind: 'failed', error: { kind: 'host', message: 'm', cause } } });

describe('what is no message ends the process and its run', () => {
  const said: readonly (readonly [string, Uint8Array])[] = [
    ['noise', raw(3, 0, 0, 0, 0x47, 0x45, 0x54)],
    ['a message of another kind', frame({ kind: 'grant', value: true })],
    ['a message that is none', frame(7)],
    ['an empty message', raw(0, 0, 0, 0)],
    ['a message with more behind it', raw(2, 0, 0, 0, 1, 1)],
    ['a part that is none', raw(1, 0, 0, 0, 99)],
    ['a row that is longer than its message', raw(6, 0, 0, 0, 12, 255, 255, 255, 127, 1)],
    ['a text that is no UTF-8', raw(6, 0, 0, 0, 6, 1, 0, 0, 0, 0xff)],
    ['another field', frame({ kind: 'begun', also: 1 })],
    ['what only a worker says', frame({ kind: 'fetch' })],
    ['an end before the beginning', frame(ended)],
    ['a value before the beginning', yields(1n)],
    ['two beginnings', Buffer.concat([begun, begun])],
    ['readiness again', Buffer.concat([begun, ready])],
    [
      'the end of a call',
      Buffer.concat([begun, frame({ ...ended, end: { kind: 'call', call: { value: 1n, yields: [] } } })]),
    ],
    ['an end that is none', Buffer.concat([begun, frame({ ...ended, end: { kind: 'gone' } })])],
    ['an error whose cause has a stack', Buffer.concat([begun, failure({ name: 'a', message: 'b', stack: 'c' })])],
    ['an error whose cause is long', Buffer.concat([begun, failure({ name: 'a', message: 'b'.repeat(1_001) })])],
    ['a time that is none', Buffer.concat([begun, frame({ ...ended, runMs: NaN })])],
    [
      'a value with a method',
      Buffer.concat([begun, frame({ kind: 'yield', value: { toJSON: 1n }, printsAsJson: false, units: 1 })]),
    ],
    ['keys without values', Buffer.concat([begun, yields({ keys: ['a', 'b'], items: [1n], note: null })])],
    ['keys that are none', Buffer.concat([begun, yields({ keys: [1], items: [1n], note: null })])],
    ['a large value that is said to be small', Buffer.concat([begun, yields(new Float64Array(100_000))])],
    ['a value nested without end', Buffer.concat([begun, yields(nested(600), 5000)])],
    [
      'a question about a limit that is none',
      Buffer.concat([begun, asks('onLimit', '{"kind":"everything","used":1,"limit":1,"times":0}')]),
    ],
    ['two questions at once', Buffer.concat([begun, asks('Env.get', 'A'), asks('Env.get', 'A')])],
  ];

  it.each(said)(
    '%s',
    async (_name, bytes) => {
      const { error, values } = await end(
        intruder(says(bytes)),
        { permissions: () => new Promise(() => {}) },
        'main() { yield Env.get("A"); }',
      );
      expect(error).toBeInstanceOf(InternalError);
      expect((error as Error).message).toContain('the process of the script said what it may not');
      expect(values).toEqual([]);
    },
    60_000,
  );

  it.each([
    ['an older one', { kind: 'ready' }],
    ['another one', { kind: 'ready', version: '1.0', heapBytes: null }],
  ])(
    'the file of another version: %s',
    async (_name, ready) => {
      const path = intruder('', frame(ready));
      const { error } = await end(path);
      expect(error).toEqual(
        new HostError(
          `the process speaks otherwise than this host: its file is ${path}, as the option workerUrl says, ` +
            'and must be that of sluice-host/worker, of the same version as the host',
        ),
      );
    },
    60_000,
  );

  it('before it was asked for anything', async () => {
    const { error } = await end(intruder('', frame(ended)));
    expect((error as Error).message).toContain(
      'the process of the script said what it may not: a message comes out of turn',
    );
  }, 60_000);

  it('more than it may take', async () => {
    const { error } = await end(intruder(says(begun, raw(255, 255, 255, 255))), { limits: { memoryBytes: 2 ** 20 } });
    expect(error).toMatchObject({
      name: 'MemoryLimitError',
      message: 'this run may not use more memory than 1 MiB: it gives a value that is larger',
    });
  }, 60_000);

  it('values that nobody has read, beyond what may be unread', async () => {
    const flood =
      `${says(begun)} for (;;) say('${Buffer.from(yields(new Float64Array(10_000), 10_001)).toString('base64')}` +
      `');`;
    const { artifact } = await compile('test.slu', 'main() { yield 1; }');
    const script = await loadScript(artifact!.wasm, { isolation: 'process', workerUrl: intruder(flood) });
    const iterator = script.run()[Symbol.asyncIterator]();
    await iterator.next();
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 2 ** 20);
    await expect(
      (async () => {
        for (;;) if ((await iterator.next()).done === true) break;
      })(),
    ).rejects.toThrow('does not wait for its reader');
  }, 60_000);
});

describe('a process that ends by itself ends its run', () => {
  it.each([
    ['with a code', 'hear(); process.exit(0);', '(code 0)'],
    ['by a signal', 'hear(); process.kill(process.pid, "SIGTERM");', '(SIGTERM)'],
    ['by saying no more', 'hear(); closeSync(3); for (;;) { }', '(SIGKILL)'],
    ['with an exception', 'hear(); null.x;', '(code 1)'],
  ])(
    '%s',
    async (_name, code, how) => {
      const { error } = await end(intruder(code));
      expect(error).toBeInstanceOf(InternalError);
      expect((error as Error).message).toContain(`ended by itself ${how}`);
    },
    60_000,
  );

  it.each([
    ['with a code', 'process.exit(7)', 'failed before it began (it ended by itself (code 7))'],
    ['with an exception', "throw new TypeError('not mine')", 'failed before it began (TypeError: not mine)'],
    ['never, and says nothing', 'setInterval(() => {}, 1_000)', 'does not begin'],
  ])(
    '%s, before it was ready',
    async (_name, code, how) => {
      const path = intruder('');
      writeFileSync(path, code);
      const { error } = await end(path);
      expect(error).toEqual(
        new HostError(
          `the process ${how}: its file is ${path}, as the option workerUrl says, and must be that of ` +
            'sluice-host/worker, of the same version as the host',
        ),
      );
    },
    30_000,
  );
});

describe('questions of an intruder', () => {
  const text = 'main() { yield File.read("/a.txt"); }';
  const platform = createMemoryPlatform({ files: { '/a.txt': 'secret' } });

  it.each([
    ['what the module does not import', asks('File.delete', '/a.txt')],
    ['what there is not', asks('Object.constructor', 'x')],
    ['a path that is no text', asks('File.read', 7)],
    ['a path that is an object', asks('File.read', { keys: ['toString'], items: ['/a.txt'], note: null })],
    ['a plugin that there is not', asks('Plugin.run', 1n)],
  ])(
    '%s',
    async (_name, question) => {
      const seen: unknown[] = [];
      const { error } = await end(
        intruder(says(begun, question)),
        {
          platform,
          permissions: (request) => {
            seen.push(request);
            return Granted;
          },
        },
        text,
      );
      expect((error as Error).message).toContain('the worker asked for');
      expect(seen).toEqual([]);
    },
    60_000,
  );

  it('are answered by the handler alone', async () => {
    const seen: PermissionRequest[] = [];
    const { error, values } = await end(
      intruder(
        `${says(begun, asks('File.read', '/a.txt'))} hear(); say('${Buffer.from(frame(ended)).toString('base64')}');`,
      ),
      {
        platform,
        permissions: (request) => {
          seen.push(request);
          return Denied();
        },
      },
      text,
    );
    expect({ error, values, seen }).toMatchObject({
      error: null,
      values: [],
      seen: [{ kind: 'File.Read', path: '/a.txt' }],
    });
  }, 60_000);
});

describe.runIf(process.platform === 'linux')('the engine of a process', () => {
  const attempts: readonly (readonly [string, string])[] = [
    ['reads a file', "readFileSync('/etc/passwd')"],
    ['reads what the system says of it', "readFileSync('/proc/self/environ')"],
    ['lists a directory', "(await import('node:fs')).readdirSync('/')"],
    ['writes a file', `writeFileSync('${tmpdir()}/sluice-intruder.txt', 'x')`],
    ['starts a process', "(await import('node:child_process')).spawnSync('/bin/true').error === undefined || fail()"],
    ['starts a thread', "new (await import('node:worker_threads')).Worker('1', { eval: true })"],
    ['runs a text', "(0, eval)('1')"],
    ['makes a function of a text', "new Function('return 1')()"],
    ['loads an addon', "process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6')"],
    ['opens an inspector', "(await import('node:inspector')).open(0)"],
    ['has variables of its owner', "Object.keys(process.env).filter((name) => name !== 'PWD').length > 0 || fail()"],
    ['is where its owner is', "process.cwd() !== '/' || fail()"],
    ['has other descriptors', "(await import('node:fs')).fstatSync(4).isSocket() || fail()"],
    ['changes prototypes by their old name', '({}).__proto__'],
    ...(Number(process.versions.node.split('.')[0]) >= 25
      ? ([
          [
            'connects',
            "await new Promise((done, fail) => net.connect(server, '127.0.0.1').on('connect', done).on('error', fail))",
          ],
          ['listens', "await new Promise((done, fail) => net.createServer().on('error', fail).listen(0, done))"],
        ] as const)
      : []),
  ];

  it.each(attempts)(
    'does not let anybody in who %s',
    async (_name, attempt) => {
      const code = `import * as net from 'node:net'; const server = 1; const fail = () => { throw new Error('no'); }; ${says(begun)}
      try { ${attempt}; say('${Buffer.from(yields('it could')).toString('base64')}'); } catch { say('${Buffer.from(yields('it could not')).toString('base64')}'); }
      say('${Buffer.from(frame(ended)).toString('base64')}');`;
      expect(await end(intruder(code))).toEqual({ error: null, values: ['it could not'] });
    },
    60_000,
  );
});
