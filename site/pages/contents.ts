// What is on the site and where: each page by its file in the repository, its address, and its place in the navigation.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Page {
  /** In the repository. */
  readonly source: string;
  /** On the site, with forward slashes: `cookbook/data.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
  /** Not unfolded before somebody looks. */
  readonly isFolded?: true;
}

/** Pages by their names in `docs/`, or by their files, with the address on the site. */
const plan: readonly (readonly [title: string, pages: readonly string[], isFolded?: true])[] = [
  ['Begin', ['tutorial', 'from-python', 'from-javascript', 'from-c', 'examples/README.md > examples']],
  [
    'Cookbook',
    ['index', 'data', 'numbers', 'programs', 'embedding', 'services', 'plugins', 'tools'].map(
      (name) => `cookbook/${name}`,
    ),
  ],
  ['Write scripts', ['language', 'library', 'diagnostics', 'performance']],
  [
    'Tools',
    [
      'command-line',
      'map',
      'map-flights',
      'testing',
      'profiling',
      'formatting',
      'editors',
      'packages/unplugin-sluice/README.md > bundlers',
      'packages/prettier-plugin-sluice/README.md > prettier',
    ],
  ],
  ['Embed', ['embedding', 'host', 'plugins', 'api', 'engines', 'packages/sluice-host/README.md > sluice-host']],
  ['Trust', ['security', 'stability', 'benchmarks', 'CHANGELOG.md > changelog', 'SECURITY.md > reporting']],
  ['The house', ['architecture', 'CONTRIBUTING.md > contributing', 'benchmarks/report/README.md > report']],
];

function readPage(entry: string): Page | null {
  const [source = '', name = entry] = entry.includes(' > ') ? entry.split(' > ') : [`docs/${entry}.md`];
  try {
    const text = readFileSync(join(root, source), 'utf8');
    return { source, path: `${name}.md`, title: titleOf(text), text };
  } catch {
    return null;
  }
}

/** The first heading, without what stands behind a colon, and without marks. */
export function titleOf(text: string): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '').replace(/^(\d{4}):? /, '$1 ');
}

/** The sections in the order of the sidebar. A page of `docs/` that has no place yet stands among the tools. */
export function readContents(): readonly Section[] {
  const planned = plan.flatMap(([, pages]) => pages);
  const others = globSync('docs/**/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/').slice('docs/'.length, -'.md'.length))
    .filter((name) => !name.startsWith('decisions/') && !planned.includes(name))
    .toSorted();
  return plan.map(([title, pages, isFolded]) => ({
    title,
    pages: [...pages, ...(title === 'Tools' ? others : [])].flatMap((entry) => readPage(entry) ?? []),
    ...(isFolded === undefined ? {} : { isFolded }),
  }));
}

export function readDecisions(): readonly Page[] {
  return globSync('docs/decisions/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((source) => {
      const text = readFileSync(join(root, source), 'utf8');
      return { source, path: source.slice('docs/'.length), title: titleOf(text), text };
    });
}
