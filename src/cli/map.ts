// `sluice map`: runs a script over the records of files. All of the work is the package sluice-map's, which whoever
// does without it need not install.

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArgumentError } from '../../runtime-host/api/node.ts';
import type * as SluiceMap from '../../map/index.ts';
import { readByteSize } from '../../runtime-host/permissions/command-line/byte-size.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { forOneProgram } from './engine-flags.ts';
import { exitCodes, UsageError } from './exit.ts';
import { stderr, stdout } from './output.ts';
import { commandLine, quote } from './quote.ts';
import { readArguments } from './script-arguments.ts';

export async function mapCommand(input: CommandInput): Promise<number> {
  const patterns = input.values.get('input');
  const output = valueOf(input, 'output');
  if (patterns === undefined || output === undefined)
    throw new UsageError(
      `sluice map needs ${patterns === undefined ? 'files to read: --input FILES' : 'a folder to write to: -o FOLDER'}`,
      'map',
      commandLine('map', input.operand, '--input', patterns?.[0] ?? 'in/*.parquet', '-o', output ?? 'out'),
    );
  const threads = count(input, 'threads');
  const map = await loadMap();
  try {
    const options: SluiceMap.MapOptions = {
      script: input.operand,
      input: patterns,
      output,
      arguments: ({ parameters, structs }) =>
        readArguments({ parameters, structs }, input.values.get('arg') ?? [], 'map'),
      columns: Object.fromEntries(pairs(input, 'column')),
      nulls: Object.fromEntries(
        pairs(input, 'null').map(([name, rule]) => [
          name,
          rule === 'skip' || rule === 'error' ? rule : { value: rule },
        ]),
      ),
      format: (valueOf(input, 'format') ?? 'parquet') as SluiceMap.Format,
      ...numbers(input),
      limits: limits(input),
    };
    const length = statSync(input.operand, { throwIfNoEntry: false })?.size ?? 0;
    const plan = await forOneProgram(length, () => map.planMap(options));
    if (plan.diagnostics.length > 0) writeDiagnostics(input.operand, plan.diagnostics, 'text');
    if (input.switches.has('plan')) {
      stdout.line(map.describePlan(plan));
      return exitCodes.fine;
    }
    return await run(map, plan, {
      ...(threads === undefined ? {} : { threads }),
      resume: input.switches.has('resume'),
    });
  } catch (error) {
    return faultOf(error, input);
  }
}

/** The package beside this one, or in the folder that the command is used in. */
async function loadMap(): Promise<typeof SluiceMap> {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'index.js')).href]) {
    let path: string;
    try {
      path = createRequire(from).resolve('sluice-map');
    } catch {
      continue;
    }
    try {
      return (await import(pathToFileURL(path).href)) as typeof SluiceMap;
    } catch (error) {
      const reason = (error as Error).message;
      throw new UsageError(`the package sluice-map is installed, but cannot be loaded: ${reason}`);
    }
  }
  throw new UsageError('sluice map is a package of its own, which is not installed: npm install sluice-map');
}

async function run(map: typeof SluiceMap, plan: SluiceMap.MapPlan, options: SluiceMap.RunOptions): Promise<number> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Interrupted());
  for (const signal of signals) process.once(signal, stop);
  let last: SluiceMap.MapProgress | null = null;
  const watched = (async function* () {
    const progress = map.runMap(plan, { ...options, signal: stopping.signal });
    for await (const value of progress) {
      last = value;
      yield value;
    }
  })();
  try {
    const { read, written, failed, skipped } = await map.showProgress(watched);
    const rest = [
      ...(skipped === 0 ? [] : [`${number(skipped)} left out for their nulls`]),
      ...(failed === 0 ? [] : [`${number(failed)} failed, which ${plan.output}/_errors has`]),
    ];
    stderr.line(`${number(read)} records read, ${number(written)} written${rest.map((part) => `, ${part}`).join('')}`);
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const { done, partitions } = last ?? { done: 0, partitions: 0 };
    stderr.line(
      `stopped: ${done} of ${partitions} partitions are done; the same command with --resume goes on behind them`,
    );
    return exitCodes.interrupted;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Ctrl-C, and how services are told to end. */
const signals = ['SIGINT', 'SIGTERM'] as const;

class Interrupted extends Error {}

/** The classes are the other package's: its errors are known by name. */
function faultOf(error: unknown, input: CommandInput): number {
  if (error instanceof ArgumentError) throw new UsageError(error.message, 'map');
  const { name, message } = error as Error;
  if (name === 'MapScriptError') {
    writeDiagnostics(input.operand, (error as SluiceMap.MapScriptError).diagnostics, 'text');
    return exitCodes.diagnostics;
  }
  if (name === 'MapError') throw new UsageError(message);
  if (name !== 'TooManyErrors') throw error;
  stderr.line(`sluice: ${message}`);
  stderr.line('what is done is kept: the same command with --resume and another --max-errors goes on behind it');
  return exitCodes.scriptError;
}

function pairs(input: CommandInput, option: string): readonly (readonly [string, string])[] {
  return (input.values.get(option) ?? []).map((word) => {
    const equals = word.indexOf('=');
    if (equals <= 0 || equals === word.length - 1)
      throw new UsageError(`--${option} takes a name, an equals sign and a value, not ${quote(word)}`, 'map');
    return [word.slice(0, equals), word.slice(equals + 1)] as const;
  });
}

function count(input: CommandInput, option: string): number | undefined {
  const text = valueOf(input, option);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`--${option} takes a whole number, not ${quote(text)}`, 'map');
}

function numbers(input: CommandInput): Pick<SluiceMap.MapOptions, 'maxErrors' | 'partitionRows' | 'seed'> {
  const maxErrors = count(input, 'max-errors');
  const partitionRows = count(input, 'partition-rows');
  const seed = count(input, 'seed');
  return {
    ...(maxErrors === undefined ? {} : { maxErrors }),
    ...(partitionRows === undefined ? {} : { partitionRows }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function limits(input: CommandInput): SluiceMap.MapOptions['limits'] & object {
  const time = valueOf(input, 'max-time');
  const memory = valueOf(input, 'max-memory');
  if (time !== undefined && !(/^\d+(\.\d+)?$/.test(time) && Number(time) < 1e9))
    throw new UsageError(`--max-time takes a number of seconds, not ${quote(time)}`, 'map');
  const bytes = memory === undefined ? undefined : readByteSize(memory);
  if (bytes === null)
    throw new UsageError(`--max-memory takes a number of bytes, or a size such as 64MiB, not ${quote(memory!)}`, 'map');
  return {
    ...(time === undefined ? {} : { timeMs: Number(time) * 1000 }),
    ...(bytes === undefined ? {} : { memoryBytes: bytes }),
  };
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
