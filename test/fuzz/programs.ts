// Fuzzing with programs: makes the program of a seed, compares what it does by some settings of the compiler with what the
// reference interpreter says, and reduces one that shows a difference.

import { compareProgram } from './compare.ts';
import type { Verdict } from './compare.ts';
import { settings } from './compiled.ts';
import type { Setting } from './compiled.ts';
import { randomProgram as randomLoops } from '../emit/random-loops.ts';
import { randomProgram } from './generator/program.ts';
import { reduceProgram } from './reduce.ts';

export type Finding = { readonly seed: number; readonly verdict: Verdict; readonly text: string };

/** All settings now and then; otherwise two that are cheap, and for one program in five one that is not. */
export function settingsFor(seed: number): readonly Setting[] {
  if (seed % 50 === 0) return settings;
  const cheap = settings.filter(({ optimise }) => optimise === false);
  const others = settings.filter((one) => !cheap.includes(one));
  return [cheap[seed % cheap.length]!, cheap[(seed + 3) % cheap.length]!, ...(seed % 5 === 0 ? [others[(seed / 5) % others.length]!] : [])];
}

/** Null for a program that does the same everywhere, or too much to be followed. */
export async function tryProgram(seed: number): Promise<Finding | null> {
  const text = seed % 20 === 19 ? randomLoops(seed) : randomProgram(seed);
  const verdict = await compareProgram(text, settingsFor(seed));
  return verdict.kind === 'same' || verdict.kind === 'too-much' ? null : { seed, verdict, text };
}

/** The same difference, shown by less. */
export async function reduceFinding(finding: Finding): Promise<Finding> {
  const { verdict: known } = finding;
  if (known.kind !== 'different') return finding;
  const by = settings.filter(({ name }) => name === known.setting);
  const text = await reduceProgram(finding.text, async (smaller) => {
    const verdict = await compareProgram(smaller, by);
    return verdict.kind === 'different' && verdict.part === known.part;
  });
  return { ...finding, text, verdict: await compareProgram(text, by) };
}

export function describeFinding({ seed, verdict, text }: Finding): string {
  const what = verdict.kind === 'different' ? `${verdict.part}, ${verdict.setting}:\n  expected ${verdict.expected}\n  found    ${verdict.found}` : verdict.kind === 'refused' ? `the compiler refuses it: ${verdict.why}` : verdict.kind;
  return `seed ${seed}: ${what}\n${text}`;
}
