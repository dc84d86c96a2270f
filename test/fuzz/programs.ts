// Fuzzing with programs: draws the program of a seed, compares what it does by some settings of the compiler with what the
// reference interpreter says, and reduces one that shows a difference.

import fc from 'fast-check';
import { compareProgram } from './compare.ts';
import type { Verdict } from './compare.ts';
import { settings } from './compiled.ts';
import type { Setting } from './compiled.ts';
import { randomProgram as randomLoops } from '../emit/random-loops.ts';
import { randomProgram } from './generator/program.ts';
import { RandomText } from './random-text.ts';
import { smallerPrograms } from './reduce.ts';

export const programs = new RandomText((dice) => (dice.chance(12) ? randomLoops(dice) : randomProgram(dice)), smallerPrograms);

/** Milliseconds for the program of a seed and what it is reduced to: the smallest so far is shown then. */
const longestSearch = 60_000;

/** All settings now and then; otherwise two that are cheap, and for one program in five one that is not. */
export function settingsFor(seed: number): readonly Setting[] {
  if (seed % 50 === 0) return settings;
  const cheap = settings.filter(({ optimise }) => optimise === false);
  const others = settings.filter((one) => !cheap.includes(one));
  return [cheap[seed % cheap.length]!, cheap[(seed + 3) % cheap.length]!, ...(seed % 5 === 0 ? [others[(seed / 5) % others.length]!] : [])];
}

/** What is wrong with the program of a seed, reduced; null for one that does the same everywhere, or too much to be followed. */
export async function findDifference(seed: number, texts: fc.Arbitrary<string> = programs, by: readonly Setting[] = settingsFor(seed)): Promise<string | null> {
  let known: Fault | null = null;
  const property = fc.asyncProperty(texts, async (text) => {
    const verdict = await compareProgram(text, known?.kind === 'different' ? settings.filter(({ name }) => name === (known as Different).setting) : by);
    if (verdict.kind === 'same' || verdict.kind === 'too-much' || (known !== null && !isAlike(verdict, known))) return;
    known ??= verdict;
    throw new Error(`${describeFault(verdict)}\n${text}`);
  });
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: longestSearch });
  return failed ? `seed ${seed}: ${errorInstance instanceof Error ? errorInstance.message : `no answer within ${longestSearch / 1000} s`}` : null;
}

type Fault = Extract<Verdict, { readonly kind: 'different' | 'refused' }>;
type Different = Extract<Verdict, { readonly kind: 'different' }>;

function isAlike(one: Fault, other: Fault): boolean {
  return one.kind === 'different' && other.kind === 'different' && one.part === other.part;
}

function describeFault(fault: Fault): string {
  return fault.kind === 'refused' ? `the compiler refuses it: ${fault.why}` : `${fault.part}, ${fault.setting}:\n  expected ${fault.expected}\n  found    ${fault.found}`;
}
