// What a pass is: a step from Mir to Mir, which may ask the analyses and the settings, and changes neither.

import type { FunctionId } from '../mir/mir.ts';
import type { MirFunction, MirProgram } from '../mir/program.ts';
import { entryName, initialiserName } from '../abi/names.ts';
import { defaultIterationsPerCall } from '../language/settings.ts';
import type { Poll } from '../stopping.ts';
import type { NestThresholds } from './nests/thresholds.ts';
import type { Analyses, AnalysisName } from './analysis/analyses.ts';
import type { Remarks } from './remarks/remarks.ts';

/** What is to be made of a program. */
export interface PassSettings {
  /** After so many iterations of its loops a function stops, to be called anew. */
  readonly iterationsPerCall: number;
  /** Fuel is counted. */
  readonly countsFuel: boolean;
  /** The depth of calls is counted. */
  readonly countsDepth: boolean;
  /** Throws where the compiler is to stop. */
  readonly poll: Poll;
}

export interface PassContext {
  readonly settings: PassSettings;
  readonly analyses: Analyses;
  /** What is said of loops to the person who wrote them; null where nobody wants to know. */
  readonly remarks: Remarks | null;
  /** From when on loop nests are worked on. */
  readonly thresholds: NestThresholds;
  /** What is taken to be in range is asserted (assertions.ts): lengths that are asked for by nobody else are needed. */
  readonly assertsBounds: boolean;
}

export interface Pass {
  /** As `--print-mir` and `--without-pass` call it: the name of its file. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** The module would be wrong without it; others make it faster alone. */
  readonly isRequired: boolean;
  /** Which analyses still hold behind it. */
  readonly keeps: readonly AnalysisName[];
  readonly run: (program: MirProgram, context: PassContext) => MirProgram;
}

/** The settings of the passes that follow from the options for the module. */
export function settingsOf(
  options: {
    readonly iterationsPerCall?: number | undefined;
    readonly guards?: { readonly use?: boolean; readonly depth?: boolean };
  },
  poll: Poll = () => {},
): PassSettings {
  const { iterationsPerCall = defaultIterationsPerCall, guards = {} } = options;
  return { iterationsPerCall, countsFuel: guards.use === true, countsDepth: guards.depth === true, poll };
}

/** A program with each of its functions rewritten. */
export function mapFunctions(
  program: MirProgram,
  { settings }: PassContext,
  rewrite: (fn: MirFunction, id: FunctionId) => MirFunction,
): MirProgram {
  const each = (fn: MirFunction, id: FunctionId): MirFunction => {
    settings.poll();
    return rewrite(fn, id);
  };
  const { functions, initialiser, entry } = program;
  return {
    ...program,
    functions: new Map([...functions].map(([id, fn]) => [id, each(fn, id)])),
    initialiser: initialiser === null ? null : each(initialiser, `#${initialiserName}`),
    entry: entry === null ? null : each(entry, `#${entryName}`),
  };
}
