// Writes docs/library.md, docs/diagnostics.md and the passes in docs/architecture.md from the tables, docs/api.md from
// docstrings, and what is said of loops in docs/performance.md.
// `node tools/generate-docs.ts` writes them; a test compares them with what this file makes.

import { readFileSync, writeFileSync } from 'node:fs';
import { apiPage } from './api-page.ts';
import { withLoops } from './loops-page.ts';
import { withPasses } from './passes-page.ts';
import { checkSource, compile } from '../src/compile.ts';
import { catalog } from '../src/diagnostics/catalog.ts';
import type { Diagnostic } from '../src/diagnostics/diagnostic.ts';
import { shownExample } from '../src/diagnostics/fault.ts';
import type { Fault } from '../src/diagnostics/fault.ts';
import { renderDiagnostic } from '../src/diagnostics/render.ts';
import { errorTypes } from '../src/language/errors.ts';
import { raisedWhen } from '../src/language/raised-when.ts';
import { librarySection } from '../src/library/page.ts';
import { builtInLibraries } from '../src/library/registry.ts';
import { memoryReader } from '../src/memory-reader.ts';

const fence = '```';

/** What is said of the rows that checking alone does not find. */
const compiled = new Map<string, Diagnostic>();
for (const { code, wrong, needsCompile } of Object.values(catalog) as readonly Fault<never>[]) {
  if (needsCompile === true)
    compiled.set(
      code,
      (await compile('wrong.slu', wrong)).diagnostics.find((found) => found.code === code)!,
    );
}

/** Every function a script can call. */
export function libraryPage(): string {
  const shown = builtInLibraries.filter((library) => !library.preludeOnly);
  const errors = errorTypes.map(({ name, guard }) => `| \`${name}\`${guard ? ' (guard)' : ''} | ${raisedWhen[name]} |`);
  return [
    '# The library',
    '',
    'Made from the rows in `src/library/` and `runtime-host/namespaces/` by `tools/generate-docs.ts`. ' +
      'Namespaces are called with a point, `Math.sqrt(x)`; methods',
    'on a value, `text.length()`. `T` stands for the element type of an array. ' +
      '*Cost* is what a call is charged for where fuel is',
    'limited: a unit for each 64 elements of an array, UTF-16 units of a text or parts of a json, from 4,096 on; ' +
      '`this` is the value',
    'before the point. What has no cost takes a moment, or is measured once.',
    '',
    ...shown.flatMap(librarySection),
    '## Run-time errors',
    '',
    '| Error | Raised when |',
    '|---|---|',
    ...errors,
    '',
    'Guard errors pass through `catch (e)` and end the run; a clause that names one may tidy up first.',
    '',
  ].join('\n');
}

export const families: readonly (readonly [prefix: string, title: string])[] = [
  ['E1', 'Syntax'],
  ['E2', 'Meaning'],
  ['E3', 'Limits'],
  ['W5', 'Warnings'],
];

/** One message of the compiler. */
export interface DiagnosticEntry {
  readonly code: string;
  /** The sentence of the wrong script, fit for a list in Markdown. */
  readonly message: string;
  /** What is said of it, in Markdown, without a heading. */
  readonly text: string;
}

/** By code. */
export function diagnosticEntries(): readonly DiagnosticEntry[] {
  return (Object.values(catalog) as readonly Fault<never>[])
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map((row) => ({ code: row.code, message: messageOf(row), text: explain(row) }));
}

/** Every message of the compiler, by its code. */
export function diagnosticsPage(): string {
  const entries = diagnosticEntries();
  return [
    '# Diagnostics',
    '',
    'Made from `src/diagnostics/catalog/` by `tools/generate-docs.ts`. `sluice explain CODE` shows the same. ' +
      'Every script',
    'here is run by a test: the wrong one raises its code, the right one raises nothing.',
    '',
    'A message says what is wrong and where; a label shows another place that matters, such as a declaration; `help:`',
    'says what to do. Lines and columns count from 1, columns in characters (Unicode code points). ' +
      '`sluice check --fix`',
    'makes the edits that are surely right: those without which a script does not compile, and by which its author can',
    'have meant nothing else. Edits that are one way among others, such as a name that is spelt much like another, are',
    'given to programs (`--format json` with `"sure": false`, `sarif`) and left to the author.',
    '',
    ...families.flatMap(([prefix, title]) => [
      `**${title}**`,
      '',
      ...entries
        .filter(({ code }) => code.startsWith(prefix))
        .map(({ code, message }) => `- [${code}](#${code.toLowerCase()}) ${message}`),
      '',
    ]),
    ...entries.flatMap(({ code, text }) => [`## ${code}`, '', text]),
  ].join('\n');
}

function explain(row: Fault<never>): string {
  return [
    row.explanation,
    '',
    'Wrong:',
    '',
    `${fence}sluice`,
    shownExample(row.wrong),
    fence,
    '',
    'The compiler says:',
    '',
    `${fence}text`,
    renderDiagnostic(diagnosticOf(row)),
    fence,
    '',
    'Right:',
    '',
    `${fence}sluice`,
    row.right,
    fence,
    '',
    ...Object.entries(row.files ?? {}).flatMap(([path, text]) => [
      `with \`${path}\`:`,
      '',
      `${fence}sluice`,
      text,
      fence,
      '',
    ]),
  ].join('\n');
}

/** What the compiler says of the wrong script. */
function diagnosticOf({ code, wrong, files, limits, needsCompile }: Fault<never>): Diagnostic {
  const options = {
    ...(files === undefined ? {} : { reader: memoryReader(files) }),
    ...(limits === undefined ? {} : { limits }),
  };
  return needsCompile === true
    ? compiled.get(code)!
    : checkSource('wrong.slu', wrong, options).diagnostics.find((found) => found.code === code)!;
}

/** The sentence of the wrong script, fit for a list in Markdown. */
function messageOf(row: Fault<never>): string {
  return diagnosticOf(row).message.replace(/[*_<[\]`$]/g, (sign) => `\\${sign}`);
}

if (import.meta.main) {
  writeFileSync(new URL('../docs/library.md', import.meta.url), libraryPage());
  writeFileSync(new URL('../docs/api.md', import.meta.url), apiPage());
  writeFileSync(new URL('../docs/diagnostics.md', import.meta.url), diagnosticsPage());
  const architecture = new URL('../docs/architecture.md', import.meta.url);
  writeFileSync(architecture, withPasses(readFileSync(architecture, 'utf8')));
  const performance = new URL('../docs/performance.md', import.meta.url);
  writeFileSync(performance, withLoops(readFileSync(performance, 'utf8')));
}
