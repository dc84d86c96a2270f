// The gate: what reaches the handler, and which answers open it. Everything else is no.

import { describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  Denied,
  EnvGrant,
  FileGrant,
  Granted,
  HttpGrant,
  PermissionRequest,
  PluginGrant,
} from '../../runtime-host/api/index.ts';
import type { PermissionAnswer, PermissionHandler, ScriptOptions } from '../../runtime-host/api/index.ts';
import { Failure } from '../../runtime-host/errors/failures.ts';
import { Gate } from '../../runtime-host/permissions/gate.ts';
import { readFileGrant } from '../../runtime-host/namespaces/file/grant.ts';
import { readHttpGrant } from '../../runtime-host/namespaces/http/grant.ts';
import { GrantProblem } from '../../runtime-host/permissions/read-grant.ts';
import { collectLog, handsOut, load } from './scripts.ts';

const platform = createMemoryPlatform({
  files: { '/a.txt': 'alpha', '/b.txt': 'beta' },
  baseDir: '/',
  server: () => ({ body: 'page' }),
  system: { 'os.name': 'memory' },
});
const read = 'yield File.read("a.txt");';
const refusal = 'SecurityError: File.read denied: the host does not permit it';

/** The world with this handler, whatever it answers. */
function world(permissions: unknown, more: ScriptOptions = {}): ScriptOptions {
  return { platform, environment: { X: 'x' }, permissions: permissions as PermissionHandler, ...more };
}

describe('requests', () => {
  async function requestsOf(text: string): Promise<PermissionRequest[]> {
    const seen: PermissionRequest[] = [];
    await handsOut(
      text,
      world((request: PermissionRequest) => {
        seen.push(request);
        return Granted;
      }),
    );
    return seen;
  }

  it.each([
    [
      'File.read("b/../a.txt")',
      PermissionRequest.File.Read,
      { kind: 'File.Read', path: 'b/../a.txt', resolvedPath: '/a.txt' },
    ],
    ['File.write("w", "")', PermissionRequest.File.Write, { kind: 'File.Write', path: 'w', resolvedPath: '/w' }],
    [
      'File.append("b.txt", "")',
      PermissionRequest.File.Append,
      { kind: 'File.Append', path: 'b.txt', resolvedPath: '/b.txt' },
    ],
    ['File.delete("w")', PermissionRequest.File.Delete, { kind: 'File.Delete', path: 'w', resolvedPath: '/w' }],
    [
      'File.exists("/x//y/")',
      PermissionRequest.File.Exists,
      { kind: 'File.Exists', path: '/x//y/', resolvedPath: '/x/y' },
    ],
    ['File.list(".")', PermissionRequest.File.List, { kind: 'File.List', path: '.', resolvedPath: '/' }],
    [
      'File.metadata("a.txt")',
      PermissionRequest.File.Metadata,
      { kind: 'File.Metadata', path: 'a.txt', resolvedPath: '/a.txt' },
    ],
    [
      'File.createDir("d")',
      PermissionRequest.File.CreateDir,
      { kind: 'File.CreateDir', path: 'd', resolvedPath: '/d' },
    ],
    [
      'Http.get("HTTPS://Example.com:443/a b#x".split(" ").join("%20"))',
      PermissionRequest.Http.Get,
      { kind: 'Http.Get', url: 'https://example.com/a%20b', function: 'Http.get' },
    ],
    [
      'Http.getJson("https://example.com/")',
      PermissionRequest.Http.Get,
      { kind: 'Http.Get', url: 'https://example.com/', function: 'Http.getJson' },
    ],
    [
      'Http.post("https://example.com/", "")',
      PermissionRequest.Http.Post,
      { kind: 'Http.Post', url: 'https://example.com/', function: 'Http.post' },
    ],
    [
      'Http.put("https://example.com/", "")',
      PermissionRequest.Http.Put,
      { kind: 'Http.Put', url: 'https://example.com/', function: 'Http.put' },
    ],
    [
      'Http.delete("https://example.com/")',
      PermissionRequest.Http.Delete,
      { kind: 'Http.Delete', url: 'https://example.com/', function: 'Http.delete' },
    ],
    ['Env.get("X")', PermissionRequest.Env.Get, { kind: 'Env.Get', name: 'X' }],
    ['Env.system("os.name")', PermissionRequest.Env.System, { kind: 'Env.System', property: 'os.name' }],
  ])('%s', async (call, type, fields) => {
    const [request, ...others] = await requestsOf(`${call};`);
    expect(others).toEqual([]);
    expect(request).toBeInstanceOf(type);
    expect({ ...request }).toEqual(fields);
    expect(Object.isFrozen(request)).toBe(true);
    for (const value of Object.values(fields)) expect(typeof value).toBe('string');
  });

  it('come once for each call, and never again for the same', async () => {
    expect((await requestsOf('for (int i = 0; i < 3; i++) File.read("a.txt");')).map(({ kind }) => kind)).toEqual([
      'File.Read',
      'File.Read',
      'File.Read',
    ]);
  });

  it('of plugins carry what the plugin tells', () => {
    const request = new PermissionRequest.Plugin('db', 'query', { sql: 'select 1' });
    expect({ ...request }).toEqual({ kind: 'Plugin', category: 'db', action: 'query', details: { sql: 'select 1' } });
    expect([Object.isFrozen(request), Object.isFrozen(request.details)]).toEqual([true, true]);
  });
});

