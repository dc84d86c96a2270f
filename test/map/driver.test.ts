// The driver: its text follows from the plan, and it knows every error of the language.

import { compile } from 'sluice';
import { describe, expect, it } from 'vitest';
import { writeDriver } from '../../map/driver/driver.ts';
import { limitErrors, recordErrors } from '../../map/driver/values.ts';
import { cut } from '../../map/read/partitions.ts';
import { findFunctions } from '../../map/plan/functions.ts';
import { readWork } from '../../map/plan/signature.ts';
import { errorTypes } from '../../src/language/errors.ts';

async function driverOf(script: string): Promise<string> {
  const { artifact } = await compile('a.slu', script);
  const columns = [
    { name: 'price', type: 'DOUBLE' },
    { name: 'country', type: 'VARCHAR' },
  ];
  const naming = { columns: new Map<string, string>(), nulls: new Map(), given: new Set(['limit']) };
  const { manifest } = artifact!;
  const source = { format: 'parquet', columns, what: 'the input' } as const;
  return writeDriver(manifest, readWork(manifest, findFunctions(manifest).map!, source, naming)).text;
}

describe('the driver', () => {
  it('catches every error by its name', () => {
    const names = (isGuard: boolean): string[] =>
      errorTypes.filter(({ guard }) => guard === isGuard).map(({ name }) => name);
    expect([...recordErrors].toSorted()).toEqual(names(false).toSorted());
    expect([...limitErrors].toSorted()).toEqual(names(true).toSorted());
  });

  it('has a loop around the call of the script, with what the columns are', async () => {
    const text = await driverOf(
      `type Out { double total; }
       export Out map(double price, boolean price_valid, string country, int limit) { return { total: price }; }`,
    );
    for (const line of [
      'import "script.slu" as script;',
      'export void begin(int b3) {',
      'export Rows batch(int rows, int[] skip, double[] c0, int[] v0, int[] c1, string t1, boolean h1) {',
      '      double x0 = (all0 || ((v0[i >> 6] >>> (i & 63)) & 1) == 1) ? c0[i] : 0.0;',
      '      string x1 = s1[coded1 ? c1[i] : i];',
      '      script.Out r = script.map(x0, (all0 || ((v0[i >> 6] >>> (i & 63)) & 1) == 1), x1, a3);',
      '      o0[n] = r.total;',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('NullError');
  });

  it('checks for nulls where the script does not take them', async () => {
    expect(
      await driverOf('type Out { double total; } export Out map(double price, int limit) { return { total: price }; }'),
    ).toContain(
      'if (!(all0 || ((v0[i >> 6] >>> (i & 63)) & 1) == 1)) { fail(i, "NullError", ' +
        '"price is null: take price_valid too, or say --null price=skip"); continue; }',
    );
  });

  it('looks at records one by one where a batch is not whole alone', async () => {
    const text = await driverOf(
      `type Out { double total; } export Out map(double price, string country) { return { total: price }; }`,
    );
    expect(text).toContain('  boolean whole = skip.length() == 0 && all0;\n');
    expect(text).toContain('    if (!whole) {\n      if (next < skip.length() && skip[next] == i)');
  });
});

describe('partitions', () => {
  const bounds = { partitionRows: 100, partitionBytes: 1000 };

  it('are neighbouring row groups up to the bounds', () => {
    expect(
      cut(
        [40, 40, 40, 100, 10].map((rows) => ({ rows, bytes: 10 })),
        bounds,
      ),
    ).toEqual([
      [0, 80],
      [80, 120],
      [120, 220],
      [220, 230],
    ]);
    expect(
      cut(
        [10, 10, 10].map((rows) => ({ rows, bytes: 500 })),
        bounds,
      ),
    ).toEqual([
      [0, 20],
      [20, 30],
    ]);
  });

  it('cut row groups that are too large, and are one for no rows', () => {
    expect(
      cut(
        [
          { rows: 250, bytes: 10 },
          { rows: 20, bytes: 1 },
        ],
        bounds,
      ),
    ).toEqual([
      [0, 100],
      [100, 200],
      [200, 270],
    ]);
    expect(cut([], bounds)).toEqual([[0, 0]]);
  });
});
