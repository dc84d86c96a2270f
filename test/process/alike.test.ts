// A script in a process does what it does in this thread: the same values, texts, errors and stacks, whatever the host
// answers, however its values are taken, with plugins, with logs and in instances.

import { describe, expect, it } from 'vitest';
import { formatLog, loadScript } from '../../runtime-host/api/node.ts';
import type { RunLog, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { build } from '../plugins/compiling.ts';
import { calls, pluginRows } from '../plugins/rows.ts';
import { outcome, rows } from '../worker/rows.ts';
import type { Row } from '../worker/rows.ts';
import { workerUrl } from './loading.ts';

const modules = new Map<Row, Promise<Uint8Array<ArrayBuffer>>>();

async function compileRow(row: Row): Promise<Uint8Array<ArrayBuffer>> {
  const plugins = row.options?.().plugins;
  if (plugins !== undefined) return build(row.text, plugins);
  const { artifact, diagnostics } = await compile('test.slu', row.text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

async function load(row: Row, more: ScriptOptions): Promise<Script> {
  const compiled = modules.get(row) ?? compileRow(row);
  modules.set(row, compiled);
  return loadScript(await compiled, { workerUrl, ...row.options?.(), ...more });
}

/** A recursion goes deeper in a process; where it ends is the only difference. */
const endsElsewhere = ['a recursion without end'];

describe('a run in a process gives what one here gives', () => {
  it.each([...rows, ...pluginRows])(
    '$name',
    async (row) => {
      const [here, there] = [await load(row, {}), await load(row, { isolation: 'process' })];
      // Each takes a process: the third way, `result`, is that of the tests below.
      for (const how of ['forEach', 'iterator'] as const) {
        const expected = await outcome(here, row, how);
        const found = await outcome(there, row, how);
        if (endsElsewhere.includes(row.name))
          expect(found).toMatchObject({
            error: { name: 'StackOverflowError', message: expect.stringMatching(/^calls are nested too deep: /) },
          });
        else expect(found).toStrictEqual(expected);
      }
    },
    120_000,
  );

  it('from its sources too', async () => {
    const row = rows.find(({ name }) => name === 'structs')!;
    const [here, there] = [
      await load(row, {}),
      await load(row, {
        isolation: 'process',
        workerUrl: new URL('../../runtime-host/node/worker-main.ts', import.meta.url),
      }),
    ];
    expect(await outcome(there, row, 'forEach')).toStrictEqual(await outcome(here, row, 'forEach'));
  }, 60_000);

  it('with texts that are no Unicode', async () => {
    const text = 'main(string s) { yield s; yield s.length(); json j = { "k": s }; return j; }';
    const row: Row = { name: 'halves', text, values: { s: 'a\ud800b\udc00\ufeff' } };
    const [here, there] = [await load(row, {}), await load(row, { isolation: 'process' })];
    expect(await outcome(there, row, 'forEach')).toStrictEqual(await outcome(here, row, 'forEach'));
  }, 60_000);
});

describe('a log of a process', () => {
  it.each([...rows, ...pluginRows].filter(({ name }) => logged.includes(name)))(
    'is followed, and its runs are recorded: $name',
    async (row) => {
      const expected = await outcome(await load(row, {}), row, 'forEach');
      const run = (await load(row, { isolation: 'process', record: true })).run();
      await run.result.catch(() => {});
      const log = JSON.parse(formatLog(await run.log)) as RunLog;
      const before = calls.count;
      const { plugins = [] } = row.options?.() ?? {};
      const replayed = await loadScript(await modules.get(row)!, {
        workerUrl,
        isolation: 'process',
        plugins,
        replay: log,
      });
      expect(await outcome(replayed, row, 'forEach')).toStrictEqual(expected);
      expect(calls.count).toBe(before);
    },
    120_000,
  );
});

const logged = [
  'a host that answers later',
  'a host that denies',
  'a large answer',
  'a seed',
  'functions that throw',
  'typed arrays',
];
