// Makes the report of what the suite measured: tables in report/README.md, and a page with charts beside it.
//
//   npm run bench:report
//   npm run bench:report -- --in FILE --out FOLDER    other results, another place

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReport } from './reporting/content.ts';
import { writeMarkdown } from './reporting/markdown.ts';
import { writePage } from './reporting/page.ts';
import { readResults, resultsFile } from './suite/results.ts';

const { values } = parseArgs({
  options: {
    in: { type: 'string', default: resultsFile },
    out: { type: 'string', default: dirname(resultsFile) },
  },
});

if (!existsSync(values.in)) {
  console.error(`there is no ${values.in}: npm run bench measures, and writes it at the end of a whole run`);
  process.exit(2);
}
const report = makeReport(readResults(values.in));
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, 'README.md'), writeMarkdown(report));
writeFileSync(join(values.out, 'index.html'), writePage(report));
console.log(`${join(values.out, 'README.md')}, and index.html beside it`);
