// What is said where a package that only Arrow needs is not installed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const command = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
const script = folder.write('id.slu', 'type Out { int id; } export Out map(int id) { return { id: id }; }');

interface Ended {
  readonly code: number | null;
  /** How many were on standard output. */
  readonly bytes: number;
  readonly stderr: string;
}

const fixtureOf = (name: string): URL => new URL(`fixtures/${name}`, import.meta.url);

/** The command as a filter of a fixture, where nothing finds the packages. */
async function filtered(fixture: string, ...missing: readonly string[]): Promise<Ended> {
  return run(['--input', '-', '-o', '-', '--format', 'arrow'], missing, createReadStream(fixtureOf(fixture)));
}

async function run(options: readonly string[], missing: readonly string[], input: Readable): Promise<Ended> {
  const hooks = folder.write(
    `without-${missing.join('-')}.mjs`,
    `import { registerHooks } from 'node:module';
     registerHooks({
       resolve(specifier, context, next) {
         return next(${JSON.stringify(missing)}.includes(specifier) ? 'no-such-' + specifier : specifier, context);
       },
     });`,
  );
  const words = ['map', script, ...options, '--no-cache'];
  const child = spawn(process.execPath, ['--import', hooks, command, ...words], { stdio: 'pipe' });
  // It ends before it has read all.
  child.stdin.on('error', () => {});
  input.pipe(child.stdin);
  let bytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  return { code: code as number | null, bytes, stderr };
}

describe('a filter', () => {
  it('without apache-arrow says what to install', async () => {
    const { code, bytes, stderr } = await filtered('plain.arrows', 'apache-arrow');
    expect([code, bytes, stderr]).toEqual([
      2,
      0,
      'sluice: Arrow is read with a package that is not installed: npm install apache-arrow@21.2.0\n',
    ]);
  });

  it('without lz4js says so for columns that LZ4 compressed, and reads all others', async () => {
    const { code, stderr } = await filtered('lz4.arrows', 'lz4js');
    expect([code, stderr]).toEqual([
      2,
      'sluice: the columns are compressed by LZ4, which is read with a package that is not installed: ' +
        'npm install lz4js@0.2.0\n',
    ]);
    for (const fixture of ['plain.arrows', 'zstd.arrows']) {
      const fine = await filtered(fixture, 'lz4js');
      expect([fine.code, fine.stderr]).toEqual([0, '']);
      expect(fine.bytes).toBeGreaterThan(0);
    }
  });
});

it('a run over files of Arrow without apache-arrow says what to install', async () => {
  const input = fileURLToPath(fixtureOf('plain.arrows'));
  const { code, stderr } = await run(['--input', input, '-o', folder.file('out')], ['apache-arrow'], Readable.from([]));
  expect([code, stderr]).toEqual([
    2,
    'sluice: Arrow is read with a package that is not installed: npm install apache-arrow@21.2.0\n',
  ]);
});
