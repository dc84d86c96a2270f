// Modules that fail to begin, or end in a way that nobody foresaw: each run is over once, and no thread, descriptor or
// handle is left.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import { assemble } from '../host/module.ts';
import type { ModuleText } from '../host/module.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

const left = (): { readonly threads: number; readonly descriptors: number; readonly resources: number } => ({
  threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]),
  descriptors: readdirSync('/proc/self/fd').length,
  resources: process.getActiveResourcesInfo().length,
});

const failing: readonly (readonly [string, ModuleText])[] = [
  ['an element beyond its table', { functions: '(table 1 funcref) (func $x) (elem (i32.const 9) $x)', main: '' }],
  ['data beyond its memory', { functions: '(memory 1) (data (i32.const 70000) "x")', main: '' }],
  ['a memory of another size', { imports: '(import "sluice" "staging" (memory 9 9))', main: '' }],
  ['a depth that cannot be set', { functions: '(global $d i32 (i32.const 1)) (export "depth" (global $d))', main: '' }],
  [
    'a depth that is no number',
    { functions: '(global $d (mut externref) (ref.null extern)) (export "depth" (global $d))', main: 'unreachable' },
  ],
  [
    'globals that nobody can set',
    {
      functions:
        '(func $i (param (ref extern))) (export "initialise" (func $i)) (func $f unreachable) (export "direct.f" ' +
        '(func $f))',
      main: 'unreachable',
    },
  ],
  [
    'exceptions of its own',
    { functions: '(type $t (func (param i32))) (tag $own (type $t) (param i32))', main: '(throw $own (i32.const 1))' },
  ],
];

it.each(['none', 'worker'] as const)(
  'runs that fail leave nothing: %s',
  async (isolation) => {
    const options: ScriptOptions = { isolation, workerUrl, limits: { depthBytes: 100_000 } };
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const warm = await loadScript(assemble({ main: '' }), { isolation, workerUrl });
    await warm.run().result;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const before = left();
    for (const [what, text] of failing) {
      for (const waits of [[], ['run']]) {
        const exported =
          text.functions?.includes('direct.f') === true
            ? { exports: [{ name: 'f', parameters: [], returns: null }] }
            : {};
        const script = await loadScript(
          assemble(text, { guards: ['depth'], ...exported, ...(waits.length === 0 ? {} : { waits }) }),
          options,
        );
        // Three at a time, each asked for in every way.
        const ends = await Promise.allSettled(
          Array.from({ length: 3 }, async () => {
            const run = script.run();
            const [one, other, each] = await Promise.allSettled([run.result, run.resultText, run.forEach(() => {})]);
            expect([one.status, other.status, each.status, run.fuelUsed], what).toEqual([
              'rejected',
              'rejected',
              'rejected',
              null,
            ]);
            run.abort();
            throw (one as PromiseRejectedResult).reason;
          }),
        );
        for (const end of ends)
          expect(['HostError', 'InternalError'], what).toContain((end as PromiseRejectedResult).reason.name);
        if ('exports' in exported) await expect(script.call('f')).rejects.toThrow(/./);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const after = left();
    expect(unhandled).toEqual([]);
    process.off('unhandledRejection', note);
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
    expect(after.resources).toBeLessThanOrEqual(before.resources);
  },
  120_000,
);

it('a script that cannot be told to a worker leaves none', async () => {
  const script = await loadScript(assemble({ main: '' }), { isolation: 'worker', workerUrl });
  // As an embedder may, who takes the manifest for their own.
  (script.manifest as { guards?: unknown }).guards = [() => {}];
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const before = left();
  for (let run = 0; run < 20; run++) await expect(script.run().result).rejects.toBeInstanceOf(HostError);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(left().threads).toBeLessThanOrEqual(before.threads);
}, 60_000);
