// `npm run test:engines`: every suite in every engine that is here, and a table of what each one passed. With --write
// the table goes into docs/engines.md, and so do the known differences.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCaseTexts } from '../conformance-cases.ts';
import { browserKinds, openPage, whyNotHere } from './browsers.ts';
import type { BrowserKind } from './browsers.ts';
import { fetchGroup } from './http-groups.ts';
import { formatDifferences, problems } from './known-differences.ts';
import { servePages } from './page-server.ts';
import { formatTable, placeTable } from './results.ts';
import type { EngineResult } from './results.ts';
import { runIn, runtimes, whyNotInstalled } from './runtimes.ts';
import { listGroups } from './suites.ts';
import type { GroupResult } from './suites.ts';
import { abortGroup, workerGroup } from './worker-group.ts';

async function runInBrowser(kind: BrowserKind, url: string): Promise<EngineResult> {
  const page = await openPage(kind, url);
  try {
    const results: GroupResult[] = [];
    for (const { suite, name } of [...listGroups(readCaseTexts()), fetchGroup, workerGroup, abortGroup])
      results.push(await page.run(suite, name));
    return { engine: kind.name, version: page.version, lacking: page.lacking, results };
  } finally {
    await page.close();
  }
}

const found: EngineResult[] = [];
const absent: string[] = [];

async function tryEngine(name: string, reason: string | null, run: () => Promise<EngineResult>): Promise<void> {
  if (reason === null) found.push(await run());
  else absent.push(`${name} is not here: ${reason}`);
}

for (const runtime of runtimes) await tryEngine(runtime.name, whyNotInstalled(runtime), () => runIn(runtime));
const server = await servePages();
for (const kind of browserKinds)
  await tryEngine(kind.name, await whyNotHere(kind), () => runInBrowser(kind, server.url));
await server.close();

const table = formatTable(found);
console.log(table);
for (const line of absent) console.log(line);
const wrong = found.flatMap(problems);
for (const line of wrong) console.log(line);

if (process.argv.includes('--write')) {
  if (absent.length > 0) throw new Error('the table is written when every engine is here');
  const page = fileURLToPath(new URL('../../docs/engines.md', import.meta.url));
  const text = placeTable(readFileSync(page, 'utf8'), 'engines', table);
  writeFileSync(page, placeTable(text, 'differences', formatDifferences()));
}
if (wrong.length > 0) process.exitCode = 1;
