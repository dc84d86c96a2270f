// Writes docs/library.md and docs/diagnostics.md from the tables. `node tools/generate-docs.ts` writes them;
// a test compares them with what this file makes.

import { writeFileSync } from 'node:fs';
import { catalog } from '../src/diagnostics/catalog.ts';
import type { Fault } from '../src/diagnostics/fault.ts';
import { errorTypes } from '../src/language/errors.ts';
import type { Example, Library } from '../src/library/declare.ts';
import { builtInLibraries } from '../src/library/registry.ts';

const fence = '```';

/** Every function a script can call. */
export function libraryPage(): string {
  const shown = builtInLibraries.filter((library) => !library.preludeOnly);
  const errors = errorTypes.map(({ name, raisedWhen, guard }) => `| \`${name}\`${guard ? ' (guard)' : ''} | ${raisedWhen} |`);
  return [
    '# The library',
    '',
    'Made from `src/library/` by `tools/generate-docs.ts`. Namespaces are called with a point, `Math.sqrt(x)`; methods',
    'on a value, `text.length()`. `T` stands for the element type of an array.',
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

function librarySection(library: Library): string[] {
  const rows = library.functions.map(({ signature, documentation, example }) => `| \`${signature}\` | ${documentation} | ${exampleCell(example)} |`);
  return [`## ${library.receiver === null ? library.name : `Methods of ${library.name}`}`, '', library.documentation, '', '| Signature | | Example |', '|---|---|---|', ...rows, ''];
}

/** `expression` is `result`. */
function exampleCell(example: Example | null): string {
  if (example === null) return '';
  const code = [example.statements, example.expression].filter((part) => part !== '').join(' ');
  return `\`${code.replaceAll('|', '\\|')}\` is \`${example.result}\``;
}

/** Every message of the compiler, by its code. */
export function diagnosticsPage(): string {
  const rows = (Object.values(catalog) as readonly Fault<never>[]).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return [
    '# Diagnostics',
    '',
    'Made from `src/diagnostics/catalog/` by `tools/generate-docs.ts`. `sluice explain CODE` shows the same.',
    'E1 is syntax, E2 meaning, E3 limits; W5 are warnings.',
    '',
    ...rows.flatMap(({ code, explanation, wrong, right, files }) => [
      `## ${code}`, '', explanation, '', 'Wrong:', '', fence, shorten(wrong), fence, '', 'Right:', '', fence, right, fence, '',
      ...Object.entries(files ?? {}).flatMap(([path, text]) => [`with \`${path}\`:`, '', fence, text, fence, '']),
    ]),
  ].join('\n');
}

/** A script that is wrong by its length is shown by its beginning. */
function shorten(script: string): string {
  return script.length <= 400 ? script : `${script.slice(0, 80)} … (${script.length} characters)`;
}

if (import.meta.main) {
  writeFileSync(new URL('../docs/library.md', import.meta.url), libraryPage());
  writeFileSync(new URL('../docs/diagnostics.md', import.meta.url), diagnosticsPage());
}
