// A library, built in or of a plugin, as a page shows it: a table in Markdown, made of its rows.

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

/** What a call is charged for; nothing where it is charged for nothing. */
function costOf(row: LibraryFunction): string {
  const names = argumentNames(row);
  const terms = (row.effects.cost ?? []).map(
    ({ times, of }) => `${times === 1 ? '' : `${times} `}${of === 'result' ? of : names[of]!}`,
  );
  return terms.length === 0 ? '' : ` Cost: \`${terms.join(' + ')}\`.`;
}

/** `expression` is `result`. */
function exampleCell(example: Example | null): string {
  if (example === null) return '';
  const code = [example.statements, example.expression].filter((part) => part !== '').join(' ');
  return `\`${code.replaceAll('|', '\\|')}\` is \`${example.result}\``;
}

/** A page in Markdown about a plugin. Throws TypeError for what is none. */
export function describePlugin(plugin: unknown): string {
  const [{ name, documentation, functions }] = readPlugins([plugin]) as [ReturnType<typeof readPlugins>[number]];
  const shown = librariesOf({ name, documentation, functions }).filter((library) => library.functions.length > 0);
  return [`# ${name}`, '', ...shown.flatMap(librarySection)].join('\n');
}
