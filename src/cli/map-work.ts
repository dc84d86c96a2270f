// What `sluice map` is told of records wherever they come from, and what may be wrong with it.

import { statSync } from 'node:fs';
import type * as SluiceMap from '../../map/index.ts';
import { ArgumentError } from '../../runtime-host/api/node.ts';
import { quote } from '../language/quoted-text.ts';
import { findCompiled, keepCompiled } from './cache.ts';
import type { CommandInput } from './command.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { forOneProgram } from './engine-flags.ts';
import { exitCodes, UsageError } from './exit.ts';
import { readCount, readLimits, readPermissions, readShare } from './map-values.ts';
import { stderr } from './output.ts';
import { readArguments } from './script-arguments.ts';

export function workOptions(input: CommandInput, map: typeof SluiceMap): SluiceMap.WorkOptions {
  const maxErrors = readShare(input, map);
  const seed = readCount(input, 'map', 'seed');
  return {
    script: input.operand,
    arguments: ({ parameters, structs }) =>
      readArguments({ parameters, structs }, input.values.get('arg') ?? [], 'map'),
    columns: Object.fromEntries(pairs(input, 'column')),
    nulls: Object.fromEntries(
      pairs(input, 'null').map(([name, rule]) => [name, rule === 'skip' || rule === 'error' ? rule : { value: rule }]),
    ),
    types: Object.fromEntries(pairs(input, 'type')) as SluiceMap.WorkOptions['types'] & object,
    by: (input.values.get('by') ?? []).flatMap((columns) => columns.split(',')),
    ...(maxErrors === undefined ? {} : { maxErrors }),
    ...(seed === undefined ? {} : { seed }),
    ...(input.switches.has('no-cache') ? {} : { cache: { find: findCompiled, keep: keepCompiled } }),
    limits: readLimits(input, 'map'),
    permissions: readPermissions(input),
    plugins: input.values.get('plugin') ?? [],
    allowRepeats: input.switches.has('allow-repeats'),
  };
}

/** Plans with the engine's flags of the other commands that compile. */
export function compiling<Planned>({ operand }: CommandInput, plan: () => Promise<Planned>): Promise<Planned> {
  return forOneProgram(statSync(operand, { throwIfNoEntry: false })?.size ?? 0, plan);
}

/** Tells what went wrong; answers with the exit code. The classes are the other package's: errors are known by name. */
export function workFault(error: unknown, input: CommandInput): number {
  if (error instanceof ArgumentError) throw new UsageError(error.message, 'map');
  const { name, message } = error as Error;
  if (name === 'MapScriptError') {
    writeDiagnostics(input.operand, (error as SluiceMap.MapScriptError).diagnostics, 'text');
    return exitCodes.diagnostics;
  }
  if (name === 'MapError') throw new UsageError(message);
  if (name !== 'TooManyErrors') throw error;
  stderr.line(`sluice: ${message}`);
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
