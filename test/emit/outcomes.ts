// What a script and a host can see of a run, by every setting of the compiler that must make no difference.

import { expect } from 'vitest';
import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import type { CompileOptions } from '../../src/compile.ts';

const settings: readonly CompileOptions[] = [
  { optimise: false, guards: {} },
  { guards: {} },
  { iterationsPerCall: 1, guards: {} },
  { optimise: false },
  {},
  { iterationsPerCall: 9 },
];

async function outcomeOf(text: string, options: CompileOptions): Promise<readonly string[]> {
  const { artifact, diagnostics } = await compile('test.slu', text, options);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const seen: string[] = [];
  const limits = options.guards === undefined ? { fuel: 1_000_000 } : {};
  const run = (await loadScript(artifact!.wasm, { limits })).run();
  try {
    await run.forEach((_value, show) => void seen.push(show()));
    seen.push(`returns ${await run.resultText}`);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    seen.push(`${error.name}: ${error.message}`);
    for (const { function: name, line, column } of error.frames) seen.push(`${name} ${line}:${column}`);
  }
  if (options.guards === undefined) seen.push(`${run.fuelUsed} units`);
  return seen;
}

/** What all settings agree on, line by line; those that count fuel agree on the units too. */
export async function outcome(text: string): Promise<readonly string[]> {
  const all = await Promise.all(settings.map((options) => outcomeOf(text, options)));
  const counted = all[3]!;
  for (const found of all.slice(0, 3)) expect(found).toEqual(counted.slice(0, -1));
  for (const found of all.slice(3)) expect(found).toEqual(counted);
  return counted;
}
