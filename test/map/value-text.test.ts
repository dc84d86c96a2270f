// Arguments on their way to threads and to other machines: nothing of them is lost.

import { describe, expect, it } from 'vitest';
import { JsonDouble } from '../../runtime-host/api/node.ts';
import { decodeValues, encodeValues } from '../../map/plan/value-text.ts';

describe('arguments as text', () => {
  it('come back as they were', () => {
    const values = [
      null,
      true,
      'text',
      9_223_372_036_854_775_807n,
      -0,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      [1n, [0.1, 'x']],
      { int: '1', object: { numbers: 2n } },
      Float64Array.of(0.1, -0, Number.NaN),
      BigInt64Array.of(1n, -(2n ** 63n)),
      new JsonDouble(2),
    ];
    expect(decodeValues(encodeValues(values))).toEqual(values);
  });

  it('may be of another copy of the host', () => {
    const other = class JsonDouble {
      readonly value = 5;
    };
    expect(decodeValues(encodeValues([{ a: new other() }]))).toEqual([{ a: new JsonDouble(5) }]);
    expect(decodeValues(encodeValues([{ constructor: 'JsonDouble', value: 5 }]))).toEqual([
      { constructor: 'JsonDouble', value: 5 },
    ]);
  });

  it('are none that no parameter takes', () => {
    expect(() => encodeValues([() => 1])).toThrow('an argument that cannot be passed on: function');
  });
});
