// The passes that Binaryen runs, in order, and why. Chosen by measuring: against its own list for -O2 this
// one takes half the time and leaves code that runs as fast; what that list has more finds nothing here.

import type { Poll } from '../stopping.ts';
import { setOptimiserOptions } from './binaryen.ts';
import type { WasmModule } from './binaryen.ts';

/** On each function. */
const onFunctions = [
  'simplify-locals-nostructure', // temporaries that are read once; not values out of if, which take long to find
  'coalesce-locals', // fewer locals
  'remove-unused-brs', // if to select where both sides are cheap
  'optimize-instructions', // constants to the right, comparisons with zero
  'vacuum', // what is left over
  'reorder-locals', // names of locals by how often they are used: shorter numbers
];

/** Legacy try, which is what Binaryen's own passes know best, becomes try_table at the very end. */
const finalPasses = ['translate-to-exnref'];

/**
 * `sizes` says of each function whether it is large, and goes without the passes on single functions
 * (function-builder.ts).
 */
export function runBinaryenPasses(
  module: WasmModule,
  sizes: ReadonlyMap<string, boolean>,
  optimised: boolean,
  poll: Poll,
): void {
  setOptimiserOptions({ debugInfo: true });
  if (optimised) {
    runOnFunctions(module, onFunctions, sizes, poll);
  }
  module.runPasses(finalPasses);
}

/** Runs passes on every function but the large ones. */
function runOnFunctions(
  module: WasmModule,
  passes: readonly string[],
  sizes: ReadonlyMap<string, boolean>,
  poll: Poll,
): void {
  poll();
  if (![...sizes.values()].includes(true)) {
    module.runPasses(passes);
    return;
  }
  for (const [name, isLarge] of sizes) {
    poll();
    if (!isLarge) module.runPassesOnFunction(name, passes);
  }
}
