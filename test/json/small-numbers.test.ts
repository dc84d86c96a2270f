// Numbers of json that need no box, and their neighbours that do: what is put in comes out, bit for bit and of the same
// kind, from each way in to each way out.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { below, generator } from './random.ts';

const source = `
export string ints(int[] all) {
  foreach (int x in all) {
    json j = { x: x, list: [x] };
    if (j.x.kind() != "int" || (j.x as int) != x || j.getInt("x", 7) != x || (j.list[0] as int) != x) return \`\${x} in\`;
    if (!(j.x == x) || j.x == x + 1 || (j.x as double) != x.toDouble()) return \`\${x} compared\`;
    json read = Json.parse(Json.stringify(j, false));
    if (!(read == j) || read.x.kind() != "int" || (read.x as int) != x) return \`\${x} read\`;
    if (\`\${j.x}\` != \`\${x}\`) return \`\${x} as text\`;
  }
  return "";
}

export string doubles(double[] all) {
  foreach (double x in all) {
    json j = { x: x, list: [x] };
    if (j.x.kind() != "double" || j.getInt("x", 7) != 7) return \`\${x} kind\`;
    string text = \`\${x}\`;
    if (\`\${j.x as double}\` != text || \`\${j.getDouble("x", 7.0)}\` != text || \`\${j.list[0] as double}\` != text) return text + " in";
    if ((j.x == x) != (x == x)) return text + " compared";
    if (x != x || x - x != 0.0) continue;
    json read = Json.parse(Json.stringify(j, false));
    if (!(read == j) || read.x.kind() != "double" || \`\${read.x as double}\` != text) return text + " read";
    if (x.abs() < 1e15 && x.toInt().toDouble() == x) {
      if (!(j.x == x.toInt())) return text + " with an int";
    }
  }
  return "";
}

export json back(json j) { return j; }
`;

let script: Script;
beforeAll(async () => {
  const { artifact, diagnostics } = await compile('numbers.slu', source);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  script = await loadScript(artifact!.wasm);
});

const edges = [0n, 1n << 29n, 1n << 30n, 1n << 31n, 1n << 32n, 1n << 53n, (1n << 63n) - 2n];

function doubles(): number[] {
  const random = generator(17);
  const around = [0, 1, 536_870_911, 536_870_912, 1_073_741_823, 2_147_483_647, 2_147_483_648].flatMap((count) =>
    [-2, -1, 0, 1, 2].flatMap((by) => [(count + by) / 1000, -(count + by) / 1000]),
  );
  const bits = new DataView(new ArrayBuffer(8));
  const anything = Array.from({ length: 3000 }, () => {
    bits.setUint32(0, below(random, 0x1_0000_0000));
    bits.setUint32(4, below(random, 0x1_0000_0000));
    return bits.getFloat64(0);
  });
  const decimals = Array.from({ length: 3000 }, () => (below(random, 2 ** 31) - 2 ** 30) / 10 ** below(random, 6));
  const nextTo = decimals.flatMap((x) => [x * (1 + Number.EPSILON), x * (1 - Number.EPSILON)]);
  return [...around, 0, -0, NaN, Infinity, -Infinity, 5e-324, 1.7e308, 1e21, ...anything, ...decimals, ...nextTo];
}

describe('numbers of json', () => {
  it('are ints of any size', async () => {
    const all = edges.flatMap((edge) => [-1n, 0n, 1n].flatMap((by) => [edge + by, -edge - by]));
    expect((await script.call('ints', BigInt64Array.from(all))).value).toBe('');
  });

  it('are doubles of any bits', async () => {
    expect((await script.call('doubles', Float64Array.from(doubles()))).value).toBe('');
  });

  it('come back from the host as they went', async () => {
    const all = doubles().filter((x) => Number.isFinite(x) && !Number.isInteger(x));
    expect((await script.call('back', all)).value).toEqual(all);
  });
});