describe('answers that grant', () => {
  it.each([
    ['Granted', () => Granted],
    ['FileGrant({})', () => FileGrant({})],
    [
      'nulls',
      () =>
        FileGrant({
          maxBytes: null,
          rewrittenPath: null,
          allowedDirectories: null,
          allowedExtensions: null,
          readOnly: null,
        }),
    ],
    ['undefined', () => FileGrant({ maxBytes: undefined } as never)],
    ['a promise', async () => Granted],
    ['a thenable', () => ({ then: (keep: (answer: PermissionAnswer) => void) => keep(Granted) })],
    ['the largest number', () => FileGrant({ maxBytes: Number.MAX_SAFE_INTEGER })],
    ['an object without prototype', () => FileGrant(Object.assign(Object.create(null), { maxBytes: 5 }))],
  ])('%s', async (_name, handler) => {
    expect(await handsOut(read, world(handler))).toEqual(['alpha']);
  });
});

class Getter {
  get maxBytes(): number {
    return 1_000;
  }
}

describe('answers that do not', () => {
  const throwing = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('/host/secret');
      },
    },
  );
  it.each<[string, unknown]>([
    ['attack 1: undefined', () => undefined],
    ['null', () => null],
    ['true', () => true],
    ['the word', () => 'Granted'],
    ['a plain object', () => ({ kind: 'File', constraints: {} })],
    ['an object that claims the class', () => Object.create(Object.getPrototypeOf(Granted))],
    ['the function that makes one', () => FileGrant],
    ['Denied itself', () => Denied],
    ['Denied()', () => Denied()],
    ['Denied(reason)', () => Denied('because of /host/secret')],
    ['HttpGrant for a file', () => HttpGrant({})],
    ['EnvGrant for a file', () => EnvGrant({})],
    ['PluginGrant for a file', () => PluginGrant({})],
    [
      'a throw',
      () => {
        throw new Error('/host/secret');
      },
    ],
    [
      'a throw of nothing',
      () => {
        throw undefined;
      },
    ],
    [
      'a rejection',
      async () => {
        throw new Error('/host/secret');
      },
    ],
    ['a promise of nothing', async () => undefined],
    [
      'a then that cannot be read',
      () => ({
        get then() {
          throw new Error('/host/secret');
        },
      }),
    ],
    [
      'a then that throws',
      () => ({
        then: () => {
          throw new Error('/host/secret');
        },
      }),
    ],
    [
      'a promise whose then throws',
      () =>
        Object.assign(Promise.resolve(Granted), {
          then: () => {
            throw new Error('/host/secret');
          },
        }),
    ],
    [
      'a promise whose then gives something else',
      () =>
        Object.assign(Promise.resolve(Granted), {
          then: (keep: (answer: unknown) => void) => {
            keep('no');
            return {
              maxBytes: null,
              rewrittenPath: null,
              allowedDirectories: null,
              allowedExtensions: null,
              readOnly: false,
            };
          },
        }),
    ],
    ['Denied() with a reason that has no text', () => Denied(Object.create(null))],
    ['Denied() with a symbol for a reason', () => Denied(Symbol('why') as never)],
    [
      'a Proxy that tells nothing',
      () =>
        new Proxy(
          {},
          {
            has: () => {
              throw new Error('/host/secret');
            },
            get: () => {
              throw new Error('/host/secret');
            },
          },
        ),
    ],
    [
      'a throw of what has no text',
      () => {
        throw Object.create(null);
      },
    ],
    [
      'a rejection with what has no text',
      async () => {
        throw Object.create(null);
      },
    ],
    ['a promise of a promise of no grant', async () => Promise.resolve('yes')],
    ['attack 5: an unknown key', () => FileGrant({ maxByte: 5 } as never)],
    ['a symbol for a key', () => FileGrant({ [Symbol('maxBytes')]: 5 } as never)],
    ['a key of another kind', () => FileGrant({ maxResponseSize: 5 } as never)],
    ['__proto__ as own key', () => FileGrant(JSON.parse('{"__proto__": {"maxBytes": 5}}') as never)],
    ['NaN', () => FileGrant({ maxBytes: Number.NaN })],
    ['a negative number', () => FileGrant({ maxBytes: -1 })],
    ['a fraction', () => FileGrant({ maxBytes: 1.5 })],
    ['infinity', () => FileGrant({ maxBytes: Infinity })],
    ['beyond 2^53', () => FileGrant({ maxBytes: 2 ** 53 })],
    ['a text for a number', () => FileGrant({ maxBytes: '5' } as never)],
    ['a bigint', () => FileGrant({ maxBytes: 5n } as never)],
    ['a Number object', () => FileGrant({ maxBytes: new Number(5) } as never)],
    ['a number for a boolean', () => FileGrant({ readOnly: 0 } as never)],
    ['a text for a list', () => FileGrant({ allowedDirectories: '/' } as never)],
    ['a list with a number', () => FileGrant({ allowedDirectories: ['/', 5] } as never)],
    ['a list with a hole', () => FileGrant({ allowedDirectories: ['/', , '/'] } as never)],
    ['a list with an empty text', () => FileGrant({ allowedDirectories: [''] })],
    ['a list that is an object', () => FileGrant({ allowedDirectories: { 0: '/', length: 1 } } as never)],
    ['a list that is too long', () => FileGrant({ allowedDirectories: Array.from({ length: 10_001 }, () => '/') })],
    [
      'a list with a getter',
      () => FileGrant({ allowedDirectories: Object.defineProperty(['/'], 0, { get: () => '/' }) }),
    ],
    ['an extension with a slash', () => FileGrant({ allowedExtensions: ['a/b'] })],
    ['an extension that is a dot', () => FileGrant({ allowedExtensions: ['.'] })],
    ['a getter', () => FileGrant(Object.defineProperty({}, 'maxBytes', { get: () => 1_000, enumerable: true }))],
    [
      'an own getter beside',
      () =>
        FileGrant({
          get readOnly() {
            return false;
          },
        }),
    ],
    ['a Proxy that throws', () => FileGrant(throwing)],
    ['an array', () => FileGrant([] as never)],
    ['null for constraints', () => FileGrant(null as never)],
    ['a function for constraints', () => FileGrant((() => {}) as never)],
    ['an empty path', () => FileGrant({ rewrittenPath: '' })],
  ])('%s', async (_name, handler) => {
    const { lines, log } = collectLog();
    expect(await handsOut(read, world(handler, { log }))).toEqual([refusal]);
    expect(lines.join()).not.toContain('[object');
  });

  it('no handler at all', async () => {
    expect(await handsOut(read, { platform })).toEqual([refusal]);
  });

  it('attack 3: an answer that never comes', async () => {
    const { lines, log } = collectLog();
    expect(
      await handsOut(
        read,
        world(() => new Promise(() => {}), { promptTimeoutMs: 50, log }),
      ),
    ).toEqual([refusal]);
    expect(lines).toEqual(['File.read (File.Read) denied: the permission handler did not answer within 50 ms']);
  });

  it.each([Infinity, 2 ** 31, Number.MAX_VALUE])('attack 3: not before %d ms are over', async (promptTimeoutMs) => {
    const handler = async (): Promise<PermissionAnswer> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return Granted;
    };
    expect(await handsOut(read, world(handler, { promptTimeoutMs }))).toEqual(['alpha']);
  });

  it('attack 7: constraints of Object.prototype are none', async () => {
    const polluted = Object.prototype as { allowedDirectories?: unknown };
    polluted.allowedDirectories = ['/nowhere'];
    try {
      expect(
        await handsOut(
          read,
          world(() => FileGrant({})),
        ),
      ).toEqual(['alpha']);
    } finally {
      delete polluted.allowedDirectories;
    }
    expect(
      await handsOut(
        read,
        world(() => FileGrant(new Getter())),
      ),
    ).toEqual(['alpha']);
  });

  it('a grant that changes after it was given', async () => {
    const constraints = { allowedDirectories: ['/nowhere'] };
    const grant = FileGrant(constraints);
    const handler = (): PermissionAnswer => {
      queueMicrotask(() => {
        constraints.allowedDirectories[0] = '/';
      });
      return grant;
    };
    expect(await handsOut(read, world(handler))).toEqual([
      'SecurityError: File.read denied: outside allowedDirectories',
    ]);
  });
});

