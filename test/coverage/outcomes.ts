// What programs do, whatever they are compiled with.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadScript } from '../../runtime-host/api/host.ts';
import { ScriptError } from '../../runtime-host/api/index.ts';
import { nodeMachine } from '../../runtime-host/node/machine.ts';
import type { Thread } from '../../runtime-host/run/thread.ts';
import { compileWith } from '../../src/compile.ts';
import type { CompileChoice, CompileOptions } from '../../src/compile.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { readCases } from '../conformance-cases.ts';
import { pluginsOf, readCase, splitFiles } from '../conformance-harness.ts';
import type { Case } from '../conformance-harness.ts';
import { worldFor } from '../world.ts';

const running = readCases().filter(({ errors }) => errors.length === 0);
/** The conformance cases that run. */
export const topics = Map.groupBy(running, ({ name }) => name.slice(0, name.indexOf('/')));

const folder = join(import.meta.dirname, '../../examples');
const geography = readFileSync(join(folder, 'lib/geography.slu'), 'utf8');
/** For the examples. */
export const reader = memoryReader({ 'lib/geography.slu': geography });
/** One of them is a library, which has no run. */
export const examples: readonly Case[] = readdirSync(folder)
  .filter((name) => name.endsWith('.slu') && name !== 'smoothing.slu')
  .map((name) => readCase(name, readFileSync(join(folder, name), 'utf8')));

/** What a program hands out, how it ends, and what that took. */
export async function outcomeOf(
  testCase: Case,
  { reader, ...options }: CompileOptions,
  choice: CompileChoice,
  onInstance: NonNullable<Thread['onInstance']> = () => {},
): Promise<readonly string[]> {
  const { text, reader: own } = splitFiles(testCase.name, testCase.text);
  const plugins = pluginsOf(testCase);
  const { artifact } = await compileWith(testCase.name, text, { ...options, reader: reader ?? own, plugins }, choice);
  const script = await loadScript(
    artifact!.wasm,
    { ...worldFor(testCase.grants), plugins, limits: { timeMs: 60_000, fuel: 1_000_000_000 } },
    { ...nodeMachine, stacks: null, thread: { onInstance } },
  );
  const lines: string[] = [];
  try {
    const run = script.run(testCase.arguments);
    await run
      .forEach((_value, show) => void lines.push(show()))
      .finally(() => lines.push(`${run.fuelUsed} units of fuel`));
    lines.push(`returns ${await run.resultText}`);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const frames = error.frames.map((frame) => `${frame.function} ${frame.file}:${frame.line}:${frame.column}`);
    lines.push(`${error.name}: ${error.message}`, ...frames);
  }
  return lines;
}
