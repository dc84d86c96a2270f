// A seed begins again in every run; the generator that is exported draws on from run to run.

import { expect, it } from 'vitest';
import { loadScript, seededRandom } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

it('draws the same numbers from a seed and from its generator', async () => {
  const { wasm } = (await compile('draw.slu', 'return [Math.random(), Math.random()];')).artifact!;
  const random = seededRandom(7);
  const first = Float64Array.of(random(), random());
  const seeded = await loadScript(wasm, { random: 7 });
  expect([await seeded.run().result, await seeded.run().result]).toEqual([first, first]);
  const going = await loadScript(wasm, { random: seededRandom(7) });
  expect([await going.run().result, await going.run().result]).toEqual([first, Float64Array.of(random(), random())]);
});
