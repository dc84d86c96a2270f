// The pages whose blocks are run, and what of their blocks is not.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/entries.ts';

/** Made from tables, and compared with these in docs.test.ts; or scripts alone, which language-docs.test.ts runs. */
const elsewhere: readonly string[] = [
  'docs/api.md',
  'docs/diagnostics.md',
  'docs/library.md',
  'docs/language.md',
  'docs/performance.md',
  // testing/docs.test.ts runs its tests and commands, whose times differ.
  'docs/testing.md',
];

export const allPages: readonly string[] = [
  'README.md',
  'site/home.md',
  ...globSync('docs/**/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted(),
];

export const runPages: readonly string[] = allPages.filter((path) => !elsewhere.includes(path));

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Languages of pages or parts that are made from tables, which docs.test.ts compares. */
export const made: Readonly<Record<string, readonly string[]>> = {
  // Signatures.
  'docs/api.md': ['ts'],
  // Mir behind each pass.
  'docs/architecture.md': ['text'],
  // What the compiler says of the wrong scripts.
  'docs/diagnostics.md': ['text'],
  // What tests print.
  'docs/testing.md': ['text'],
};

/** Other blocks that are looked at and not run, by page and language. A new one wants a reason here. */
export const shownOnly: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // The list of keywords.
  'docs/language.md': { text: 1 },
  // How the extension is packaged in a clone, which test/vscode does.
  'docs/editors.md': { text: 1 },
  // How the page is built in a clone, which test/playground does.
  'docs/playground.md': { text: 1 },
  // Commands for many files and machines, which test/map runs.
  'README.md': { text: 1 },
  // Commands on many machines, which test/map runs on one; and how Spark and Ray call the filter.
  'docs/map.md': { text: 1, python: 1 },
};
