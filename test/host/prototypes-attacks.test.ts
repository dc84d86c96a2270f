// The host in processes whose built-ins are not what they were: polluted before it is loaded, changed afterwards,
// frozen. What is denied stays denied and what is limited stays limited; what is granted is there, or fails with no
// access.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as host from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { mutations } from './prototypes/mutations.ts';
import { pollutions } from './prototypes/pollutions.ts';
import { expected, makeVault, secret, source } from './prototypes/scenarios.ts';

type Row = readonly [name: string, told: readonly string[], reached: string];

const folder = mkdtempSync(join(tmpdir(), 'sluice-worlds-'));
const modulePath = join(folder, 'scenarios.wasm');
const worldFile = new URL('./prototypes/world.ts', import.meta.url);

beforeAll(async () => {
  const { artifact } = await compile('scenarios.slu', source, { plugins: [makeVault(host, { count: 0 })] });
  writeFileSync(modulePath, artifact!.wasm);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a process of that world tells. */
function enter(world: string, flags: readonly string[] = []): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...flags, '--no-warnings', worldFile.pathname, modulePath, world],
      { maxBuffer: 1 << 26, timeout: 100_000 },
      (error, stdout) => {
        const lines = stdout.split('\n').filter((line) => line !== '');
        if (error !== null) reject(new Error(`${world} ended at ${lines.at(-1)}: ${error.message}`));
        else resolve(lines.filter((line) => line.startsWith('[')).map((line) => JSON.parse(line) as Row));
      },
    );
  });
}

const asEver = expected.map(([, told]) => told);

describe('Object.prototype polluted before the host is loaded', () => {
  it.each(Object.keys(pollutions).filter((name) => name !== 'toJSON'))(
    'changes nothing: %s',
    async (world) => {
      expect(await enter(world)).toEqual([
        [world, asEver, ''],
        ['failures', [], ''],
      ]);
    },
    60_000,
  );

  it('toJSON: answers that a worker cannot read end its run', async () => {
    const [[, told, reached] = [], failures] = await enter('toJSON');
    expect(told?.slice(0, -2)).toEqual(asEver.slice(0, -2));
    expect(told?.slice(-2)).toEqual(['InternalError', 'InternalError']);
    expect([reached, failures]).toEqual(['', ['failures', [], '']]);
  }, 60_000);
});

describe('built-ins frozen before the host is loaded', () => {
  it.each([
    ['all of them', 'frozen', []],
    ['by Node', 'no pollution', ['--frozen-intrinsics']],
  ])(
    '%s',
    async (_name, world, flags) => {
      expect(await enter(world, flags)).toEqual([
        [world, asEver, ''],
        ['failures', [], ''],
      ]);
    },
    60_000,
  );
});

it('built-ins changed after the host was loaded grant nothing', async () => {
  const rows = (await enter('changed')).filter(([name]) => name !== 'failures');
  expect(rows.map(([name]) => name)).toEqual(mutations.map(({ name }) => name));
  const harm = rows.filter(
    ([, told, reached]) =>
      reached !== '' || told.some((one) => one.includes(secret)) || told.length !== expected.length,
  );
  expect(harm).toEqual([]);
  // What was granted is there, or is not; nothing else is.
  const given = new Set(rows.flatMap(([, told]) => told.slice(3).filter((one) => one.startsWith('gave'))));
  for (const one of given) expect(['gave null', 'gave undefined', 'gave true']).toContain(one);
}, 120_000);
