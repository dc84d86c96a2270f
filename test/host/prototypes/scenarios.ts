// What a host must hold in a world whose built-ins are not what they were: each scenario tries for something that is
// denied, or does something that is allowed. Runs in a process of its own (world.ts); nothing here may rest on what a
// world changes, which is why there are no methods and no loops over iterators in what runs then.

import { createServer } from 'node:http';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type * as Host from '../../../runtime-host/api/node.ts';

export const secret = 'a-secret-that-nobody-was-given';

export const source = `
  main(string op, string a) {
    if (op == "read") return File.read(a);
    if (op == "write") { File.write(a, "written"); return "written"; }
    if (op == "list") { string[] names = File.list(a); return names.length() == 3 ? "three" : "more"; }
    if (op == "env") return Env.get(a);
    if (op == "http") return Http.get(a);
    if (op == "open") return Vault.open(a);
    if (op == "yield") { for (int i = 0; i < 100; i++) { yield i; } return "yielded all"; }
    int iterations = 0;
    while (iterations >= 0) { iterations = (iterations + 1) & 1023; }
    return "never";
  }
`;

type Outcome = readonly [name: string, told: string];
export interface Scenarios {
  readonly names: readonly string[];
  readonly isWorkers: (at: number) => boolean;
  /** Gives the error's name or what the script gave, or that nothing came in so many milliseconds. */
  readonly run: (at: number, patience?: number) => Promise<string>;
  /** What was reached that nobody granted; empty if all is well. */
  readonly reached: () => string;
  readonly close: () => void;
}

/** The plugin that scripts call, which is closed unless the host says otherwise. */
export function makeVault({ defineModule }: Pick<typeof Host, 'defineModule'>, opened: { count: number }) {
  return defineModule({
    name: 'Vault',
    functions: {
      'string open(string name)': {
        permission: 'vault:open',
        call: () => {
          opened.count++;
          return secret;
        },
      },
    },
  });
}

const { setTimeout: later, clearTimeout: never, Promise: NativePromise } = globalThis;

