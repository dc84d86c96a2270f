// Counting changes nothing: every conformance case and every example hands out the same, ends with the same error in
// the same places, and uses as much fuel, with counters and without.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScript, ScriptError } from '../../runtime-host/api/index.ts';
import { instrument } from '../../src/coverage/instrument.ts';
import { compileWith } from '../../src/compile.ts';
import type { CompileChoice, CompileOptions } from '../../src/compile.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { requireVerified } from '../../src/mir/verify.ts';
import { readCases } from '../conformance-cases.ts';
import { pluginsOf, readCase, splitFiles } from '../conformance-harness.ts';
import type { Case } from '../conformance-harness.ts';
import { worldFor } from '../world.ts';

const cases = readCases().filter(({ errors }) => errors.length === 0);
const topics = Map.groupBy(cases, ({ name }) => name.slice(0, name.indexOf('/')));

const folder = join(import.meta.dirname, '../../examples');
// One is a library, which has no run.
const examples = readdirSync(folder).filter((name) => name.endsWith('.slu') && name !== 'smoothing.slu');
const reader = memoryReader({ 'lib/geography.slu': readFileSync(join(folder, 'lib/geography.slu'), 'utf8') });

const counted: CompileChoice = {
  instrument: (program) => {
    const instrumented = instrument(program, () => true).program;
    requireVerified(instrumented, 'with counters');
    return instrumented;
  },
};

/** What a program hands out, how it ends, and what that took. */
async function outcomeOf(
  testCase: Case,
  { reader, ...options }: CompileOptions,
  choice: CompileChoice,
): Promise<readonly string[]> {
  const { text, reader: own } = splitFiles(testCase.name, testCase.text);
  const plugins = pluginsOf(testCase);
  const { artifact } = await compileWith(testCase.name, text, { ...options, reader: reader ?? own, plugins }, choice);
  const script = await loadScript(artifact!.wasm, {
    ...worldFor(testCase.grants),
    plugins,
    limits: { timeMs: 60_000, fuel: 1_000_000_000 },
  });
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

async function compare(testCase: Case, options: CompileOptions = {}): Promise<void> {
  const expected = await outcomeOf(testCase, options, {});
  const found = await outcomeOf(testCase, { ...options, optimise: false }, counted);
  expect(found, testCase.name).toEqual(expected);
}

describe('a program with counters does the same', () => {
  it.each([...topics])('%s', async (_topic, members) => {
    for (const testCase of members) await compare(testCase);
  });

  it.each(examples)('examples/%s', async (name) => {
    await compare(readCase(name, readFileSync(join(folder, name), 'utf8')), { reader });
  });
});
