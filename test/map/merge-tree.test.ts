// The tree of merges, the graph of a run around it, and states as text.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { formatJson, JsonDouble } from '../../runtime-host/api/node.ts';
import { tasksOf } from '../../map/local/tasks.ts';
import { mergeTree, mergeWidth } from '../../map/plan/merge-tree.ts';
import { codecOf } from '../../map/write/states.ts';

describe('the tree of merges', () => {
  it('merges each partition once, neighbours in their order, few at a time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), (partitions) => {
        const { nodes, root } = mergeTree(partitions);
        const merged = new Map(Array.from({ length: partitions }, (_, at) => [String(at), [at]]));
        for (const { id, inputs } of nodes) {
          expect(inputs.length).toBeGreaterThan(1);
          expect(inputs.length).toBeLessThanOrEqual(mergeWidth);
          // What a node merges stands in front of it, and is merged by no other.
          merged.set(
            id,
            inputs.flatMap((input) => merged.get(input)!),
          );
          for (const input of inputs) merged.delete(input);
        }
        expect([...merged]).toEqual([[root, Array.from({ length: partitions }, (_, at) => at)]]);
      }),
      { numRuns: 50 },
    );
  });

  it('stands in a graph whose tasks need those in front of them alone', () => {
    const partitions = Array.from({ length: 20 }, (_, at) => ({ at, file: 'a', source: 'a', from: at, to: at + 1 }));
    expect(tasksOf(partitions, false).map(({ id }) => id)).toEqual(partitions.map(({ at }) => String(at)));
    const tasks = tasksOf(partitions, true);
    expect(tasks.slice(20).map(({ id, after }) => `${id}: ${after.join(' ')}`)).toEqual([
      'merge-0-0: 0 1 2 3 4 5 6 7',
      'merge-0-1: 8 9 10 11 12 13 14 15',
      'merge-0-2: 16 17 18 19',
      'merge-1-0: merge-0-0 merge-0-1 merge-0-2',
      'summary: merge-1-0',
    ]);
    const seen = new Set<string>();
    for (const { id, after } of tasks) {
      expect(after.filter((one) => !seen.has(one))).toEqual([]);
      seen.add(id);
    }
  });
});

describe('states', () => {
  const structs: readonly ManifestStruct[] = [
    {
      name: 'State',
      fields: [
        { name: 'd', type: 'double' },
        { name: 'i', type: 'int' },
        { name: 'b', type: 'boolean' },
        { name: 's', type: 'string' },
        { name: 'ds', type: { array: 'double' } },
        { name: 'is', type: { array: 'int' } },
        { name: 'words', type: { array: 'string' } },
        { name: 'next', type: { struct: 0 } },
      ],
    },
  ];
  const codec = (type: TypeDescriptor): ((value: unknown) => unknown) => {
    const { encode, decode } = codecOf(type, structs);
    return (value) => decode(JSON.parse(encode(value)));
  };
  const double = fc.double({ noDefaultInfinity: false });
  const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const text = fc.option(fc.string({ unit: 'binary' }));

  it('are the same when they are read again, to the last bit', () => {
    const plain = {
      d: double,
      i: int,
      b: fc.boolean(),
      s: text,
      ds: fc.option(fc.array(double, { maxLength: 4 }).map((values) => Float64Array.from(values))),
      is: fc.option(fc.array(int, { maxLength: 4 }).map((values) => BigInt64Array.from(values))),
      words: fc.option(fc.array(text, { maxLength: 4 })),
    };
    const state = fc.record({ ...plain, next: fc.option(fc.record({ ...plain, next: fc.constant(null) })) });
    const again = codec({ struct: 0 });
    fc.assert(
      fc.property(state, (value) => {
        // The host takes an int as either.
        const withBigints = (part: unknown): unknown =>
          part === null
            ? null
            : {
                ...(part as object),
                i: BigInt((part as { i: bigint | number }).i),
                next: withBigints((part as { next: unknown }).next),
              };
        expect(withBigints(again(value))).toEqual(value);
      }),
    );
    for (const value of [Number.NaN, -0, 0, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 0.1])
      expect(Object.is(codec('double')(value), value)).toBe(true);
    for (const value of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]) expect(codec('int')(value)).toBe(value);
  });

  it('with json in them keep what is int and what is double', () => {
    const again = codec('json');
    const value = {
      a: [new JsonDouble(1), 1n, 2n ** 60n, 0.5, new JsonDouble(-0), 'x\u2028', null, true],
      b: { c: {} },
    };
    expect(formatJson(again(value))).toBe(
      '{"a":[1.0,1,1152921504606846976,0.5,-0.0,"x\u2028",null,true],"b":{"c":{}}}',
    );
    expect(again([Number.NaN, { deep: [null, -Infinity] }])).toEqual([Number.NaN, { deep: [null, -Infinity] }]);
    expect(again(Number.NaN)).toBe(Number.NaN);
    expect(again(null)).toBe(null);
  });
});
