// How long an editor waits for the language server: a session of typing in a file of 1,000 and of 10,000 lines, over
// the standard input and output of the real command. The machine decides much: nothing fails where a goal is missed.
//
//   npm run bench:editor                    both files
//   npm run bench:editor -- --lines 1000    a file of about so many lines

import { parseArgs } from 'node:util';
import { measureSession } from './language-server/session.ts';
import type { Measured } from './language-server/session.ts';
import { median, percentile } from './statistics.ts';
import { describeMachine } from './suite/machine.ts';

/** What the 95th percentile should not exceed, for 1,000 and 10,000 lines; no goals for what is only told. */
const rows: readonly (readonly [what: keyof Measured, name: string, goals: readonly [number, number] | null])[] = [
  ['diagnostics', 'key to diagnostics', [50, 150]],
  ['completion', 'key to completion', [30, 100]],
  ['signature', 'key to signature', [30, 100]],
  ['hover', 'hover', [30, 100]],
  ['format', 'format the file', [60, 500]],
  ['start', 'start to first diagnostics', [400, 800]],
  ['pause', 'all that an editor asks for at a pause', null],
  ['burst', 'last of a burst of keys to diagnostics', null],
];

const { values } = parseArgs({ options: { lines: { type: 'string', multiple: true } } });
const { processor, cores, system } = describeMachine();
console.log(`Node ${process.version}, ${cores} × ${processor}, ${system}; milliseconds\n`);
for (const lines of values.lines?.map(Number) ?? [1000, 10_000]) {
  const measured = await measureSession(lines);
  console.log(
    `| ${lines.toLocaleString('en')} lines | median | 95 % | goal | | times |\n|---|---:|---:|---:|---|---:|`,
  );
  for (const [what, name, goals] of rows) {
    const times = measured[what];
    if (times.length === 0) continue;
    const most = percentile(times, 0.95);
    const goal = goals?.[lines <= 1000 ? 0 : 1] ?? null;
    const verdict = goal === null ? '' : most <= goal ? 'met' : 'missed';
    console.log(
      `| ${name} | ${median(times).toFixed(0)} | ${most.toFixed(0)} | ${goal ?? ''} | ${verdict} | ${times.length} |`,
    );
  }
  console.log('');
}
