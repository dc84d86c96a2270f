// A library, built in or of a plugin, as a page: a table in Markdown, generated from its rows.

import type { Example, Library, LibraryFunction } from './declare.ts';
import { argumentNames } from './effects.ts';
import { librariesOf } from './plugin-registry.ts';
import { readPlugins } from './plugins.ts';

/** The lines of a section. */
export function librarySection(library: Library): string[] {
  const rows = library.functions.map(
    (row) => `| \`${row.signature}\` | ${row.documentation}${costOf(row)} | ${exampleCell(row.example)} |`,
  );
  return [
    `## ${library.receiver === null ? library.name : `Methods of ${library.name}`}`,
    '',
    library.documentation,
    '',
    '| Signature | | Example |',
    '|---|---|---|',
    ...rows,
    '',
  ];
}

/** The charge of a call; empty if there is none. */
function costOf(row: LibraryFunction): string {
  const names = argumentNames(row);
  const terms = (row.effects.cost ?? []).map(
    ({ times, of }) => `${times === 1 ? '' : `${times} `}${of === 'result' ? of : names[of]!}`,
  );
  return terms.length === 0 ? '' : ` Cost: \`${terms.join(' + ')}\`.`;
}

/** The text `expression` is `result`. */
function exampleCell(example: Example | null): string {
  if (example === null) return '';
  const code = [example.statements, example.expression].filter((part) => part !== '').join(' ');
  return `\`${code.replaceAll('|', '\\|')}\` is \`${example.result}\``;
}

/** A Markdown page about a plugin. Throws TypeError for a value that is none. */
export function describePlugin(plugin: unknown): string {
  const [{ name, documentation, functions }] = readPlugins([plugin]) as [ReturnType<typeof readPlugins>[number]];
  const shown = librariesOf({ name, documentation, functions }).filter((library) => library.functions.length > 0);
  return [`# ${name}`, '', ...shown.flatMap(librarySection)].join('\n');
}
