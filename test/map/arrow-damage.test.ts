// Streams of Arrow that are cut short, changed, or no streams: each ends with a sentence about the batch, or as it is.

import { readFileSync } from 'node:fs';
import * as Arrow from 'apache-arrow';
import fc from 'fast-check';
import { mapArrow } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf, headOf, inPieces, streamOf } from './arrow-streams.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const script = folder.write(
  'damage.slu',
  `type Out { int n; string s; string w; }
   export Out map(int n, boolean n_valid, string s, string w, json list) {
      return { n: n, s: s, w: list == null ? s : w }; }`,
);
const words = new Arrow.Dictionary(new Arrow.Utf8(), new Arrow.Int32());
const list = new Arrow.List(new Arrow.Field('item', new Arrow.Int32(), true));
const batch = (...texts: (string | null)[]): Readonly<Record<string, Arrow.Vector>> => ({
  n: Arrow.vectorFromArray([1n, null, 3n], new Arrow.Int64()),
  s: Arrow.vectorFromArray(texts, new Arrow.Utf8()),
  w: Arrow.vectorFromArray(texts, words),
  list: Arrow.vectorFromArray([[1, 2], null, [3]], list),
});
const stream = streamOf(batch('a', 'bc', null), batch('d', null, 'e'));

/** What the stream ends with: `well`, or the sentence. */
async function endOf(bytes: Uint8Array): Promise<string> {
  try {
    const { output } = await mapArrow(inPieces(bytes, 64), { script, name: 'stream' });
    Arrow.tableFromIPC(await bytesOf(output));
    return 'well';
  } catch (error) {
    // Whatever else is thrown is a fault of ours.
    if ((error as Error).name !== 'MapError') throw error;
    return (error as Error).message;
  }
}

describe('a stream', () => {
  it('that is cut short names the batch that it ends in', async () => {
    expect(await endOf(stream)).toBe('well');
    expect(await endOf(stream.subarray(0, stream.length - 9))).toBe('stream, batch 2: the stream ends within it');
    expect(await endOf(stream.subarray(0, headOf(stream) + 20))).toBe('stream, batch 1: the stream ends within it');
    expect(await endOf(stream.subarray(0, 20))).toBe('stream: the stream ends within its schema');
    expect(await endOf(new Uint8Array(0))).toBe('stream: there is no Arrow stream, it is empty');
    // Streams may end without their mark.
    expect(await endOf(stream.subarray(0, stream.length - 8))).toBe('well');
  });

  it('that is something else is none', async () => {
    for (const text of ['id,price\n1,2.5\n', '{"id":1}\n', 'PAR1 and much more of it', '\x1f\x8b\b', '\0'.repeat(100)])
      expect(await endOf(Buffer.from(text, 'latin1'))).toMatch(
        /^stream: (?:it is no Arrow stream|the stream ends within its schema)$/,
      );
    const table = new Arrow.Table({ n: Arrow.vectorFromArray([1n], new Arrow.Int64()) });
    expect(await endOf(Arrow.tableToIPC(table, 'file'))).toBe(
      'stream: it is a file of Arrow with its schema at the end: write a stream',
    );
  });

  it('of any length ends well or with a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: stream.length }), async (length) => {
        expect(await endOf(stream.subarray(0, length))).toMatch(/^(?:well|stream.*: .+)$/s);
      }),
      { numRuns: 15 },
    );
  });

  it('with other bytes in it ends well or with a sentence', async () => {
    const layouts = readFileSync(new URL('fixtures/lz4.arrows', import.meta.url)).subarray(0, 12_000);
    const change = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 0, max: 255 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(stream, layouts),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (bytes, changes) => {
          const changed = Uint8Array.from(bytes);
          for (const [place, byte] of changes) changed[Math.floor(place * bytes.length)] = byte;
          expect(await endOf(changed)).toMatch(/^(?:well|.+)$/s);
        },
      ),
      { numRuns: 40 },
    );
  });
});
