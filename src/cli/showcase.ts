// Runs an example on real data if there is no command in a clone, so that a first look shows something.

import { relative } from 'node:path';
import { ScriptError } from '../../runtime-host/api/node.ts';
import type { CommandInput } from './command.ts';
import { exitCodes } from './exit.ts';
import { readBytes } from './files.ts';
import { loadFile } from './load.ts';
import { stdout } from './output.ts';
import { clonePath } from './package.ts';
import { printError, printValues, startRun } from './run.ts';

/** The example, and files for its parameters, as paths from the clone's root. */
const showcase = {
  script: 'examples/weather.slu',
  files: { csv: 'examples/data/seattle-weather.csv' },
} as const;

export async function runShowcase(): Promise<number> {
  const start = performance.now();
  const path = shownPath(showcase.script);
  const given = Object.entries(showcase.files).map(([name, file]) => `${name}=@${shownPath(file)}`);
  readBytes(path);
  stdout.line(`$ sluice run ${path} ${given.map((word) => `-a ${word}`).join(' ')}\n`);
  const input: CommandInput = {
    operand: path,
    operands: [path],
    switches: new Set(),
    values: new Map([['arg', given]]),
  };
  const { script, compileMs, stack } = await loadFile(path);
  if (script === null) return exitCodes.diagnostics;
  const run = startRun(script, input);
  try {
    await printValues(run);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    printError(error, false, script, stack, input);
    return exitCodes.scriptError;
  }
  const { runMs } = run.times;
  stdout.line(
    `\nCompiled in ${compileMs.toFixed(0)} ms, ran in ${runMs.toFixed(1)} ` +
      `ms, ${(performance.now() - start).toFixed(0)} ms in all.`,
  );
  stdout.line('Your own script: npm start -- run my.slu   (npm start -- --help says more)');
  return exitCodes.fine;
}

/** The path as a person in the current folder would write it. */
function shownPath(path: string): string {
  const whole = clonePath(path)!;
  const shown = relative(process.cwd(), whole);
  return shown.startsWith('..') ? whole : shown;
}
