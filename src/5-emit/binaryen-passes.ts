// The passes that Binaryen runs, in order, and why. Chosen by measuring: against its own list for -O2 this
// one takes half the time and leaves code that runs as fast; what that list has more finds nothing here.

import type { Poll } from '../stopping.ts';
import { setOptimiserOptions } from './binaryen.ts';
import type { WasmModule } from './binaryen.ts';

/** On each function before anything is inlined, so that small functions are seen to be small. */
const beforeInlining = [
  'remove-unused-brs', // jumps to what comes next anyway
  'optimize-instructions', // i32.wrap of i64.extend, constants to the right
  'vacuum', // what is left over
];

/** On each function afterwards. */
const afterInlining = [
  'simplify-locals', // temporaries that are read once, also of what was inlined, values out of if
  'coalesce-locals', // fewer locals
  'merge-blocks', // blocks around a value
  'remove-unused-brs', // if to select where both sides are cheap
  'optimize-instructions',
  'vacuum',
];

/** On the module, at the end. */
const onModule = [
  'simplify-globals', // globals that are never set again are constants
  'remove-unused-module-elements', // what only inlined functions used
];

/** Names of locals by how often they are used: shorter numbers. */
const last = ['reorder-locals', 'vacuum'];

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
    runOnFunctions(module, beforeInlining, sizes, poll);
    module.runPasses(['inlining']);
    runOnFunctions(module, afterInlining, sizes, poll);
    module.runPasses(onModule);
    runOnFunctions(module, last, sizes, poll);
  }
  module.runPasses(finalPasses);
}

/** Runs passes on every function but the large ones; inlining may have taken some away. */
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
    if (!isLarge && module.getFunction(name) !== 0) module.runPassesOnFunction(name, passes);
  }
}
