// How long the compiler of the built page takes for a script of about 100 lines, once it is warm: what somebody waits
// for who presses Run again.
//
//   npm run bench:playground

import { join } from 'node:path';
import { browserKinds, whyNotHere } from '../test/engines/browsers.ts';
import { startPlayground } from '../test/playground/page.ts';
import { servePage } from '../test/playground/serve.ts';
import { root } from '../tools/entries.ts';

const goalMs = 60;
const warmRounds = 10;
const rounds = 31;

/** Nine lines each; numbered, so that none is the same as another. */
function functionNamed(name: string, by: number): string {
  return `int ${name}(int[] xs, int least = ${by}) {
  int sum = 0;
  foreach (int x in xs) {
    if (x < least) continue;
    sum += x * ${by + 1};
  }
  if (sum > 1000) throw \`\${sum} is too much\`;
  return sum % ${by + 7};
}
`;
}

const names = Array.from({ length: 9 }, (_, i) => `count${i}`);
const script =
  names.map((name, i) => `${functionNamed(name, i)}\n`).join('') +
  `main(int n = 3) {\n  int[] xs = [n, 2 * n, 5];\n` +
  names.map((name) => `  yield ${name}(xs);\n`).join('');

const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const why = await whyNotHere(chromium);
if (why !== null) throw new Error(why);
const served = await servePage(join(root, 'site/playground/dist'));
const browser = await startPlayground(chromium);
try {
  const { page } = await browser.open(served.url);
  // Each round has another text: no answer can be a kept one.
  const measured = (await page.evaluate(`(async () => {
    const times = [];
    for (let round = 0; round < ${warmRounds + rounds}; round++)
      times.push(await playground.measure(${JSON.stringify(script)} + '  return ' + round + ';\\n}\\n'));
    return times;
  })()`)) as readonly number[];
  const times = measured.slice(warmRounds).toSorted((a, b) => a - b);
  const lines = script.split('\n').length + 1;
  const [least, median, most] = [0, (rounds - 1) / 2, rounds - 1].map((at) => times[at]!.toFixed(1));
  console.log(
    `${lines} lines, ${rounds} rounds: median ${median} ms, ${least} to ${most} ms; the goal is ${goalMs} ms`,
  );
} finally {
  await browser.close();
  served.close();
}
