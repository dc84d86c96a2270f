// The passes that Binaryen runs, in order, with the reason for each. The list is chosen by measurement: compared with
// Binaryen's own list for -O2 it takes half the time, and the code runs as fast; the other passes of that list find
// nothing here.

import type { Poll } from '../stopping.ts';
import { setOptimiserOptions } from './binaryen.ts';
import type { WasmModule } from './binaryen.ts';

/** The passes that run on each function. */
const onFunctions = [
  'simplify-locals', // temporaries that are read once, and values that both sides of an if set
  'coalesce-locals', // fewer locals
  'remove-unused-brs', // if to select where both sides are cheap
  'optimize-instructions', // constants to the right, comparisons with zero
  'vacuum', // code without effect that the others leave
  'reorder-locals', // frequent locals first: their indexes take fewer bytes
];

/** Binaryen's own passes handle the legacy try best, so it is converted to try_table at the very end. */
const finalPasses = ['translate-to-exnref'];

/**
 * `sizes` says of each function whether it is large; large functions skip the passes on single functions
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

/** Runs passes on every function except the large ones. */
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