export async function makeScenarios(host: typeof Host, wasm: Uint8Array): Promise<Scenarios> {
  const { loadScript, Denied, EnvGrant, FileGrant, Granted, HttpGrant, createNodePlatform } = host;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-prototypes-'));
  const [inside, outside, made] = [join(folder, 'inside'), join(folder, 'outside'), join(folder, 'inside/made.txt')];
  for (const each of [inside, outside]) mkdirSync(each);
  mkdirSync(join(inside, 'deep'));
  for (const file of ['open.txt', 'deep/far.txt']) writeFileSync(join(inside, file), 'open to all');
  writeFileSync(join(inside, 'key.pem'), secret);
  writeFileSync(join(outside, 'secret.txt'), secret);
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.end(secret);
  });
  await new NativePromise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const opened = { count: 0 };
  const plugins = [makeVault(host, opened)];
  process.env['SLUICE_SECRET'] = secret;
  const platform = createNodePlatform({ baseDir: inside, resolve: async () => ['127.0.0.1'] });
  const environment = { X: 'public', HIDDEN: secret };

  type Row = readonly [name: string, op: string, argument: string, options: Host.ScriptOptions];
  const inFolder = (): Host.PermissionHandler => () =>
    FileGrant({ allowedDirectories: [inside], allowedExtensions: ['txt'] });
  const rows: readonly Row[] = [
    ['what is granted', 'read', 'open.txt', { permissions: inFolder() }],
    ['a list', 'list', '.', { permissions: () => FileGrant({ allowedDirectories: [inside] }) }],
    [
      'a variable that is granted',
      'env',
      'X',
      { permissions: () => EnvGrant({ allowedVarNames: ['X'] }), environment },
    ],
    ['without a handler', 'read', join(outside, 'secret.txt'), {}],
    ['denied', 'read', join(outside, 'secret.txt'), { permissions: () => Denied() }],
    ['denied later', 'read', join(outside, 'secret.txt'), { permissions: async () => Denied() }],
    ['outside allowedDirectories', 'read', join(outside, 'secret.txt'), { permissions: inFolder() }],
    [
      'outside, by dots',
      'read',
      '../outside/secret.txt',
      { permissions: async () => inFolder()(undefined as never) as Host.Grant },
    ],
    ['outside allowedExtensions', 'read', 'key.pem', { permissions: inFolder() }],
    [
      'a write under readOnly',
      'write',
      made,
      { permissions: () => FileGrant({ allowedDirectories: [inside], readOnly: true }) },
    ],
    ['a variable that is denied', 'env', 'HIDDEN', { permissions: () => Denied(), environment }],
    [
      'a variable that is not listed',
      'env',
      'HIDDEN',
      { permissions: () => EnvGrant({ allowedVarNames: ['X'] }), environment },
    ],
    ['a variable of the process', 'env', 'SLUICE_SECRET', { permissions: () => Granted }],
    ['a domain that is not listed', 'http', url, { permissions: () => HttpGrant({ allowedDomains: ['ok.test'] }) }],
    ['an address that is not public', 'http', url, { permissions: () => HttpGrant({}), privateNetwork: 'deny' }],
    ['a name of one', 'http', 'http://ok.test/', { permissions: () => HttpGrant({ allowedDomains: ['ok.test'] }) }],
    ['a plugin that is denied', 'open', 'x', { permissions: () => Denied() }],
    ['fuel', 'loop', '', { limits: { fuel: 50_000 } }],
    ['fuel that may not be extended', 'loop', '', { limits: { fuel: 50_000, onLimit: () => ({}) as never } }],
    ['values', 'yield', '', { limits: { outputItems: 5 } }],
    ['a worker, denied', 'read', join(outside, 'secret.txt'), { permissions: () => Denied(), isolation: 'worker' }],
    ['a worker, outside', 'read', join(outside, 'secret.txt'), { permissions: inFolder(), isolation: 'worker' }],
  ];
  const scripts: Host.Script[] = [];
  for (let at = 0; at < rows.length; at++) scripts[at] = await loadScript(wasm, { platform, plugins, ...rows[at]![3] });

  const attempt = async (at: number): Promise<string> => {
    const { 1: op, 2: a } = rows[at]!;
    try {
      return `gave ${(await scripts[at]!.run({ op, a }).result) as string}`;
    } catch (error) {
      return (error as Error).name;
    }
  };
  return {
    names: rows.map(([name]) => name),
    isWorkers: (at) => rows[at]![3].isolation === 'worker',
    // A world may break promises altogether: then nothing comes, which is no access either.
    run: (at, patience = 10_000) =>
      new NativePromise((resolve) => {
        const timer = later(() => resolve('nothing'), patience);
        void (async () => {
          const told = await attempt(at);
          never(timer);
          resolve(told);
        })();
      }),
    reached: () =>
      `${requests > 0 ? 'the server ' : ''}${opened.count > 0 ? 'the plugin ' : ''}` +
      (existsSync(made) ? 'the file ' : ''),
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What each scenario comes to where nothing has been changed. */
export const expected: readonly Outcome[] = [
  ['what is granted', 'gave open to all'],
  ['a list', 'gave three'],
  ['a variable that is granted', 'gave public'],
  ['without a handler', 'SecurityError'],
  ['denied', 'SecurityError'],
  ['denied later', 'SecurityError'],
  ['outside allowedDirectories', 'SecurityError'],
  ['outside, by dots', 'SecurityError'],
  ['outside allowedExtensions', 'SecurityError'],
  ['a write under readOnly', 'SecurityError'],
  ['a variable that is denied', 'SecurityError'],
  ['a variable that is not listed', 'SecurityError'],
  ['a variable of the process', 'gave null'],
  ['a domain that is not listed', 'SecurityError'],
  ['an address that is not public', 'SecurityError'],
  ['a name of one', 'SecurityError'],
  ['a plugin that is denied', 'SecurityError'],
  ['fuel', 'QuotaExceededError'],
  ['fuel that may not be extended', 'QuotaExceededError'],
  ['values', 'QuotaExceededError'],
  ['a worker, denied', 'SecurityError'],
  ['a worker, outside', 'SecurityError'],
];

export function readModule(path: string): Uint8Array {
  return readFileSync(path);
}
