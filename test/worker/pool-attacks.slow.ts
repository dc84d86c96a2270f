// Pools under load: what a process of its own takes for 500 runs at once, and for 20,000 runs of 50 scripts.

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';

interface Told {
  readonly ends: Readonly<Record<string, number>>;
  /** At most, in MB. */
  readonly peak: number;
  /** How much more the process has than after its first 10,000 runs, in MB. */
  readonly growth: number;
  readonly stats: { readonly started: number; readonly workers: number; readonly replaced: number };
}

/** What a host tells that does this with its scripts. */
async function hostTells(text: string, options: string, work: string): Promise<Told> {
  const { artifact } = await compile('test.slu', text);
  const host = `
    import { createPool, Granted, loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
    const bytes = Buffer.from(process.argv[1], 'base64');
    const pool = createPool();
    const load = () => loadScript(bytes, { isolation: 'worker', trusted: true, pool, ${options} });
    const ends = {};
    const count = async (promise, expected) => {
      const end = await promise.then((value) => (value === expected ? 'right' : 'wrong'), ({ name }) => name);
      ends[end] = (ends[end] ?? 0) + 1;
    };
    let growth = 0;
    ${work}
    console.log(JSON.stringify({ ends, peak: process.resourceUsage().maxRSS / 1024, growth, stats: pool.stats }));
    await pool.close();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', host, Buffer.from(artifact!.wasm).toString('base64')],
    { encoding: 'utf8', timeout: 300_000 },
  );
  expect(stderr).toBe('');
  console.log(stdout.trim());
  return JSON.parse(stdout) as Told;
}

const computing =
  'main(int n) { int sum = 0; for (int i = 0; i < 1000000; i++) sum += (i * n) % 7; int[] xs = []; ' +
  'for (int i = 0; i < 20000; i++) xs.push(i); return sum + xs.length(); }';
const asking =
  'main(int n) { string a = Env.get("A"); int[] xs = []; for (int i = 0; i < 20000; i++) xs.push(i); ' +
  'return xs.length() + n; }';

it.each([
  [
    'that compute',
    computing,
    'limits: { timeMs: 2_000, memoryBytes: 2 ** 26 }',
    '(n) => { let sum = 20_000; for (let i = 0; i < 1e6; i++) sum += (i * n) % 7; return BigInt(sum); }',
  ],
  [
    'that wait for their host',
    asking,
    'limits: { timeMs: 2_000 }, environment: { A: "a" }, permissions: ' +
      '() => new Promise((resolve) => setTimeout(() => resolve(Granted), 50))',
    '(n) => BigInt(20_000 + n)',
  ],
])(
  '500 runs at once %s take less than 600 MB, and none is ended wrongly',
  async (_what, text, options, expected) => {
    const { ends, peak } = await hostTells(
      text,
      options,
      `
    const script = await load();
    const expected = ${expected};
    await Promise.all(Array.from({ length: 500 }, (_, n) => count(script.run({ n: n % 20 }).result, expected(n % 20))));`,
    );
    expect(ends).toEqual({ right: 500 });
    expect(peak).toBeLessThan(600);
  },
  300_000,
);

it('20,000 runs of 50 scripts take the same memory', async () => {
  const { ends, peak, growth, stats } = await hostTells(
    'int[] kept = []; main(int n) { for (int i = 0; i < 2000; i++) kept.push(i * n); return kept.sum(); }',
    'limits: { timeMs: 2_000, memoryBytes: 2 ** 25 }',
    `
    const scripts = await Promise.all(Array.from({ length: 50 }, load));
    let first = 0;
    // Until heaps and compilers have what they need.
    for (let iteration = 0; iteration < 600; iteration++) {
      if (iteration === 200) first = process.memoryUsage.rss();
      await Promise.all(scripts.map((script, n) => count(script.run({ n }).result, BigInt(1_999_000 * n))));
    }
    growth = (process.memoryUsage.rss() - first) / 2 ** 20;`,
  );
  expect(ends).toEqual({ right: 30_000 });
  expect(stats).toMatchObject({ replaced: 0 });
  expect(stats.started).toBe(stats.workers);
  expect(growth).toBeLessThan(64);
  expect(peak).toBeLessThan(500);
}, 300_000);
