// The third room: a checked program becomes one that does the same and runs faster. Nothing here may change what a
// program does, down to which error it ends with and what a clause then sees.

import type { MirFunction, MirProgram, FunctionId } from '../mir/mir.ts';
import { entryName, initialiserName } from '../abi/names.ts';
import { defaultTurns } from '../language/settings.ts';
import type { Poll } from '../stopping.ts';
import { ProgramChanges } from './analysis/mod-ref.ts';
import { EarlyExits } from './transform/partial-inlining.ts';
import { inlineSmall } from './transform/inlining.ts';
import { improveLoops } from './transform/loops.ts';
import { masksToWords, narrowInts } from './transform/int32-narrowing.ts';
import { noteNonNull } from './transform/nullness.ts';
import { visitAll } from '../mir/children.ts';
import { Ranges } from './analysis/ranges.ts';
import { addOsrEntrys } from './transform/osr-entries.ts';

/** The same program, with notes at each function of how it calls others: what a program with limits needs to know. */
export function noteRecursion(program: MirProgram): MirProgram {
  const between = new ProgramChanges(program).betweenRecursion();
  return {
    ...program,
    functions: new Map(
      [...program.functions].map(([id, fn]) => [
        id,
        { ...fn, makesCalls: makesCalls(fn), knowsDepth: between.has(id) },
      ]),
    ),
  };
}

function makesCalls({ body }: MirFunction): boolean {
  let found = false;
  visitAll(body, ({ kind }) => (found ||= kind === 'call'));
  return found;
}

function withEarlyExits(program: MirProgram, counts: boolean): MirProgram {
  const recursive = new ProgramChanges(program).recursive();
  if (recursive.size === 0) return program;
  const exits = new EarlyExits(program.functions, recursive, counts);
  return {
    ...program,
    functions: new Map([...program.functions].map(([id, fn]) => [id, recursive.has(id) ? exits.rewrite(fn) : fn])),
  };
}

export interface OptimiseOptions {
  /** After so many turns of its loops a function stops, to be called anew. */
  readonly turnsInARow?: number | undefined;
  /** Throws where the compiler is to stop. */
  readonly poll?: Poll;
  /** Units of fuel are counted. */
  readonly counts: boolean;
}

/** The same program, each function of it improved. */
export function optimise(
  written: MirProgram,
  { turnsInARow = defaultTurns, counts, poll = () => {} }: OptimiseOptions,
): MirProgram {
  const program = withEarlyExits(inlineSmall(written, counts), counts);
  const changes = new ProgramChanges(program);
  const ranges = masksToWords(
    [...program.functions.values(), program.entry, program.initialiser].filter((fn) => fn !== null),
  )
    ? new Ranges(program)
    : null;
  // What is called often need not stop in order to be called anew.
  const often = changes.calledByRecursion();
  const functions = new Map<FunctionId, MirFunction>();
  const improve = (fn: MirFunction, id: FunctionId): MirFunction => {
    poll();
    const neverStops = often.has(id);
    const {
      fn: improved,
      parts,
      isDivided,
    } = improveLoops(noteNonNull(ranges === null ? fn : narrowInts(fn, ranges)), {
      id,
      changes,
      neverStops,
      turnsInARow,
    });
    for (const part of parts) functions.set(part.id, part);
    return neverStops || isDivided ? improved : addOsrEntrys(improved);
  };
  for (const [id, fn] of program.functions) functions.set(id, improve(fn, id));
  const { initialiser, entry } = program;
  return {
    ...program,
    functions,
    initialiser: initialiser === null ? null : improve(initialiser, `#${initialiserName}`),
    entry: entry === null ? null : improve(entry, `#${entryName}`),
  };
}
