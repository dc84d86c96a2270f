// What scripts of jobs may reach: what the run was allowed and the worker allows as well, and a run that asks for more
// than a worker gives is left to others.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MapWorker, planMap, runMap } from 'sluice-map';
import type { MapOptions, MapProgress, Permissions } from 'sluice-map';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';
import { exceedingOf, flagsOf, surroundingsOf } from '../../map/local/surroundings.ts';
import { failuresOf, hashesOf } from './harness.ts';
import { QueueFolder } from './queue-harness.ts';
import { startRedis } from './queue-servers.ts';

const folder = new QueueFolder();
const redis = await startRedis();
const server = createServer((request, response) => response.end(`page ${request.url!}`));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterEach(async () => folder.end());
afterAll(async () => {
  server.close();
  await redis.stop();
  folder.remove();
});

const input = await folder.parquet('in.parquet', 'SELECT i AS n FROM range(40) AS r(i)');
for (const name of ['data', 'data/inner', 'other']) mkdirSync(folder.file(name));
for (const name of ['data/a.txt', 'other/a.txt']) folder.write(name, `text of ${name}`);
const [data, inner, other] = ['data', 'data/inner', 'other'].map((name) => folder.file(name)) as [
  string,
  string,
  string,
];
const script = (name: string, body: string): string =>
  folder.write(`${name}.slu`, `type Out { int n; string s; } export Out map(int n) { ${body} }`);
const reads = script('reads', `return { n: n, s: File.read("${data}/a.txt") };`);
const gets = script('gets', `return { n: n, s: Http.get(\`http://127.0.0.1:${port}/\${n}\`) };`);
const both = script(
  'both',
  `try { return { n: n, s: File.read(n % 2 == 0 ? "${data}/a.txt" : "${other}/a.txt") }; }
   catch (SecurityError e) { return { n: n, s: "denied" }; }`,
);

const planOf = (
  output: string,
  path: string,
  permissions: Permissions,
  rest: Partial<MapOptions> = {},
): MapOptions & { readonly output: string } => ({
  script: path,
  input,
  output: folder.file(output),
  partitionRows: 10,
  permissions,
  ...rest,
});

async function local(plan: MapOptions): Promise<Record<string, string>> {
  const here = { ...plan, output: `${plan.output}-here` };
  for await (const _ of runMap(await planMap(here))) continue;
  return hashesOf(here.output);
}

async function messageOf(run: Promise<MapProgress>): Promise<string> {
  return run.then(
    () => 'done',
    (error: Error) => `${error.name}: ${error.message}`.replaceAll(`${folder.path}/`, ''),
  );
}