describe('the log', () => {
  it.each<[string, () => unknown, string]>([
    ['a reason', () => Denied('no files today'), 'File.read (File.Read) denied: no files today'],
    [
      'a throw',
      () => {
        throw new TypeError('boom');
      },
      'File.read (File.Read) denied: the permission handler threw: TypeError: boom',
    ],
    [
      'an unknown key',
      () => FileGrant({ maxByte: 1 } as never),
      'File.read (File.Read) denied: FileGrant has no constraint maxByte',
    ],
    [
      'a wrong value',
      () => FileGrant({ maxBytes: -1 }),
      'File.read (File.Read) denied: the constraint maxBytes has a value that it cannot have',
    ],
    ['a wrong kind', () => HttpGrant({}), 'File.read (File.Read) denied: a HttpGrant does not answer a File request'],
    [
      'no grant',
      () => 1,
      'File.read (File.Read) denied: the permission handler answered neither with a grant nor with Denied()',
    ],
  ])('says why: %s', async (_name, handler, line) => {
    const { lines, log } = collectLog();
    await handsOut(read, world(handler, { log }));
    expect(lines).toEqual([line]);
  });

  it('may throw itself', async () => {
    expect(
      await handsOut(
        read,
        world(() => Denied('x'), {
          log: () => {
            throw new Error('full');
          },
        }),
      ),
    ).toEqual([refusal]);
  });

  it('may fail later', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      expect(
        await handsOut(
          read,
          world(() => Denied('x'), {
            log: (() => Promise.reject(new Error('full'))) as () => void,
          }),
        ),
      ).toEqual([refusal]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  it('is told of a platform that throws what has no text', async () => {
    const { lines, log } = collectLog();
    const broken = createMemoryPlatform();
    Object.assign(broken.files, {
      read: () => {
        throw Object.create(null);
      },
    });
    expect(
      await handsOut(
        read,
        world(() => Granted, { log, platform: broken }),
      ),
    ).toEqual(['FileError: File.read failed: the host could not do it']);
    expect(lines).toEqual(['File.read failed in the host: something that has no text']);
  });

  it('is silent about a plain refusal', async () => {
    const { lines, log } = collectLog();
    await handsOut(
      read,
      world(() => Denied(), { log }),
    );
    expect(lines).toEqual([]);
  });
});

describe('constraints of Http', () => {
  it.each([
    '*',
    '*.com',
    'http://ok.test/',
    'ok.test:80',
    '',
    'ok.test/',
    'a b',
    '*.127.0.0.1',
    'ok..test',
    '@ok.test',
    'ok.test#',
    'ok.test?x',
    '*.*.ok.test',
    '[::1',
    '::1',
    '%6fk.test',
  ])('attack 87: the domain %j is a bad grant', (domain) => {
    expect(readHttpGrant(HttpGrant({ allowedDomains: [domain] }))).toBeInstanceOf(GrantProblem);
  });

  it.each([
    ['OK.Test', { name: 'ok.test', isWildcard: false }],
    ['ok.test.', { name: 'ok.test', isWildcard: false }],
    ['*.ok.test', { name: 'ok.test', isWildcard: true }],
    ['bücher.example', { name: 'xn--bcher-kva.example', isWildcard: false }],
    ['127.1', { name: '127.0.0.1', isWildcard: false }],
    ['[::1]', { name: '[::1]', isWildcard: false }],
    ['localhost', { name: 'localhost', isWildcard: false }],
  ])('the domain %j', (domain, rule) => {
    expect(readHttpGrant(HttpGrant({ allowedDomains: [domain] }))).toMatchObject({ allowedDomains: [rule] });
  });

  it.each([[[0]], [[65_536]], [[80.5]], [['80']]])('the ports %j are a bad grant', (ports) => {
    expect(readHttpGrant(HttpGrant({ allowedPorts: ports as number[] }))).toBeInstanceOf(GrantProblem);
  });
});

it('what a grant says is read into something of our own', () => {
  const given = { allowedExtensions: ['.TXT', 'md'], maxBytes: 3 };
  const limits = readFileGrant(FileGrant(given));
  expect({ ...limits }).toEqual({
    maxBytes: 3,
    rewrittenPath: null,
    allowedDirectories: null,
    deniedDirectories: null,
    allowedExtensions: ['txt', 'md'],
    readOnly: false,
  });
  expect(Object.isFrozen(limits)).toBe(true);
});

describe('attack 157: a host whose prototypes were changed', () => {
  const change = async (
    target: object,
    name: string,
    value: unknown,
    text: string,
    handler: () => unknown,
  ): Promise<string[]> => {
    const script = await load(text, world(handler));
    const before = Object.getOwnPropertyDescriptor(target, name);
    const given: string[] = [];
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    try {
      await script.run().result;
      given.push('ran to the end');
    } catch (error) {
      given.push((error as Error).name);
    } finally {
      if (before === undefined) delete (target as Record<string, unknown>)[name];
      else Object.defineProperty(target, name, before);
    }
    return given;
  };
  const elsewhere = (): PermissionAnswer => FileGrant({ allowedDirectories: ['/nowhere'] });

  it.each<[string, object, unknown]>([
    ['startsWith', String.prototype, () => true],
    ['includes', String.prototype, () => true],
    ['slice', String.prototype, () => ''],
    ['endsWith', String.prototype, () => true],
    ['indexOf', String.prototype, () => 0],
    ['includes', Array.prototype, () => true],
    ['some', Array.prototype, () => true],
    ['find', Array.prototype, (() => '/') as unknown],
    ['status', Object.prototype, 1],
    ['allowed', Object.prototype, true],
    ['constraints', Object.prototype, {}],
  ])('%s', async (name, target, value) => {
    expect(await change(target, name, value, read, elsewhere)).toEqual(['SecurityError']);
    expect(await change(target, name, value, read, () => Denied())).toEqual(['SecurityError']);
  });
});

describe('attack 117: one request, never repeated', () => {
  it('for a denied variable', async () => {
    const seen: string[] = [];
    const given = await handsOut(
      'Env.get("X");',
      world((request: PermissionRequest) => {
        seen.push(JSON.stringify(request));
        return Denied();
      }),
    );
    expect(seen).toEqual(['{"kind":"Env.Get","name":"X"}']);
    expect(given).toEqual(['SecurityError: Env.get denied: the host does not permit it']);
  });
});

it('the gate alone throws at once, or gives a promise, as the handler does', async () => {
  const request = new PermissionRequest.Env.Get('X');
  const gate = (handler: PermissionHandler): Gate<PermissionRequest> =>
    new Gate({ handler, promptTimeoutMs: null, onDecision: null });
  const log = (): void => {};
  expect(() => gate(() => Denied()).ask(request, 'Env.get', readFileGrant, log)).toThrow(expect.any(Failure) as Error);
  expect(gate(() => Granted).ask(request, 'Env.get', readFileGrant, log)).toMatchObject({ readOnly: false });
  await expect(gate(async () => Denied()).ask(request, 'Env.get', readFileGrant, log)).rejects.toBeInstanceOf(Failure);
});
