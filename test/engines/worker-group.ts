// Workers of pages and runtimes: what a script does in one is what it does elsewhere, and nothing that it does keeps it
// alive. Where memory cannot be shared, or the engine cannot suspend a script, what cannot be is refused in words.

import { AbortError, HostError, loadScript, ScriptError } from '../../runtime-host/api/index.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/index.ts';
import { canSuspend } from '../../runtime-host/engine/features.ts';
import { compile } from '../../src/index.ts';
import { pluginRows } from '../plugins/rows.ts';
import { outcome, rows, takings } from '../worker/rows.ts';
import type { Row } from '../worker/rows.ts';
import type { Check, Group } from './suites.ts';

const sharesMemory = typeof SharedArrayBuffer === 'function';

async function bytesOf(text: string, plugins: readonly unknown[] = []): Promise<Uint8Array> {
  const { artifact, diagnostics } = await compile('test.slu', text, { plugins });
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

type Load = (wasm: Uint8Array, options: ScriptOptions) => Promise<Script>;

async function checkRow(load: Load, row: Row): Promise<readonly string[]> {
  // Plugins that keep something are made anew for each script.
  const options = (): ScriptOptions => row.options?.() ?? {};
  const wasm = await bytesOf(row.text, options().plugins);
  const there = await load(wasm, { ...options(), isolation: 'worker' });
  const waits = row.asksPlugins === true || (there.manifest.waits ?? []).length > 0;
  if (!sharesMemory && (row.asksForNumbers === true || (waits && !canSuspend())))
    return checkRefusal(row.name, there.run(row.values ?? {}).result);
  const here = await load(wasm, options());
  const complaints: string[] = [];
  for (const how of takings) {
    const found = show(await outcome(there, row, how));
    // A page whose engine cannot suspend waits for promises in workers alone.
    const expected = row.isLater === true && !canSuspend() ? null : show(await outcome(here, row, how));
    const isFine =
      expected === null
        ? !found.includes('HostError')
        : row.name === 'a recursion without end'
          ? found.includes('StackOverflowError')
          : found === expected;
    if (!isFine)
      complaints.push(
        `${row.name}, ${how}: ${found.slice(0, 300)} instead of ${(expected ?? 'a result').slice(0, 300)}`,
      );
  }
  return complaints;
}

async function checkRefusal(name: string, result: Promise<unknown>): Promise<readonly string[]> {
  const error = await result.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof HostError && error.message.includes('cross-origin isolated')
    ? []
    : [`${name}: it was not refused: ${String(error)}`];
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'number') return Object.is(part, -0) ? '-0.0' : `${part}`;
    if (typeof part === 'function') return part.name;
    if (part instanceof Float64Array || part instanceof BigInt64Array) return `${part.constructor.name} ${part.join()}`;
    return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === null
      ? { 'without a prototype': { ...part } }
      : part;
  });
}

/** In pages that share no memory the script is one that the engine may suspend. */
const aborts = (load: Load): readonly Check[] => [
  {
    name: 'abort ends a script that computes for ever',
    run: async () => {
      const run = (await load(await bytesOf('main() { yield 1; while (true) { } }'), { isolation: 'worker' })).run();
      const error: unknown = await run
        .forEach(() => run.abort())
        .then(
          () => null,
          (thrown: unknown) => thrown,
        );
      return error instanceof AbortError ? [] : [`abort: ${String(error)}`];
    },
  },
];

const endings = (load: Load): readonly Check[] => [
  {
    name: 'the time limit does, of a module without guards',
    run: async () => {
      const { artifact } = await compile(
        'test.slu',
        'export int loop() { while (true) { } } export int one() { return 1; }',
        { guards: {} },
      );
      const script = await load(artifact!.wasm, { isolation: 'worker', limits: { timeMs: 50 } });
      const { value } = await script.call('one');
      const error: unknown = await script.call('loop').then(
        () => null,
        (thrown: unknown) => thrown,
      );
      return value === 1n && error instanceof ScriptError && error.name === 'TimeoutError'
        ? []
        : [`the time limit: ${String(value)}, ${String(error)}`];
    },
  },
  {
    name: 'many runs at once do not disturb each other',
    run: async () => {
      const script = await load(
        await bytesOf('main(int n) { int sum = 0; for (int i = 0; i < n; i++) { yield i; sum += i; } return sum; }'),
        { isolation: 'worker' },
      );
      const sums = await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const run = script.run({ n });
          let sum = 0n;
          await run.forEach((value) => (sum += value as bigint));
          return [sum, await run.result];
        }),
      );
      return sums.flatMap(([sum, result], n) =>
        sum === result && result === BigInt((n * (n - 1)) / 2) ? [] : [`run ${n}: ${String(sum)}, ${String(result)}`],
      );
    },
  },
];

