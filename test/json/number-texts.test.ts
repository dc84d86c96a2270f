// Numbers as text, against JavaScript's own: as a string, as a piece of a text, and in JSON.

import { expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { below, generator } from './random.ts';

const source = `
main(double[] xs, int[] ns) {
  foreach (double x in xs) {
    string grown = "";
    for (int i = 0; i < 2; i++) grown += \`\${x};\`;
    json j = x.isFinite() ? x as json : 0.0 as json;
    yield \`\${x.toString()} \${grown} \${Json.stringify(j, false)}\`;
  }
  foreach (int n in ns) {
    string grown = "";
    for (int i = 0; i < 2; i++) grown += \`\${n};\`;
    yield \`\${n.toString()} \${grown} \${Json.stringify(n as json, false)}\`;
  }
}`;

/** What the language shows: a whole number keeps a point, and the zero its sign. */
function textOf(x: number): string {
  const text = Object.is(x, -0) ? '-0' : String(x);
  return /[.eIN]/u.test(text) ? text : `${text}.0`;
}

function someDouble(random: () => number): number {
  const decimals = below(random, 18);
  const x = (random() - 0.5) * 10 ** (random() * 22 - 6);
  return decimals > 15 ? x : Math.round(x * 10 ** decimals) / 10 ** decimals;
}

it('are what JavaScript shows', async () => {
  const random = generator(5);
  const xs = [
    0,
    -0,
    1e-5,
    0.000009,
    999999999.999999,
    1e14 - 0.1,
    1e14 - 0.05,
    999999999999.125,
    9.99999999999999,
    10 - 2 ** -49,
    0.00001000000001,
    0.123456789012345,
    0.1 + 0.2,
    1 / 3,
    1e9,
    1e13,
    1e14,
    1e14 - 1,
    1e15,
    2 ** 53,
    5e-324,
    -1.234567890123456e-6 - 1e-21,
    -1.234567890123456e-300 / 3,
    -(2 ** 66) / 3,
    -0.5,
    1e21,
    -1e-7,
    NaN,
    Infinity,
    ...Array.from({ length: 20_000 }, () => someDouble(random)),
  ];
  const powers = Array.from({ length: 19 }, (_, digits) => 10n ** BigInt(digits));
  const ns = [
    ...powers.flatMap((power) => [power, -power, power - 1n, 1n - power, power + 1n]),
    2n ** 63n - 1n,
    -(2n ** 63n),
    2n ** 32n,
    -(2n ** 31n),
  ];
  const { artifact } = await compile('numbers.slu', source);
  const run = (await loadScript(artifact!.wasm)).run({ xs: Float64Array.from(xs), ns: BigInt64Array.from(ns) });
  const yields: unknown[] = [];
  await run.forEach((value) => yields.push(value));
  const expected = [
    ...xs.map((x) => [textOf(x), textOf(Number.isFinite(x) ? x : 0)] as const),
    ...ns.map((n) => [String(n), String(n)] as const),
  ];
  expect(yields).toEqual(expected.map(([text, json]) => `${text} ${text};${text}; ${json}`));
});
