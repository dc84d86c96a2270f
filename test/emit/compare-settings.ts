// Runs a program with every setting of the compiler that must make no difference, and shrinks one that shows a difference:
// statements and blocks go, a line at a time, as long as it stays.

import { loadScript, ScriptError } from '../../runtime-host/index.ts';
import { compile } from '../../src/index.ts';
import type { EmitOptions } from '../../src/index.ts';
import { worldFor } from '../world.ts';

/** The first is what the others are compared with. */
export const settings: Readonly<Record<string, EmitOptions & { readonly turnsInARow?: number }>> = {
  'without optimisation': { optimise: false },
  'as it is': {},
  'called anew at each turn': { turnsInARow: 1 },
  'with limits, called anew at every few turns': { turnsInARow: 9, limits: { use: true, depth: true } },
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
    if (first >= 0) return `${name}: expected ${expected[first] ?? 'nothing more'}\n got ${found[first] ?? 'nothing more'}`;
  }
  return null;
}

/** A smaller program of the same kind. */
export async function shrink(text: string, isSame: (text: string) => Promise<boolean>): Promise<string> {
  let lines = text.trimEnd().split('\n');
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (let at = 0; at < lines.length; at++) {
      for (const smaller of smallerAt(lines, at)) {
        if (!(await isSame(smaller.join('\n')).catch(() => false))) continue;
        lines = smaller;
        hasShrunk = true;
        at -= 1;
        break;
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Without the statement that begins in a line, or without the block around what is in it. */
function smallerAt(lines: readonly string[], at: number): string[][] {
  const depth = (line: string): number => /^ */.exec(line)![0].length;
  const line = lines[at]!;
  if (!line.endsWith('{')) return [lines.toSpliced(at, 1)];
  let end = at + 1;
  while (end < lines.length && (depth(lines[end]!) > depth(line) || /^ *} catch/.test(lines[end]!))) end += 1;
  const middle = lines.findIndex((other, index) => index > at && index < end && depth(other) === depth(line));
  const inside = lines.slice(at + 1, middle < 0 ? end : middle);
  return [lines.toSpliced(at, end + 1 - at), lines.toSpliced(at, end + 1 - at, ...inside)];
}