const inOpaqueOrigin = [
  'json with all there is',
  'typed arrays',
  'large values',
  'an error with its stack',
  'a host that answers later',
  'a large answer',
  'functions for numbers and the clock',
  'functions that throw',
];

const pageChecks: readonly Check[] = [
  {
    name: 'memory is shared in the page that is isolated, and in no other',
    run: async () => {
      const { pathname } = (globalThis as unknown as { readonly location: { readonly pathname: string } }).location;
      return sharesMemory === (pathname === '/isolated')
        ? []
        : [`${pathname}: memory is ${sharesMemory ? '' : 'not '}shared`];
    },
  },
  {
    name: 'a worker whose file is not there, or may not be used, is said so',
    run: async () => {
      const wasm = await bytesOf('main() { return 1; }');
      const complaints: string[] = [];
      for (const workerUrl of ['/none.js', 'http://127.0.0.1:9/worker.js']) {
        const work = async (): Promise<unknown> =>
          (await loadScript(wasm, { isolation: 'worker', workerUrl })).run().result;
        const error: unknown = await work().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (!(error instanceof HostError && error.message.startsWith('the worker cannot be started')))
          complaints.push(`${workerUrl}: ${String(error)}`);
      }
      return complaints;
    },
  },
  {
    name: 'a worker of an opaque origin does what others do',
    run: async () => {
      const workerUrl = opaqueUrl(await textOf('/sluice-worker.js'));
      const load: Load = (wasm, options) => loadScript(wasm, { ...options, workerUrl });
      const complaints: string[] = [];
      for (const row of [...rows, ...pluginRows])
        if (inOpaqueOrigin.includes(row.name)) complaints.push(...(await checkRow(load, row)));
      return complaints;
    },
  },
  {
    name: 'a worker of an opaque origin reaches nothing of the page',
    run: async () => {
      const text = `const tries = {
          origin: async () => self.origin,
          page: async () => (await fetch(${JSON.stringify(String(new URL('/cases.json', (globalThis as unknown as { readonly location: { readonly href: string } }).location.href)))})).status,
          storage: async () => new Promise((done, fail) => { const open = indexedDB.open('x'); open.onsuccess = () => done('opened'); open.onerror = fail; }),
        };
        Promise.all(Object.values(tries).map((attempt) => attempt().catch(() => 'refused'))).then(postMessage);`;
      const url = opaqueUrl(text);
      const found = await new Promise((resolve, reject) => {
        const worker = new (
          globalThis as unknown as {
            readonly Worker: new (url: string, options: object) => { onmessage: unknown; onerror: unknown };
          }
        ).Worker(url, { type: 'module' });
        worker.onmessage = ({ data }: { readonly data: unknown }) => resolve(data);
        worker.onerror = reject;
      });
      return JSON.stringify(found) === '["null","refused","refused"]' ? [] : [`it found ${JSON.stringify(found)}`];
    },
  },
];

async function textOf(path: string): Promise<string> {
  return (await fetch(path)).text();
}

/** What docs/host.md tells pages to give as `workerUrl`. */
function opaqueUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** For whoever starts workers with a `loadScript` of its own. */
export function workerGroupOf(load: Load): Group {
  return {
    suite: 'host',
    name: 'workers',
    checks: [
      ...[...rows, ...pluginRows].map((row) => ({ name: row.name, run: () => checkRow(load, row) })),
      ...endings(load),
    ],
  };
}

export function abortGroupOf(load: Load): Group {
  return { suite: 'host', name: 'workers that are ended in a script', checks: aborts(load) };
}

const ofPage = workerGroupOf(loadScript);

/** For pages alone. */
export const workerGroup: Group = { ...ofPage, checks: [...ofPage.checks, ...pageChecks] };
export const abortGroup = abortGroupOf(loadScript);
