// All competitors, in the order of the tables.

import { assemblyScript } from './assemblyscript.ts';
import { inBrowsers } from './browsers.ts';
import type { Competitor } from './competitor.ts';
import { javascript } from './javascript.ts';
import { nativeC } from './native-c.ts';
import { sluice } from './sluice.ts';
import { wasmC } from './wasm-c.ts';
import { wat } from './wat.ts';

export const competitors: readonly Competitor[] = [
  ...sluice,
  ...nativeC,
  ...wasmC,
  assemblyScript,
  wat,
  ...javascript,
  ...inBrowsers,
];
