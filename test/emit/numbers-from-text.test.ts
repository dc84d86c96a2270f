// `.toInt` and `.toDouble` of texts that are nearly numbers: short ones are read in one walk, others are looked through
// first, and both take the same forms.

import { expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const source = `main(string[] texts) {
  foreach (string text in texts) yield \`\${text.toInt(-7)} \${text.toDouble(-7.5)} \${1.0 / text.toDouble(-7.5)}\`;
}
`;

const decimal = /^[+-]?(0|[1-9](_?[0-9])*)$/;
const withPoint = /^[+-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?$/;

function intOf(text: string): bigint {
  if (!decimal.test(text)) return -7n;
  const value = BigInt(text.replaceAll('_', '').replace('+', ''));
  return value === BigInt.asIntN(64, value) ? value : -7n;
}

function textOf(x: number): string {
  const text = Number.isFinite(x) ? (Object.is(x, -0) ? '-0' : String(x)) : String(x);
  return Number.isFinite(x) && !/[.e]/.test(text) ? `${text}.0` : text;
}

it('texts that are nearly numbers are read as the language writes numbers', async () => {
  const starts = ['', '+', '-', '--', ' ', '.'];
  const wholes = ['', '0', '00', '01', '7', '10', '1_0', '1__0', '1_', '9', '/', ':', 'a', '10x'];
  const long = ['99999999999999', '999999999999999', '9999999999999999', '123456789012345678', '999999999999999999'];
  const longer = ['1234567890123456789', '9223372036854775807', '9223372036854775808', '99999999999999999999'];
  const ends = ['', '.', '.0', '.5', '.05', '.50', '..5', '.5.', '._5', '.5_5', '.000000000000001', '.1234567890123'];
  const texts = starts.flatMap((start) =>
    [...wholes, ...long, ...longer].flatMap((whole) => ends.map((end) => `${start}${whole}${end}`)),
  );
  const { artifact } = await compile('texts.slu', source);
  const run = (await loadScript(artifact!.wasm)).run({ texts });
  const yields: unknown[] = [];
  await run.forEach((value) => yields.push(value));
  const expected = texts.map((text) => {
    const double = withPoint.test(text) ? Number(text.replaceAll('_', '')) : -7.5;
    return `${intOf(text)} ${textOf(double)} ${textOf(1 / double)}`;
  });
  expect(yields.map((line, at) => [texts[at], line])).toEqual(expected.map((line, at) => [texts[at], line]));
});