describe('a script of a job', () => {
  it('reads files that the run was allowed and the worker allows, as it does here', async () => {
    const plan = planOf('read', reads, { 'allow-file-read': data });
    await folder.worker(redis.url, { permissions: { 'allow-file-read': folder.path } });
    expect(await folder.queued(plan, redis.url)).toMatchObject({ done: 4, written: 40 });
    expect(hashesOf(plan.output)).toEqual(await local(plan));
  });

  it('waits for the network', async () => {
    const permissions = { 'allow-http-get': '127.0.0.1', 'http-ports': String(port) };
    const plan = planOf('get', gets, permissions);
    await folder.worker(redis.url, { permissions: { 'allow-http': '127.0.0.1', 'http-ports': `80,${port}` } });
    expect(await folder.queued(plan, redis.url)).toMatchObject({ done: 4, written: 40 });
    expect(hashesOf(plan.output)).toEqual(await local(plan));
  });

  it('does not get what only the worker allows', async () => {
    const plan = planOf('narrow', both, { 'allow-file-read': data });
    await folder.worker(redis.url, { permissions: { 'allow-file-read': folder.path } });
    await folder.queued(plan, redis.url);
    expect(hashesOf(plan.output)).toEqual(await local(plan));
    const dead = planOf('dead', reads, { 'allow-file-read': other }, { maxErrors: 40 });
    await folder.queued(dead, redis.url);
    expect(failuresOf(dead.output).map(({ type }) => type)).toEqual(Array(40).fill('SecurityError'));
  });

  it('is left to the worker that gives what it asks for', async () => {
    const plan = planOf('chosen', reads, { 'allow-file-read': data });
    const none = await folder.worker(redis.url);
    const elsewhere = await folder.worker(redis.url, { permissions: { 'allow-file-read': other } });
    const giving = folder.worker(redis.url, { permissions: { 'allow-file-read': data } });
    expect(await folder.queued(plan, redis.url)).toMatchObject({ done: 4, written: 40 });
    expect(hashesOf(plan.output)).toEqual(await local(plan));
    expect((await giving).told.filter(({ kind }) => kind === 'done').length).toBe(4);
    for (const { told } of [none, elsewhere]) {
      expect(told.some(({ kind }) => kind === 'done')).toBe(false);
      expect(told.filter(({ kind }) => kind === 'refused').length).toBeLessThanOrEqual(1);
    }
  });

  it('ends with what no worker gives, and goes on where one does', async () => {
    const plan = planOf('nobody', reads, { 'allow-file-read': data });
    const worker = await folder.worker(redis.url, { permissions: { 'allow-file-read': other } });
    const message = await messageOf(folder.queued(plan, redis.url, { times: { refusedMs: 1_500 } }));
    expect(message).toMatch(
      /^MapError: no worker may do what is left of it; \S+-\d+: it asks for more than the flags /,
    );
    expect(message).toContain(' of this worker give: --allow-file-read=data is not given. What is committed stays: ');
    expect(worker.told.filter(({ kind }) => kind === 'refused').length).toBe(1);
    expect(readdirSync(join(plan.output, '_commits'))).toEqual([]);
    await folder.worker(redis.url, { permissions: { 'allow-file-read': data } });
    expect(await folder.queued(plan, redis.url, { resume: true })).toMatchObject({ done: 4, written: 40 });
  });

  it('has no other flags than those that were signed', async () => {
    const plan = planOf('forged', reads, { 'allow-file-read': other });
    let isForged = false;
    const run = folder.queued(plan, redis.url, {}, async ({ phase }) => {
      if (phase !== 'mapping' || isForged) return;
      isForged = true;
      for (const name of readdirSync(join(plan.output, '_job'))) {
        const path = join(plan.output, '_job', name);
        const text = readFileSync(path, 'latin1');
        if (text.startsWith('{')) writeFileSync(path, text.replaceAll(other, data), 'latin1');
      }
      await folder.worker(redis.url, { permissions: { 'allow-file-read': folder.path } });
    });
    expect(await messageOf(run)).toMatch(/^TasksFailed: .*: its spec is missing in .*forged, or has been changed$/);
  });

  it('has no plugins, and names what it may reach', async () => {
    expect(await messageOf(folder.queued(planOf('all', reads, { 'allow-all': true }), redis.url))).toBe(
      'MapError: --allow-all is not for workers of a queue: say what the script may reach',
    );
    const start = async (permissions: Permissions): Promise<string> =>
      MapWorker.start(folder.workerOptions(redis.url, { permissions })).then(
        () => 'it has begun',
        ({ message }: Error) => message,
      );
    expect(await start({ 'allow-all': true })).toBe('a worker says what scripts may reach: --allow-all is not for it');
    expect(await start({ 'alow-http': 'a.example' })).toBe(
      'permissions has no flag alow-http: did you mean allow-http?',
    );
    expect(await start({ 'allow-file': '/nowhere/at/all' })).toContain('--allow-file takes a directory that exists');
  });
});

