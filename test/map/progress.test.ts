// What is told of a run that goes on.

import { Writable } from 'node:stream';
import { planMap, runMap, showProgress } from 'sluice-map';
import type { MapProgress } from 'sluice-map';
import { afterAll, expect, it } from 'vitest';
import { noProgress } from '../../map/commit/totals.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const script = folder.write('plain.slu', 'type Out { int n; }\nexport Out map(int n) { return { n: n }; }\n');

async function shown(isTTY: boolean): Promise<string> {
  const input = folder.write('numbers.csv', 'n\n1\n2\n3\n');
  const plan = await planMap({ script, input, output: folder.file(`out-${String(isTTY)}`) });
  return textOf(runMap(plan, { threads: 1 }), isTTY);
}

async function textOf(run: AsyncIterable<MapProgress>, isTTY: boolean): Promise<string> {
  let text = '';
  const stream = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        text += chunk.toString();
        done();
      },
    }),
    {
      isTTY,
      columns: 120,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true,
      clearScreenDown: () => true,
    },
  );
  await showProgress(run, stream as unknown as NodeJS.WriteStream);
  return text;
}

it('a short run tells its rate at the end', async () => {
  const lines = (await shown(false)).trimEnd().split('\n');
  expect(lines[0]).toBe('reading the input files');
  expect(lines.at(-1)).toMatch(/^3 of 3 records, [\d,]+ a second, 1 of 1 partitions$/);
});

it('a queue without workers is said to wait for one', async () => {
  const waiting = { ...noProgress, phase: 'mapping' as const, partitions: 2, rows: 3 };
  const run = async function* (): AsyncGenerator<MapProgress> {
    yield waiting;
    yield { ...waiting, isWaiting: true };
    yield { ...waiting, isWaiting: true };
    yield { ...waiting, phase: 'done', read: 3, done: 2 };
  };
  expect(await textOf(run(), false)).toMatch(
    /^waiting for a worker: start one with sluice map-worker\n3 of 3 records, .* 2 of 2 partitions\n$/,
  );
});

it('so does the bar of a terminal', async () => {
  expect(await shown(true)).toMatch(/100% \| [\d,]+ records\/s \| 0 s left \| 1 of 1 partitions/);
});
