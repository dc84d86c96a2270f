// Runs a checked program as the compiler and the host run it, by one of their settings, and says the same of it as the reference
// interpreter does: what it hands out, how it ends and, where limits are compiled in, what it uses.

import { usedExport, runExport } from '../../src/abi/imports.ts';
import { noteRecursion, optimise } from '../../src/3-optimise/optimise.ts';
import { emit } from '../../src/4-emit/emit.ts';
import type { CheckedProgram } from '../../src/2-check/typed-tree.ts';
import type { EmitOptions } from '../../src/index.ts';
import { loadScript, ScriptError } from '../../runtime-host/index.ts';
import { nativeFunctions } from '../../runtime-host/library/native.ts';
import { fixedTime } from './reference/library.ts';
import type { Outcome } from './reference/interpreter.ts';

/** `optimise` is for the code that is written, which takes most of the time; `asChecked` leaves the tree alone too. */
export type Setting = EmitOptions & { readonly name: string; readonly asChecked?: boolean };

const limits = { use: true, depth: true };

/** Those that are seldom wrong come first, since a difference is told by the first that shows it. */
export const settings: readonly Setting[] = [
  { name: 'without optimisation', optimise: false, asChecked: true },
  { name: 'without optimisation, with limits', optimise: false, asChecked: true, limits },
  { name: 'tree optimised', optimise: false },
  { name: 'tree optimised, called anew at each turn', optimise: false, turnsInARow: 1 },
  { name: 'tree optimised, with limits', optimise: false, limits },
  { name: 'tree optimised, with limits, called anew at every few turns', optimise: false, turnsInARow: 9, limits },
  { name: 'as it is' },
  { name: 'called anew at each turn', turnsInARow: 1 },
  { name: 'with limits', limits },
  { name: 'with limits, called anew at every few turns', turnsInARow: 9, limits },
];

/** As `compile` does it from the checked program on. */
function emitProgram(program: CheckedProgram, { asChecked, ...options }: Setting): Uint8Array<ArrayBuffer> {
  const noted = options.limits === undefined ? program : noteRecursion(program);
  return emit(asChecked === true ? noted : optimise(noted, options.turnsInARow), options).wasm;
}

const builtins = { builtins: ['js-string'], importedStringConstants: "'" };

/** `used` is null where nothing counts it. */
export type FoundOutcome = Omit<Outcome, 'used'> & { readonly used: number | null };

/** Rejects with errors that are no script's. */
export async function runCompiled(program: CheckedProgram, setting: Setting): Promise<FoundOutcome> {
  const module = new WebAssembly.Module(emitProgram(program, setting), builtins as never);
  const used = setting.limits === undefined ? null : countUnits(module);
  const script = await loadScript(module, { clock: fixedTime });
  const yields: string[] = [];
  try {
    const run = script.run({});
    await run.forEach((_value, show) => void yields.push(show()));
    return { yields, result: await run.resultText, failure: null, used };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const places = error.frames.map(({ function: name, line, column }) => ({ function: name, line, column }));
    return { yields, result: undefined, failure: { type: error.name, message: error.message, places }, used };
  }
}

/** After so many units a program is taken to be endless, which the reference would not be. */
const endless = 1_000_000;
const unitsBetweenLooks = 500;

/** Runs main in a host that does nothing, only to count what is used. */
function countUnits(module: WebAssembly.Module): number {
  let told = 0;
  const look = (units: number): number => {
    told += units;
    if (told > endless) throw new Error('the program does not end');
    return unitsBetweenLooks;
  };
  const native = nativeFunctions((message) => {
    throw new Error(message);
  });
  const known: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { Math: Object.fromEntries(Object.getOwnPropertyNames(Math).map((name) => [name, Math[name as 'abs']])), Native: native, Date: { now: () => BigInt(fixedTime) }, sluice: { look } };
  const imports: Record<string, Record<string, unknown>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'memory') (imports[space] ??= {})[name] = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    else (imports[space] ??= {})[name] = known[space]?.[name] ?? (() => 0);
  }
  const { exports } = new WebAssembly.Instance(module, imports as never);
  try {
    (exports[runExport] as () => void)();
  } catch (error) {
    if (!(error instanceof (WebAssembly as unknown as { Exception: new () => object }).Exception)) throw error;
  }
  return told + (exports[usedExport] as () => number)();
}