describe('flags of a job', () => {
  it('allow in a thread what those of its worker allow too, whatever was looked at before', async () => {
    const { artifact } = await compile('main.slu', 'main(string path) { return File.read(path); }');
    const readBy = async (job: Permissions, worker: Permissions, path: string): Promise<unknown> => {
      const { flags, folder: base } = { flags: flagsOf(job), folder: folder.path };
      const bound = { flags: flagsOf(worker), folder: base };
      const options = await surroundingsOf({ flags, folder: base, plugins: [], repeats: false, bound });
      const script = await loadScript(artifact!.wasm, options);
      return script.run({ path }).result.catch((error: Error) => error.name);
    };
    const [mine, others] = [join(data, 'a.txt'), join(other, 'a.txt')];
    for (const wide of [{ 'allow-file': folder.path }, { 'allow-file': [data, other] }]) {
      expect(await readBy(wide, { 'allow-file': other }, mine)).toBe('SecurityError');
      expect(await readBy(wide, { 'allow-file': other }, others)).toBe('text of other/a.txt');
      expect(await readBy({ 'allow-file': other }, wide, mine)).toBe('SecurityError');
      expect(await readBy({ 'allow-file': other }, wide, others)).toBe('text of other/a.txt');
      expect(await readBy(wide, { ...wide, 'file-max-bytes': '5' }, mine)).toBe('SecurityError');
      expect(await readBy(wide, { ...wide, 'deny-file-read': data }, mine)).toBe('SecurityError');
    }
    expect(await readBy({ 'allow-all': true }, { 'allow-file': other }, mine)).toBe('SecurityError');
    expect(await readBy({ 'allow-file': other }, {}, others)).toBe('SecurityError');
  });

  const cases: readonly (readonly [name: string, job: Permissions, worker: Permissions, exceeding: string | null])[] = [
    [
      'the same',
      { 'allow-file': data, 'allow-http': 'a.example' },
      { 'allow-file': data, 'allow-http': 'a.example' },
      null,
    ],
    ['a folder below', { 'allow-file-read': inner }, { 'allow-file': data }, null],
    ['a folder above', { 'allow-file-read': data }, { 'allow-file': inner }, '--allow-file-read=data is not given'],
    ['writing', { 'allow-file': data }, { 'allow-file-read': data }, '--allow-file-write=data is not given'],
    [
      'a larger file',
      { 'allow-file': data },
      { 'allow-file': data, 'file-max-bytes': '9' },
      '--file-max-bytes allows less',
    ],
    [
      'as small a file',
      { 'allow-file': data, 'file-max-bytes': '9' },
      { 'allow-file': data, 'file-max-bytes': '10' },
      null,
    ],
    ['reading of who is read-only', { 'allow-file-read': data }, { 'allow-file': data, 'file-read-only': true }, null],
    [
      'what is denied',
      { 'allow-file-read': data },
      { 'allow-file': data, 'deny-file': inner },
      '--deny-file=data/inner is given',
    ],
    ['what is denied elsewhere', { 'allow-file-read': data }, { 'allow-file': data, 'deny-file': other }, null],
    [
      'what both deny',
      { 'allow-file-read': data, 'deny-file': inner },
      { 'allow-file': data, 'deny-file': inner },
      null,
    ],
    ['a host below', { 'allow-http-get': 'a.b.example' }, { 'allow-http': '*.b.example' }, null],
    ['hosts below', { 'allow-http-get': '*.a.b.example' }, { 'allow-http-get': '*.b.example' }, null],
    [
      'hosts above',
      { 'allow-http-get': '*.b.example' },
      { 'allow-http-get': 'b.example' },
      "'--allow-http-get=*.b.example' is not given",
    ],
    [
      'another method',
      { 'allow-http-post': 'a.example' },
      { 'allow-http-get': 'a.example' },
      '--allow-http-post=a.example is not given',
    ],
    [
      'any port',
      { 'allow-http': 'a.example' },
      { 'allow-http': 'a.example', 'http-ports': '80' },
      '--http-ports allows less',
    ],
    [
      'no https',
      { 'allow-http': 'a.example' },
      { 'allow-http': 'a.example', 'https-only': true },
      '--https-only allows less',
    ],
    [
      'a denied host',
      { 'allow-http': '*.b.example' },
      { 'allow-http': '*.b.example', 'deny-http': 'a.b.example' },
      '--deny-http=a.b.example is given',
    ],
    [
      'a denied address',
      { 'allow-http': 'a.example' },
      { 'allow-http': 'a.example', 'deny-http': '10.0.0.1' },
      '--deny-http=10.0.0.1 is given',
    ],
    ['a variable', { 'allow-env': ['A', 'B'] }, { 'allow-env': ['B', 'C'] }, '--allow-env=A is not given'],
    ['everything', { 'allow-all': true }, { 'allow-file': data }, '--allow-all is not given'],
    [
      'limits of what it does not use',
      { 'allow-env': 'A' },
      { 'allow-env': 'A', 'https-only': true, 'file-read-only': true },
      null,
    ],
  ];
  it.for(cases)('%s', async ([, job, worker, exceeding]) => {
    const found = await exceedingOf({
      flags: flagsOf(job),
      folder: folder.path,
      bound: { flags: flagsOf(worker), folder: folder.path },
    });
    expect(found?.replaceAll(`${folder.path}/`, '') ?? null).toBe(exceeding);
  });
});
