// The passes that Binaryen runs, in order.

import { setOptimiserOptions } from './binaryen.ts';
import type { WasmModule } from './binaryen.ts';

/** Legacy try, which is what Binaryen's own passes know best, becomes try_table at the very end. */
const finalPasses = ['translate-to-exnref'];

export function optimise(module: WasmModule, optimised: boolean): void {
  setOptimiserOptions({ debugInfo: true });
  if (optimised) module.optimize();
  module.runPasses(finalPasses);
}
