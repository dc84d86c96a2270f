// `sluice bench`: how long the runs of a script take, with the first run apart from the later ones.

import { ArgumentError, ScriptError } from '../../runtime-host/api/node.ts';
import { diagnosticsJson } from '../diagnostics/formats.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { readDeterminism } from './determinism.ts';
import { exitCodes, UsageError } from './exit.ts';
import { readLimits } from './limits.ts';
import { loadFile } from './load.ts';
import { stdout } from './output.ts';
import { readPermissions } from './permissions/permissions.ts';
import { readPluginOption } from './plugins.ts';
import { printError, rounded, startRun } from './run.ts';
import { superviseRun } from './supervision.ts';
import type { Supervision } from './supervision.ts';

const maxRepetitions = 1_000_000;

export async function benchCommand(input: CommandInput): Promise<number> {
  const reps = readRepetitions(valueOf(input, 'reps') ?? '10');
  const asLines = valueOf(input, 'format') === 'ndjson';
  const supervision: Supervision = superviseRun(input.values.has('plugin'), () => permissions.close());
  const permissions = readPermissions(input, 'bench', supervision.whileAsking);
  const options = {
    ...readDeterminism(input, 'bench'),
    ...permissions.options,
    ...readLimits(input, 'bench'),
    ...(await readPluginOption(input, 'bench')),
  };
  const { script, diagnostics, stack } = await loadFile(input.operand, {
    options,
    usesCache: !input.switches.has('no-cache'),
    thread: supervision.thread,
  });
  if (script === null) {
    if (asLines) stdout.scriptLine(diagnosticsJson(diagnostics));
    return exitCodes.diagnostics;
  }
  const times: number[] = [];
  try {
    for (let iteration = 0; iteration < reps; iteration++) {
      const run = startRun(script, input);
      await supervision.enter(() => run.forEach(() => {}));
      times.push(run.times.runMs);
    }
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    printError(error, asLines, script, stack, input);
    return error instanceof ArgumentError ? exitCodes.wrongUse : exitCodes.scriptError;
  } finally {
    supervision.close();
    permissions.close();
  }
  const firstMs = rounded(times[0]!);
  const medianMs = rounded(median(times));
  if (asLines) stdout.line(JSON.stringify({ bench: { firstMs, medianMs, reps } }));
  else stdout.line(`first run ${firstMs} ms, median ${medianMs} ms of ${reps} run${reps === 1 ? '' : 's'}`);
  return exitCodes.fine;
}

function readRepetitions(text: string): number {
  const reps = Number(text);
  if (/^\d+$/.test(text) && reps >= 1 && reps <= maxRepetitions) return reps;
  throw new UsageError(`--reps is a whole number from 1 to ${maxRepetitions}`, 'bench');
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
