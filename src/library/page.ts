// A library, built in or of a plugin, as a page shows it: a table in Markdown, made of its rows.

import type { Example, Library } from './declare.ts';
import { librariesOf } from './plugin-registry.ts';
import { readPlugins } from './plugins.ts';

/** The lines of a section. */
export function librarySection(library: Library): string[] {
  const rows = library.functions.map(({ signature, documentation, example }) => `| \`${signature}\` | ${documentation} | ${exampleCell(example)} |`);
  return [`## ${library.receiver === null ? library.name : `Methods of ${library.name}`}`, '', library.documentation, '', '| Signature | | Example |', '|---|---|---|', ...rows, ''];
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
