// Sets of passes: programs are compared with some of the optional passes left out, since a pass must not count on those
// before it; and which pass breaks a program is found by running more and more of them.

import fc from 'fast-check';
import { passes } from '../../src/4-optimise/passes.ts';
import { compareProgram } from './compare.ts';
import type { Verdict } from './compare.ts';
import type { Setting } from './compiled.ts';

const optional = passes.filter(({ isRequired }) => !isRequired).map(({ name }) => name);

/** Sixteen programs in turn have all passes, the next sixteen some, as the seed says: settings change sooner. */
export function withSomePasses(setting: Setting, seed: number): Setting {
  if (Math.floor(seed / 16) % 2 === 0) return setting;
  const [chosen] = fc.sample(fc.subarray(optional), { seed, numRuns: 1 });
  return withoutPasses(setting, chosen!);
}

function withoutPasses(setting: Setting, names: readonly string[]): Setting {
  const without = new Set(names);
  return without.size === 0 ? setting : { ...setting, name: `${setting.name}, without ${names.join(', ')}`, without };
}

type Different = Extract<Verdict, { readonly kind: 'different' }>;

/**
 * Which pass breaks a program that shows a difference: the first behind which it is there, by bisection over how many
 * of the optional passes run.
 */
export async function findBreakingPass(
  text: string,
  { setting, part }: Different,
  compare: typeof compareProgram = compareProgram,
): Promise<string> {
  if (setting.asLowered === true) return 'wrong without any optional pass';
  const left = optional.filter((name) => setting.without?.has(name) !== true);
  const isWrong = async (count: number): Promise<boolean> => {
    const without = new Set(optional.filter((name) => left.indexOf(name) < 0 || left.indexOf(name) >= count));
    const verdict = await compare(text, [{ ...setting, without }]);
    return verdict.kind === 'different' && verdict.part === part;
  };
  if (await isWrong(0)) return 'wrong without any optional pass';
  let [right, wrong] = [0, left.length];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (await isWrong(middle)) wrong = middle;
    else right = middle;
  }
  const pass = left[wrong - 1]!;
  return `wrong behind the pass ${pass}: look at it with sluice build --print-mir=${pass}`;
}
