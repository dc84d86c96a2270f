// The passes that Binaryen runs, in order, with the reason for each. The list is chosen by measurement: compared with
// Binaryen's own list for -O2 it takes half the time, and the code runs as fast; the other passes of that list find
// nothing here.

import type { Poll } from '../stopping.ts';
import { setOptimiserOptions } from './binaryen.ts';
import type { WasmModule } from './binaryen.ts';
import type { FunctionSize, FunctionTraits } from './sizes.ts';

/** The passes that run on each function behind the one that moves values to where they are read. */
const onFunctions = [
  'coalesce-locals', // fewer locals
  'remove-unused-brs', // if to select where both sides are cheap, which some functions do without
  'optimize-instructions', // constants to the right, comparisons with zero
  'vacuum', // code without effect that the others leave
  'reorder-locals', // frequent locals first: their indexes take fewer bytes
];

/**
 * The passes by the size of a function. All of them move temporaries that are read once; for small functions values that
 * both sides of an if set, too, and those that are read again. The code of medium ones is 2 % longer without that, and as
 * fast, in two thirds of the time. Large ones go without (function-builder.ts).
 */
const passesOn: Readonly<Record<FunctionSize, readonly string[]>> = {
  small: ['simplify-locals', ...onFunctions],
  medium: ['simplify-locals-notee-nostructure', ...onFunctions],
  large: [],
};

/** What makes a select of an if. */
const ifToSelect = 'remove-unused-brs';

/** Binaryen's own passes handle the legacy try best, so it is converted to try_table at the very end. */
const finalPasses = ['translate-to-exnref'];

export function runBinaryenPasses(
  module: WasmModule,
  traits: ReadonlyMap<string, FunctionTraits>,
  optimised: boolean,
  poll: Poll,
): void {
  setOptimiserOptions({ debugInfo: true });
  if (optimised) {
    runOnFunctions(module, traits, poll);
  }
  module.runPasses(finalPasses);
}

/** Runs on every function the passes for its size. */
function runOnFunctions(module: WasmModule, traits: ReadonlyMap<string, FunctionTraits>, poll: Poll): void {
  poll();
  if ([...traits.values()].every(({ size, keepsBranches }) => size === 'small' && !keepsBranches)) {
    module.runPasses(passesOn.small);
    return;
  }
  for (const [name, { size, keepsBranches }] of traits) {
    poll();
    const passes = passesOn[size].filter((pass) => !keepsBranches || pass !== ifToSelect);
    if (size !== 'large') module.runPassesOnFunction(name, passes);
  }
}
