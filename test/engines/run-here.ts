// Runs every group in the runtime that runs this file (Node, Deno or Bun), from the sources, and prints what it found
// as one line of JSON.

import { lackingFeatures } from '../../runtime-host/engine/features.ts';
import { loadScript } from '../../runtime-host/api/node.ts';
import { readCaseTexts } from '../conformance-cases.ts';
import { realFilesGroup } from './real-files.ts';
import { realHttpGroup, stopSite } from './real-http.ts';
import { listGroups, runGroup } from './suites.ts';
import type { GroupResult } from './suites.ts';
import { abortGroupOf, workerGroupOf } from './worker-group.ts';

const results: GroupResult[] = [];
for (const group of [
  ...listGroups(readCaseTexts()),
  realFilesGroup,
  realHttpGroup,
  workerGroupOf(loadScript),
  abortGroupOf(loadScript),
])
  results.push(await runGroup(group));
await stopSite();
// Bun ends no thread that computes, and waits for it.
process.stdout.write(`${JSON.stringify({ lacking: lackingFeatures(), results })}\n`, () => process.exit());
