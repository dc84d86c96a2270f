// Every kernel of the benchmark suite computes the same in Sluice and in JavaScript, at a size that takes no time (the
// suite itself compares what all languages compute, at full size); and competitors are asked as they should be.

import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Competitor } from '../benchmarks/competitors/competitor.ts';
import { processStart } from '../benchmarks/competitors/session.ts';
import { compileKernel } from '../benchmarks/competitors/sluice.ts';
import { defaultSize, findKernel, hasSource, kernelNames, kernelTable, programs } from '../benchmarks/suite/kernels.ts';
import { measure } from '../benchmarks/suite/measure.ts';
import { loadScript } from '../runtime-host/api/node.ts';

describe('the kernels', () => {
  it.each(kernelNames)('%s computes the same in Sluice and in JavaScript', async (name) => {
    const kernel = findKernel(name, kernelTable[name]!.small);
    const script = await loadScript(await compileKernel(kernel));
    const { main } = (await import(new URL('main.js', kernel.folder).href)) as { readonly main: (n: number) => number };
    const expected = main(kernel.n);
    expect(Number.isFinite(expected)).toBe(true);
    expect(Number(await script.run({ n: kernel.n }).result)).toBe(expected);
  });

  it.each(kernelNames)('%s has one default size', (name) => {
    const { n, folder } = findKernel(name);
    expect(defaultSize(new URL('main.js', folder))).toBe(n);
  });

  it('all of them are in the table', () => {
    const written = readdirSync(programs).filter(
      (name) => existsSync(new URL(`${name}/main.c`, programs)) || existsSync(new URL(`${name}/main.as.ts`, programs)),
    );
    expect(written.filter((name) => !kernelNames.includes(name))).toEqual([]);
    expect(kernelNames.filter((name) => !hasSource(findKernel(name, 1), 'main.js'))).toEqual([]);
  });
});

describe('the measuring', () => {
  const settings = { processes: 2, warmUp: 1, repetitions: 2 };
  const kernel = findKernel('sieve', 10);

  /**
   * A competitor whose runs give these results, one after the other in each process; the milliseconds count the runs.
   */
  function fake(id: string, log: string[], results: readonly number[], rest: Partial<Competitor> = {}): Competitor {
    let runs = 0;
    const start = async () => {
      let at = 0;
      log.push(`${id} starts`);
      return {
        ask: async (count: number) => {
          log.push(`${id} ${count}`);
          return Array.from({ length: count }, () => ({
            milliseconds: ++runs,
            result: results[at++ % results.length]!,
          }));
        },
        stop: async () => void log.push(`${id} stops`),
      };
    };
    return {
      id,
      title: id,
      source: 'main.js',
      flags: '',
      install: '',
      version: async () => id,
      build: async () => start,
      ...rest,
    };
  }

  it('asks all in turns, in fresh processes, and parts first runs from later ones', async () => {
    const log: string[] = [];
    const { times, failures, result } = await measure(kernel, [fake('a', log, [7]), fake('b', log, [7])], settings, '');
    expect(times).toEqual({ a: { first: [1, 5], steady: [3, 4, 7, 8] }, b: { first: [1, 5], steady: [3, 4, 7, 8] } });
    expect([failures, result]).toEqual([{}, 7]);
    expect(log.slice(0, 12)).toEqual([
      'a starts',
      'b starts',
      'a 1',
      'b 1',
      'a 1',
      'b 1',
      'a 1',
      'b 1',
      'a 1',
      'b 1',
      'a stops',
      'b stops',
    ]);
    expect(log.slice(12, 16)).toEqual(['a starts', 'b starts', 'b 1', 'a 1']);
  });

  it('drops who computes something else, and lets only those who fuse differ in the last digits', async () => {
    const log: string[] = [];
    const competitors = [
      fake('a', log, [1e6]),
      fake('wrong', log, [1e6, 1e6 + 1]),
      fake('fused', log, [1e6 + 1], { fuses: true }),
      fake('nan', log, [NaN], { fuses: true }),
    ];
    const { times, failures } = await measure(kernel, competitors, settings, '');
    expect(Object.keys(times)).toEqual(['a', 'fused']);
    expect(failures).toEqual({
      wrong: 'computed 1000001 where others computed 1000000',
      nan: 'computed NaN where others computed 1000000',
    });
  });

  it('says what a process that fails says', async () => {
    const broken = fake('broken', [], [], {
      build: async () => processStart(process.execPath, '-e', 'throw new Error("no luck")'),
    });
    const absent = fake('absent', [], [], { build: async () => processStart('/nowhere/at/all') });
    const { failures } = await measure(kernel, [fake('a', [], [1]), broken, absent], settings, '');
    expect(failures['broken']).toContain('no luck');
    expect(failures['absent']).toContain('ENOENT');
  });
});
