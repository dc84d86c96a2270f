// Runs a program with every setting of the compiler that must make no difference, and says what makes one.

import { loadScript, ScriptError } from '../../runtime-host/api/index.ts';
import { compile } from '../../src/index.ts';
import type { EmitOptions } from '../../src/index.ts';
import { worldFor } from '../world.ts';

/** The first is what the others are compared with. */
export const settings: Readonly<Record<string, EmitOptions & { readonly iterationsPerCall?: number }>> = {
  'without optimisation': { optimise: false },
  'as it is': {},
  'called anew at each iteration': { iterationsPerCall: 1 },
  'with limits, called anew every few iterations': { iterationsPerCall: 9, guards: { use: true, depth: true } },
};

/** A program that the compiler does not take. */
export class Refused extends Error {}

/** What a program hands out and how it ends, line by line. */
export async function outcomeOf(text: string, options: EmitOptions): Promise<readonly string[]> {
  const { artifact, diagnostics } = await compile('random.slu', text, options);
  const mistake = diagnostics.find(({ severity }) => severity === 'error');
  if (mistake !== undefined || artifact === null) throw new Refused(mistake?.message);
  const lines: string[] = [];
  try {
    const script = await loadScript(artifact.wasm, worldFor({}));
    const run = script.run({});
    await run.forEach((_value, show) => void lines.push(show()));
    lines.push(`returns ${await run.resultText}`);
  } catch (error) {
    // Faults of the compiler come as other errors, and are outcomes as well.
    const place = error instanceof ScriptError ? ` in line ${error.frames[0]?.line}` : '';
    lines.push(error instanceof Error ? `${error.name}: ${error.message}${place}` : String(error));
  }
  return lines;
}

/** The first setting with which the program does something else, and what; null where there is none. */
export async function findDifference(text: string): Promise<string | null> {
  const [[, plain], ...others] = Object.entries(settings) as [[string, EmitOptions], ...[string, EmitOptions][]];
  const expected = await outcomeOf(text, plain);
  if (expected.some((line) => line.startsWith('InternalError'))) return `without optimisation: ${expected.at(-1)}`;
  for (const [name, options] of others) {
    const found = await outcomeOf(text, options);
    const at = expected.findIndex((line, index) => found[index] !== line);
    const first = at >= 0 ? at : found.length > expected.length ? expected.length : -1;
    if (first >= 0)
      return `${name}: expected ${expected[first] ?? 'nothing more'}\n got ${found[first] ?? 'nothing more'}`;
  }
  return null;
}
