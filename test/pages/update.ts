// Formats the scripts of pages, and writes into them what their blocks print:
// node test/pages/update.ts docs/tutorial.md …
// Read what has changed before you believe it.

import { readFileSync, writeFileSync } from 'node:fs';
import { formatScripts } from './formatted.ts';
import { runPages } from './pages.ts';
import { runPage } from './run-page.ts';
import { makeFolder } from './scratch-folder.ts';

for (const path of process.argv.slice(2)) {
  const folder = makeFolder();
  try {
    const text = readFileSync(path, 'utf8');
    const formatted = formatScripts(path, text);
    const { page, problems } = runPages.includes(path)
      ? await runPage(formatted, folder)
      : { page: formatted, problems: [] };
    for (const problem of problems) console.error(`${path}, ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    if (page !== text) writeFileSync(path, page);
  } finally {
    folder.remove();
  }
}
