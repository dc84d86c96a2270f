// The passes, in the order in which they run. Nothing here may change what a program does, down to which error it ends
// with and what a clause then sees.

import type { GlobalId } from '../mir/mir.ts';
import type { Global, MirFunction, MirProgram } from '../mir/program.ts';
import { Analyses } from './analysis/analyses.ts';
import { withAssertions } from './assertions.ts';
import { usualThresholds } from './nests/thresholds.ts';
import type { NestThresholds } from './nests/thresholds.ts';
import type { LibraryRegistry } from '../library/registry.ts';
import type { Pass, PassSettings } from './pass.ts';
import type { Remarks } from './remarks/remarks.ts';
import { arrayRepresentation } from './transform/array-representation.ts';
import { bitIdioms } from './transform/bit-idioms.ts';
import { boundsCheckElimination } from './transform/bounds-check-elimination.ts';
import { branchSimplification } from './transform/branch-simplification.ts';
import { characterUnboxing } from './transform/character-unboxing.ts';
import { completeUnrolling } from './transform/complete-unrolling.ts';
import { constantPropagation } from './transform/constant-propagation.ts';
import { continueElimination } from './transform/continue-elimination.ts';
import { deadStoreElimination } from './transform/dead-store-elimination.ts';
import { depth } from './transform/depth.ts';
import { divisionPairs } from './transform/division-pairs.ts';
import { elementNarrowing } from './transform/element-narrowing.ts';
import { exitTestReplacement } from './transform/exit-test-replacement.ts';
import { fuel } from './transform/fuel.ts';
import { findConstants, globalConstantPropagation, withConstants } from './transform/global-constant-propagation.ts';
import { convertConditionals, ifConversion } from './transform/if-conversion.ts';
import { indexSetSplitting } from './transform/index-set-splitting.ts';
import { inductiveRangeChecks } from './transform/inductive-range-checks.ts';
import { inlining } from './transform/inlining.ts';
import { int32Narrowing } from './transform/int32-narrowing.ts';
import { invariantArithmetic } from './transform/invariant-arithmetic.ts';
import { invariantDivision } from './transform/invariant-division.ts';
import { loopBoundSplitting } from './transform/loop-bound-splitting.ts';
import { loopCanonicalisation } from './transform/loop-canonicalisation.ts';
import { loopExtraction } from './transform/loop-extraction.ts';
import { loopFuel } from './transform/loop-fuel.ts';
import { loopIdioms } from './transform/loop-idioms.ts';
import { loopInterleaving } from './transform/loop-interleaving.ts';
import { loopInvariantCodeMotion } from './transform/loop-invariant-code-motion.ts';
import { loopPeeling } from './transform/loop-peeling.ts';
import { loopOutlining } from './transform/loop-outlining.ts';
import { nullness } from './transform/nullness.ts';
import { osrEntries } from './transform/osr-entries.ts';
import { partialInlining } from './transform/partial-inlining.ts';
import { peephole } from './transform/peephole.ts';
import { predictiveCommoning } from './transform/predictive-commoning.ts';
import { reassociation } from './transform/reassociation.ts';
import { redundantCheckElimination } from './transform/redundant-check-elimination.ts';
import { scalarPromotion } from './transform/scalar-promotion.ts';
import { speculativeDivision } from './transform/speculative-division.ts';
import { joinTexts, stringBuilder } from './transform/string-builder.ts';
import { silentStoreElimination } from './transform/silent-store-elimination.ts';
import { stackAllocation } from './transform/stack-allocation.ts';
import { structReplacement } from './transform/struct-replacement.ts';
import { structureOfArrays } from './transform/structure-of-arrays.ts';
import { stripMining } from './transform/strip-mining.ts';
import { suspension } from './transform/suspension.ts';
import { unrollAndJam } from './transform/unroll-and-jam.ts';

export const passes: readonly Pass[] = [
  depth,
  globalConstantPropagation,
  branchSimplification,
  bitIdioms,
  inlining,
  partialInlining,
  structureOfArrays,
  structReplacement,
  constantPropagation,
  peephole,
  int32Narrowing,
  nullness,
  characterUnboxing,
  continueElimination,
  invariantDivision,
  completeUnrolling,
  elementNarrowing,
  stackAllocation,
  loopBoundSplitting,
  loopPeeling,
  loopCanonicalisation,
  unrollAndJam,
  loopInterleaving,
  loopInvariantCodeMotion,
  invariantArithmetic,
  boundsCheckElimination,
  inductiveRangeChecks,
  deadStoreElimination,
  divisionPairs,
  speculativeDivision,
  loopOutlining,
  scalarPromotion,
  exitTestReplacement,
  stringBuilder,
  arrayRepresentation,
  ifConversion,
  loopExtraction,
  osrEntries,
  stripMining,
  predictiveCommoning,
  reassociation,
  silentStoreElimination,
  loopFuel,
  loopIdioms,
  redundantCheckElimination,
  fuel,
  indexSetSplitting,
  suspension,
];

/** The functions of the prelude as they are stored when the compiler is built. */
export function optimisePrelude(
  functions: readonly MirFunction[],
  globals: ReadonlyMap<GlobalId, Global>,
  registry: LibraryRegistry,
): readonly MirFunction[] {
  const constants = findConstants(globals, functions);
  return functions.map((fn) => convertConditionals(joinTexts(withConstants(fn, constants)), registry));
}

/** Which passes run. */
export interface PassChoice {
  /** False for the required ones alone. */
  readonly optimise: boolean;
  /** Optional ones that do not run, by name. */
  readonly without?: ReadonlySet<string>;
  /** Told of the program behind each pass, and before the first of them as `lower`. */
  readonly observe?: (pass: string, program: MirProgram) => void;
  /** Takes in what passes say of loops. */
  readonly remarks?: Remarks;
  /** The program traps where an access that is not checked is out of range (assertions.ts). */
  readonly assertsBounds?: boolean;
  /** From when on loop nests are worked on: tests have smaller ones worked on too. */
  readonly thresholds?: NestThresholds;
}

/** The program behind all passes. */
export function runPasses(lowered: MirProgram, settings: PassSettings, choice: PassChoice): MirProgram {
  const { optimise, without, observe = () => {}, remarks = null, assertsBounds = false } = choice;
  const { thresholds = usualThresholds } = choice;
  const asserted = assertsBounds ? withAssertions : (made: MirProgram): MirProgram => made;
  let program = asserted(lowered);
  let analyses = new Analyses(program);
  observe('lower', program);
  remarks?.begin(
    program,
    passes.map(({ name }) => name),
  );
  for (const pass of passes) {
    if (!pass.isRequired && (!optimise || without?.has(pass.name) === true)) continue;
    settings.poll();
    program = asserted(pass.run(program, { settings, analyses, remarks, thresholds, assertsBounds }));
    analyses = analyses.of(program, pass.keeps);
    observe(pass.name, program);
  }
  return program;
}
