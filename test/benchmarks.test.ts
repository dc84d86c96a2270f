// Every kernel of the benchmark suite computes the same in Sluice, in JavaScript's forms and in C, bit for bit, at a
// size that takes no time (the suite itself compares what all languages compute, at full size); and competitors are
// asked as they should be.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Competitor } from '../benchmarks/competitors/competitor.ts';
import { nativeC } from '../benchmarks/competitors/native-c.ts';
import { processStart } from '../benchmarks/competitors/session.ts';
import { compileKernel } from '../benchmarks/competitors/sluice.ts';
import {
  defaultSize,
  findKernel,
  hasSource,
  kernelNames,
  kernelsNamed,
  kernelTable,
  programs,
} from '../benchmarks/suite/kernels.ts';
import type { Kernel } from '../benchmarks/suite/kernels.ts';
import { measure } from '../benchmarks/suite/measure.ts';
import { loadScript } from '../runtime-host/api/node.ts';

/** What the kernel computes in JavaScript. */
async function expectedOf(kernel: Kernel, file = 'main.js'): Promise<number> {
  const { main } = (await import(new URL(file, kernel.folder).href)) as { readonly main: (n: number) => number };
  return main(kernel.n);
}

const small = (name: string): Kernel => findKernel(name, kernelTable[name]!.small);
const written = (file: string): readonly string[] => kernelNames.filter((name) => hasSource(findKernel(name, 1), file));

describe('the kernels', () => {
  it.each(kernelNames)('%s computes the same in Sluice and in JavaScript', async (name) => {
    const kernel = small(name);
    const script = await loadScript(await compileKernel(kernel));
    const expected = await expectedOf(kernel);
    expect(Number.isFinite(expected)).toBe(true);
    expect(Number(await script.run({ n: kernel.n }).result)).toBe(expected);
  });

  it.each(written('main.flat.js'))('%s computes the same in one flat array', async (name) => {
    expect(await expectedOf(small(name), 'main.flat.js')).toBe(await expectedOf(small(name)));
  });

  it.each(kernelNames)('%s has one default size', (name) => {
    const { n, folder } = findKernel(name);
    const forms = ['main.js', 'main.flat.js'].filter((file) => hasSource(findKernel(name, n), file));
    for (const file of forms) expect(defaultSize(new URL(file, folder))).toBe(n);
  });

  it('belong to PolyBench or to the rest', () => {
    expect([...kernelsNamed('polybench'), ...kernelsNamed('rest')].toSorted()).toEqual(kernelNames.toSorted());
    expect(kernelsNamed('polybench')).toHaveLength(16);
    expect(kernelsNamed('recursive')).toEqual([
      'quicksort',
      'queens',
      'nqueens',
      'permute',
      'towers',
      'binary-trees',
      'linked-list',
    ]);
    expect(kernelsNamed('lu')).toEqual(['lu']);
  });

  it('all of them are in the table', () => {
    const folders = readdirSync(programs).filter(
      (name) => existsSync(new URL(`${name}/main.c`, programs)) || existsSync(new URL(`${name}/main.as.ts`, programs)),
    );
    expect(folders.filter((name) => !kernelNames.includes(name))).toEqual([]);
    expect(kernelNames.filter((name) => !hasSource(findKernel(name, 1), 'main.js'))).toEqual([]);
  });
});

describe('the kernels in C', async () => {
  const compiler = nativeC.find(({ id }) => id === 'gcc-scalar')!;
  if ((await compiler.version()) === null) {
    const reason = `${compiler.install} installs what compiles them`;
    if (process.env['CI'] === 'true') it('can be compiled', () => expect.fail(reason));
    else it.skip(`are not tested: ${reason}`);
    return;
  }
  const output = mkdtempSync(join(tmpdir(), 'sluice-kernels-'));
  afterAll(() => rmSync(output, { recursive: true }));

  it.each(written('main.c'))('%s computes the same', async (name) => {
    const kernel = small(name);
    const session = await (await compiler.build(kernel, output))();
    const [first, second] = await session.ask(2);
    await session.stop();
    const expected = await expectedOf(kernel);
    expect([first?.result, second?.result]).toEqual([expected, expected]);
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

  it('has each browser open by itself, behind what runs in none', async () => {
    const log: string[] = [];
    const [chromium, firefox] = [{ onDemand: 'chromium' }, { onDemand: 'firefox' }] as const;
    const competitors = [fake('c', log, [7], chromium), fake('a', log, [7]), fake('f', log, [7], firefox)];
    const { times } = await measure(kernel, [...competitors, fake('d', log, [7], chromium)], settings, '');
    const alike = { first: [1, 5], steady: [3, 4, 7, 8] };
    expect(times).toEqual({ c: alike, a: alike, f: alike, d: alike });
    const round = ['a starts', 'a stops', 'c starts', 'd starts', 'c stops', 'd stops', 'f starts', 'f stops'];
    expect(log.filter((line) => /st[ao]/.test(line))).toEqual([...round, ...round]);
  });

  it('drops who computes something else, be it in the last digit', async () => {
    const log: string[] = [];
    const competitors = [
      fake('a', log, [1e6]),
      fake('wrong', log, [1e6, 1e6 + 1]),
      fake('fused', log, [1e6 + 2 ** -33]),
      fake('nan', log, [NaN]),
    ];
    const { times, failures } = await measure(kernel, competitors, settings, '');
    expect(Object.keys(times)).toEqual(['a']);
    expect(failures).toEqual({
      wrong: 'computed 1000001 where others computed 1000000',
      fused: 'computed 1000000.0000000001 where others computed 1000000',
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
