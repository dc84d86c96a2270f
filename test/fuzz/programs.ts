// Fuzzing with programs: draws the program of a seed, compares what it does by some settings of the compiler with what
// the reference interpreter says, and reduces one that shows a difference.

import fc from 'fast-check';
import { compareProgram } from './compare.ts';
import type { Verdict } from './compare.ts';
import { settings } from './compiled.ts';
import type { Setting } from './compiled.ts';
import { randomProgram as randomLoops } from '../emit/random-loops.ts';
import { drawChains } from './generator/chains.ts';
import { drawBorders, drawNests } from './generator/nests.ts';
import { drawSearches } from './generator/searches.ts';
import { drawProgram } from './generator/program.ts';
import type { DrawnProgram } from './generator/program.ts';
import type { KindName } from './kinds.ts';
import { RandomText } from './random-text.ts';
import type { Dice } from './random-text.ts';
import { findBreakingPass, withSomePasses } from './passes.ts';
import { smallerPrograms } from './reduce.ts';

/** Programs about one thing, and how many of a hundred are. All others are about anything. */
const kinds: Readonly<Record<KindName, { readonly share: number; readonly draw: (dice: Dice) => string }>> = {
  loops: { share: 12, draw: randomLoops },
  chains: { share: 6, draw: drawChains },
  nests: { share: 16, draw: drawNests },
  searches: { share: 4, draw: drawSearches },
  borders: { share: 3, draw: drawBorders },
};

export function drawAny(dice: Dice): DrawnProgram {
  let left = dice.below(100);
  const kind = Object.values(kinds).find(({ share }) => (left -= share) < 0);
  return kind === undefined ? drawProgram(dice) : { text: kind.draw(dice), draws: [] };
}

export const programs = new RandomText((dice) => drawAny(dice).text, smallerPrograms);

/** Programs of one kind alone. */
export function programsAbout(kind: KindName): fc.Arbitrary<string> {
  return new RandomText(kinds[kind].draw, smallerPrograms);
}

/** Milliseconds for the program of a seed and what it is reduced to: the smallest so far is shown then. */
const longestSearch = 60_000;

/**
 * One setting that is cheap for each program, since another program shows more than another setting of the same one;
 * for some of them one without passes too, and one whose code is optimised, which takes as long as three
 * others. All now and then.
 */
export function settingsFor(seed: number): readonly Setting[] {
  if (seed % 200 === 0) return settings;
  const turn = (from: readonly Setting[], every: number): readonly Setting[] =>
    seed % every === 0 ? [from[(seed / every) % from.length]!] : [];
  const cheap = settings.filter(({ optimise }) => optimise === false);
  return [
    ...turn(
      cheap.filter(({ asLowered }) => asLowered !== true),
      1,
    ).map((setting) => withSomePasses(setting, seed)),
    ...turn(
      cheap.filter(({ asLowered }) => asLowered === true),
      8,
    ),
    ...turn(
      settings.filter((one) => !cheap.includes(one)),
      20,
    ),
  ];
}

/**
 * What is wrong with the program of a seed, reduced; null for one that does the same everywhere, or too much to be
 * followed. `note` is told of it before it is reduced.
 */
export async function findDifference(
  seed: number,
  texts: fc.Arbitrary<string> = programs,
  by: readonly Setting[] = settingsFor(seed),
  reduces = true,
  note: (what: string) => void = () => {},
): Promise<string | null> {
  let known = null as Fault | null;
  let smallest = null as { readonly verdict: Fault; readonly text: string } | null;
  const property = fc.asyncProperty(texts, async (text) => {
    const verdict = await compareProgram(text, known?.kind === 'different' ? [known.setting] : by);
    if (verdict.kind === 'same' || verdict.kind === 'too-much' || (known !== null && !isAlike(verdict, known))) return;
    if (known === null) note(`${describeFault(verdict)}\n${text}`);
    known ??= verdict;
    smallest = { verdict, text };
    throw new Error(`${describeFault(verdict)}\n${text}`);
  });
  const { failed, errorInstance } = await fc.check(property, {
    seed,
    numRuns: 1,
    endOnFailure: !reduces,
    plugins: [fc.interruptAfterTimeLimit(longestSearch, { failOnInterrupt: true })],
  });
  if (!failed) return null;
  const message = errorInstance instanceof Error ? errorInstance.message : `no answer within ${longestSearch / 1000} s`;
  const breaks =
    smallest?.verdict.kind === 'different' ? await findBreakingPass(smallest.text, smallest.verdict) : null;
  return `seed ${seed}: ${message}${breaks === null ? '' : `\n${breaks}`}`;
}

type Fault = Extract<Verdict, { readonly kind: 'different' | 'refused' }>;

function isAlike(one: Fault, other: Fault): boolean {
  return one.kind === 'different' && other.kind === 'different' && one.part === other.part;
}

function describeFault(fault: Fault): string {
  return fault.kind === 'refused'
    ? `the compiler refuses it: ${fault.why}`
    : `${fault.part}, ${fault.setting.name}:\n  expected ${fault.expected}\n  found    ${fault.found}`;
}
