// What two cores give: caches, clock and hyper-threads are shared, and threads of a map cannot do better than this.

import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../statistics.ts';

const script = fileURLToPath(new URL('contenders/spin.ts', import.meta.url));

/** How much more two processes do than one in the same time: 2 if they do not get in each other's way. */
export async function measureSpinning(steps: number, rounds: number): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await spin(1, steps);
    ratios.push((2 * one) / (await spin(2, steps)));
  }
  return median(ratios);
}

async function spin(processes: number, steps: number): Promise<number> {
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = spawn(process.execPath, [script, String(steps)], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`spinning ended with ${code}`);
    }),
  );
  return performance.now() - begun;
}
