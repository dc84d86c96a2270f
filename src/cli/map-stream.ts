// `sluice map` as a filter: a stream of Arrow from standard input to standard output, each batch as it comes.

import { appendFileSync } from 'node:fs';
import type * as SluiceMap from '../../map/index.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { exitCodes, UsageError } from './exit.ts';
import { reasonOf } from './files.ts';
import { loadMap } from './map-package.ts';
import { compiling, workFault, workOptions } from './map-work.ts';
import { stderr, stdout } from './output.ts';

const ofFiles = ['resume', 'threads', 'partition-rows', 'queue', 'check-merge'];

/** Whether the records come from standard input, or go to standard output. */
export function isStream({ values }: CommandInput): boolean {
  return (
    values.get('output')?.at(-1) === '-' ||
    values.get('input')?.includes('-') === true ||
    values.get('format')?.at(-1) === 'arrow'
  );
}

export async function mapStream(input: CommandInput): Promise<number> {
  checkOptions(input);
  const map = await loadMap();
  try {
    const options: SluiceMap.ArrowOptions = {
      ...workOptions(input, map),
      name: 'standard input',
      onErrors: errorWriter(input),
    };
    const filter = await compiling(input, () => map.mapArrow(process.stdin, options));
    if (filter.plan.diagnostics.length > 0) writeDiagnostics(input.operand, filter.plan.diagnostics, 'text');
    if (input.switches.has('plan')) {
      stdout.line(map.describePlan(filter.plan));
      return exitCodes.fine;
    }
    for await (const bytes of filter.output) stdout.bytes(bytes);
    return exitCodes.fine;
  } catch (error) {
    return workFault(error, input);
  } finally {
    // Whoever writes the stream may go on for ever.
    process.stdin.destroy();
  }
}

function checkOptions({ operand, values, switches }: CommandInput): void {
  const format = values.get('format')?.at(-1);
  const line = commandLine('map', operand, '--input', '-', '-o', '-', '--format', 'arrow');
  if (values.get('input')?.join(' ') !== '-' || values.get('output')?.at(-1) !== '-')
    throw new UsageError(
      'sluice map reads standard input and writes standard output, or reads and writes files',
      'map',
      line,
    );
  if (format !== 'arrow') throw new UsageError('standard input and standard output are streams of Arrow', 'map', line);
  if (process.stdin.isTTY)
    throw new UsageError('standard input is a terminal: a stream of Arrow comes from a pipe or a file');
  if (stdout.isTerminal && !switches.has('plan'))
    throw new UsageError('standard output is a terminal: a stream of Arrow goes into a pipe or a file');
  for (const name of ofFiles)
    if (values.has(name) || switches.has(name))
      throw new UsageError(`--${name} is for files: a stream is mapped batch by batch, from its beginning`, 'map');
}

/** Lines are appended, each call at once: several filters may share a file. */
function errorWriter(input: CommandInput): (lines: string) => void {
  const path = valueOf(input, 'errors');
  if (path === undefined) return (lines) => stderr.scriptText(lines);
  return (lines) => {
    try {
      appendFileSync(path, lines);
    } catch (error) {
      throw new UsageError(`cannot write to ${path}: ${reasonOf((error as { code?: string }).code)}`);
    }
  };
}
