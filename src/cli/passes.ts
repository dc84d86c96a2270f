// The options of `sluice build` for people who work on the compiler: which passes run, what they make of a
// script, and whether the program looks at what they took for granted.

import { nearestName } from '../language/nearest-name.ts';
import type { PassChoice } from '../4-optimise/passes.ts';
import { quote } from '../language/quoted-text.ts';
import type { MirProgram } from '../mir/program.ts';
import type { CommandInput } from './command.ts';
import { UsageError } from './exit.ts';
import { stdout } from './output.ts';

interface Passes {
  readonly choice: Omit<PassChoice, 'optimise'>;
  readonly prints: boolean;
  /** Writes the requested Mir to standard output. */
  readonly print: () => void;
}

/** Throws UsageError for an unknown pass, or for leaving out a required one. */
export async function readPasses({ switches, values }: CommandInput): Promise<Passes> {
  const printed = values.get('print-mir')?.at(-1) ?? null;
  const without = values.get('without-pass') ?? [];
  const prints = printed !== null || switches.has('print-mir');
  const asserts = switches.has('assert-bounds') ? { assertsBounds: true } : {};
  if (!prints && without.length === 0) return { choice: asserts, prints, print: () => {} };
  const { passes } = await import('../4-optimise/passes.ts');
  const { printProgram } = await import('../mir/print.ts');
  const names = passes.map(({ name }) => name);
  if (printed !== null) checkName(printed, ['lower', ...names], '--print-mir');
  for (const name of without) {
    checkName(name, names, '--without-pass');
    if (passes.find((pass) => pass.name === name)?.isRequired === true)
      throw new UsageError(`--without-pass cannot leave out ${name}: no module is right without it`, 'build');
  }
  if (printed !== null && without.includes(printed))
    throw new UsageError(`--print-mir cannot print what ${printed} makes where --without-pass leaves it out`, 'build');
  let seen: MirProgram | null = null;
  const observe = (pass: string, program: MirProgram): void => {
    if (printed === null || pass === printed) seen = program;
  };
  return {
    choice: { ...asserts, without: new Set(without), ...(prints ? { observe } : {}) },
    prints,
    print: () => {
      if (prints && seen !== null) stdout.line(printProgram(seen));
    },
  };
}

function checkName(name: string, names: readonly string[], option: string): void {
  if (names.includes(name)) return;
  const nearest = nearestName(name, names);
  throw new UsageError(
    `${option}: there is no pass ${quote(name)}${nearest === null ? '' : ` (did you mean ${nearest}?)`}; ` +
      `the passes are ${names.join(', ')}`,
    'build',
  );
}
