// Doubles of CSV, which are read as they are where no record may fail, and as texts where some may.

import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const fields = ['1.5', ' 1.5', '"2.5 "', '+1', '-0', '1e5', '1E-5', '.5', '5.', '', '""', '00012', '9007199254740993'];
const others = ['1e400', '1e-400', '4.9e-324', '2.4e-324', '0.1000000000000000055511151231257827', 'inf', '-Infinity'];
const numbers = folder.write('numbers.csv', `x,y\n${[...fields, ...others].map((field) => `${field},1\n`).join('')}`);

describe('doubles of CSV', () => {
  it('are the same whether they are read or cast', async () => {
    const script = `type Out { string bits; boolean valid; }
      export Out map(double x, boolean x_valid) { return { bits: x.toBits().toString(), valid: x_valid }; }`;
    const cast = await folder.map(script, numbers, { maxErrors: 100 });
    const failed = cast.end.failed === 0 ? [] : failuresOf(cast.output).map(({ row }) => row);
    const fitting = [...fields, ...others].filter((_, at) => !failed.includes(at + 1));
    expect(fitting.length).toBeGreaterThanOrEqual(fields.length);
    const input = folder.write('fitting.csv', `x,y\n${fitting.map((field) => `${field},1\n`).join('')}`);
    const read = await folder.map(script, input);
    expect(await rowsOf(read.output)).toEqual(await rowsOf(cast.output));
  });

  it('that are none end the run with what they are', async () => {
    const script = 'type Out { double x; } export Out map(double x) { return { x: x }; }';
    const input = folder.write('misfit.csv', 'x\n1\n1,\n2.5x\n');
    await expect(folder.map(script, input)).rejects.toThrow('record 3: CastError: x: expected double, got "2.5x"');
  });

  it('keep their texts for other parameters and for groups', async () => {
    const input = folder.write('texts.csv', 'x\n1.50\n1.5\n');
    const both = 'type Out { string t; } export Out map(double x, string t) { return { t: `${x} ${t}` }; }';
    const { output } = await folder.map(both, input, { columns: { t: 'x' } });
    expect(await rowsOf(output)).toEqual(['{"t":"1.5 1.50"}', '{"t":"1.5 1.5"}']);
    const sum = `type S { double sum; } export S init() { return { sum: 0.0 }; }
      export void step(S s, double x) { s.sum += x; } export void merge(S a, S b) { a.sum += b.sum; }
      export S finish(S s) { return s; }`;
    expect((await folder.map(sum, input, { by: 'x' })).end).toMatchObject({ groups: 2 });
  });
});
