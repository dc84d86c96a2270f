// Runs a checked program as the compiler and the host run it, by one of their settings, and says the same of it as the
// reference interpreter does: what it hands out, how it ends and, where guards are compiled in, what it uses.

import { lower } from '../../src/3-lower/lower.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { eagerThresholds, usualThresholds } from '../../src/4-optimise/nests/thresholds.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { emit } from '../../src/5-emit/emit.ts';
import type { CheckedProgram } from '../../src/2-check/typed-tree.ts';
import type { MirProgram } from '../../src/mir/program.ts';
import { requireVerified } from '../../src/mir/verify.ts';
import type { EmitOptions } from '../../src/index.ts';
import { loadScript, ScriptError } from '../../runtime-host/api/index.ts';
import type { Outcome } from './reference/interpreter.ts';
import { makeWorld } from './world.ts';

/**
 * `optimise` is for Binaryen's passes, which take most of the time; `asLowered` runs none of the optional ones of Mir
 * either, and `without` leaves some of them out.
 */
export type Setting = EmitOptions & {
  readonly name: string;
  readonly asLowered?: boolean;
  /** What passes take to be in range is looked at where it happens: a trap there is the compiler's fault. */
  readonly assertsBounds?: boolean;
  /** Small nests are worked on too, in linear memory and in vectors wherever that can be. */
  readonly isEager?: boolean;
  readonly without?: ReadonlySet<string>;
  /** Passes of a test's own, in front of all others and behind them; nobody verifies what they make. */
  readonly first?: (program: MirProgram) => MirProgram;
  readonly last?: (program: MirProgram) => MirProgram;
};

const guards = { use: true, depth: true, memory: true };

/** Those that are seldom wrong come first, since a difference is told by the first that shows it. */
export const settings: readonly Setting[] = [
  { name: 'without optimisation', optimise: false, asLowered: true },
  { name: 'without optimisation, with guards', optimise: false, asLowered: true, guards },
  { name: 'Mir optimised', optimise: false },
  { name: 'Mir optimised, with assertions', optimise: false, assertsBounds: true },
  { name: 'Mir optimised, called anew at each iteration', optimise: false, iterationsPerCall: 1 },
  { name: 'Mir optimised, with guards', optimise: false, guards },
  {
    name: 'Mir optimised, with guards, called anew every few iterations',
    optimise: false,
    iterationsPerCall: 9,
    guards,
  },
  {
    name: 'Mir optimised, with assertions and guards, called anew every few iterations',
    optimise: false,
    iterationsPerCall: 9,
    assertsBounds: true,
    guards,
  },
  { name: 'Mir optimised, small nests too', optimise: false, isEager: true },
  { name: 'Mir optimised, small nests too, with assertions', optimise: false, isEager: true, assertsBounds: true },
  { name: 'Mir optimised, small nests too, with guards', optimise: false, isEager: true, guards },
  {
    name: 'Mir optimised, small nests too, with assertions and guards, called anew every few iterations',
    optimise: false,
    isEager: true,
    iterationsPerCall: 9,
    assertsBounds: true,
    guards,
  },
  { name: 'as it is' },
  { name: 'small nests too', isEager: true },
  { name: 'called anew at each iteration', iterationsPerCall: 1 },
  { name: 'with guards', guards },
  { name: 'with guards, called anew every few iterations', iterationsPerCall: 9, guards },
];

const asItIs = (program: MirProgram): MirProgram => program;

/** As `compile` does it from the checked program on; Mir that is badly formed is an error. */
function emitProgram(
  program: CheckedProgram,
  {
    asLowered,
    assertsBounds = false,
    isEager,
    without = new Set(),
    first = asItIs,
    last = asItIs,
    ...options
  }: Setting,
): Uint8Array<ArrayBuffer> {
  const lowered = lower(program);
  requireVerified(lowered, 'behind lower');
  const thresholds = isEager === true ? eagerThresholds : usualThresholds;
  const choice = { optimise: asLowered !== true, without, assertsBounds, thresholds };
  const optimised = runPasses(first(lowered), settingsOf(options), choice);
  if (first === asItIs) requireVerified(optimised, 'behind the passes', { countsFuel: options.guards?.use === true });
  return emit(last(optimised), options).wasm;
}

/** `used` is null where nothing counts it. */
export type FoundOutcome = Outcome;

/** After so many units a program is taken to be endless, which the reference would not be. */
const hostLimits = { fuel: 1_000_000 };

/** Rejects with errors that are no script's. */
export async function runCompiled(program: CheckedProgram, setting: Setting): Promise<FoundOutcome> {
  const script = await loadScript(emitProgram(program, setting), {
    ...makeWorld(setting.guards !== undefined),
    ...(setting.guards === undefined ? {} : { limits: hostLimits }),
  });
  const yields: string[] = [];
  const run = script.run({});
  try {
    await run.forEach((_value, show) => void yields.push(show()));
    return { yields, result: await run.resultText, failure: null, used: run.fuelUsed };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const places = error.frames.map(({ function: name, line, column }) => ({ function: name, line, column }));
    return {
      yields,
      result: undefined,
      failure: { type: error.name, message: error.message, places },
      used: run.fuelUsed,
    };
  }
}
