// A script that calls plugins does the same here and in a worker, and a replay of its log does it without any of them.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defineModule, formatLog, loadScript } from '../../runtime-host/api/node.ts';
import type { RunLog, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { outcome, takings } from '../worker/rows.ts';
import type { Row } from '../worker/rows.ts';
import { build, load as loadCompiled } from './compiling.ts';
import { calls, pluginRows } from './rows.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

const modules = new Map<Row, Promise<Uint8Array<ArrayBuffer>>>();

function compiled(row: Row): Promise<Uint8Array<ArrayBuffer>> {
  const made = modules.get(row) ?? build(row.text, row.options!().plugins!);
  modules.set(row, made);
  return made;
}

/** With plugins of its own. */
async function load(row: Row, more: ScriptOptions): Promise<Script> {
  return loadScript(await compiled(row), { workerUrl, ...row.options!(), ...more });
}

describe('plugins', () => {
  it.each(pluginRows)('are called from a worker: $name', async (row) => {
    const [here, there] = [await load(row, {}), await load(row, { isolation: 'worker' })];
    for (const how of takings) {
      const expected = await outcome(here, row, how);
      expect(
        JSON.stringify(expected, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain('secret');
      expect(await outcome(there, row, how)).toStrictEqual(expected);
    }
  });

  describe('are called from a worker that shares no memory', () => {
    beforeAll(() => void vi.stubGlobal('SharedArrayBuffer', undefined));
    afterAll(() => void vi.unstubAllGlobals());

    it.each(pluginRows.filter(({ asksForNumbers }) => asksForNumbers !== true))('$name', async (row) => {
      const [here, there] = [await load(row, {}), await load(row, { isolation: 'worker' })];
      for (const how of takings) expect(await outcome(there, row, how)).toStrictEqual(await outcome(here, row, how));
    });

    it('by an instance', async () => {
      const plugin = defineModule({
        name: 'P',
        functions: { 'double half(double x)': (x: number) => x / 2, 'string text(string s)': (s: string) => `${s}!` },
      });
      const script = await loadCompiled(
        'double start = P.half(3.0); export double next(double by) { start += P.half(by); return start; } ' +
          'export string text(string s) { return P.text(s); }',
        [plugin],
        { isolation: 'worker', workerUrl },
      );
      const instance = script.instance();
      expect((await instance.call('next', 1)).value).toBe(2);
      expect((await instance.call('next', 1)).value).toBe(2.5);
      expect((await instance.call('text', 'a')).value).toBe('a!');
      instance.close();
    });
  });

  describe.each(['none', 'worker'] as const)('are not called by a replay, isolation %s', (isolation) => {
    it.each(pluginRows)('$name', async (row) => {
      const expected = await outcome(await load(row, {}), row, 'forEach');
      expect(await outcome(await load(row, { isolation, record: true }), row, 'forEach')).toStrictEqual(expected);
      const run = (await load(row, { isolation, record: true })).run();
      await run.result.catch(() => {});
      const log = JSON.parse(formatLog(await run.log)) as RunLog;
      expect(log).toEqual(await run.log);
      expect(JSON.stringify(log)).not.toContain('secret');
      const before = calls.count;
      const replayed = await loadScript(await compiled(row), {
        workerUrl,
        plugins: row.options!().plugins!,
        isolation,
        replay: log,
      });
      for (let iteration = 0; iteration < 2; iteration++)
        expect(await outcome(replayed, row, 'forEach')).toStrictEqual(expected);
      expect(calls.count).toBe(before);
    });
  });
});
