// Writes what VitePress reads: the pages of the repository with links of the site, a page for each diagnostic, the list
// of decisions, and for readers that are programs llms.txt, llms-full.txt and the Markdown of each page.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diagnosticEntries, families } from '../../tools/generate-docs.ts';
import { readContents, readDecisions, root } from './contents.ts';
import type { Page, Section } from './contents.ts';
import { withLinks } from './links.ts';
import type { Places } from './links.ts';
import { fullText, shortText } from './for-programs.ts';
import { fragmentsOf } from './playground-links.ts';

export const madeFolder = join(root, 'site/.pages');

/** Pages that no file of the repository is. */
function makeDiagnostics(): readonly Page[] {
  const entries = diagnosticEntries();
  const index = readFileSync(join(root, 'docs/diagnostics.md'), 'utf8');
  const [head = ''] = index.split(/^\*\*/m);
  const list = families.flatMap(([prefix, title]) => [
    `## ${title}`,
    '',
    ...entries
      .filter(({ code }) => code.startsWith(prefix))
      .map(({ code, message }) => `- [${code}](diagnostics/${code}.md) ${message}`),
    '',
  ]);
  const source = 'docs/diagnostics.md';
  return [
    { source, path: 'diagnostics.md', title: 'Diagnostics', text: `${head}${list.join('\n')}` },
    ...entries.map(({ code, message, text }) => ({
      source,
      path: `diagnostics/${code}.md`,
      title: code,
      text: `# ${code}\n\n> ${message}\n\n${text}\n[All diagnostics](../diagnostics.md)\n`,
    })),
  ];
}

function makeDecisionList(decisions: readonly Page[]): Page {
  const lines = decisions.map(({ path, title }) => `- [${title}](${path.replace('decisions/', '')})`);
  return {
    source: 'docs/decisions',
    path: 'decisions/index.md',
    title: 'Decisions',
    text:
      '# Decisions\n\nWhy it is as it is: the situation, what was chosen, what it costs, ' +
      'and what would change it.\n\n' +
      `${lines.join('\n')}\n`,
  };
}

/** Makes the folder anew. `repository` is where files of the repository can be looked at. */
export async function makePages(repository: string | null): Promise<void> {
  const sections = readContents();
  const decisions = readDecisions();
  const written = sections.flatMap(({ pages }) => pages);
  const diagnostics = makeDiagnostics();
  const list = makeDecisionList(decisions);
  const places: Places = {
    pages: new Map([...written, ...decisions, list].map(({ source, path }) => [source, path])),
    repository,
  };
  rmSync(madeFolder, { recursive: true, force: true });
  const made = [...written.filter(({ path }) => path !== 'diagnostics.md'), ...decisions].map((page) => ({
    ...page,
    text: withLinks(page.text, page.source, page.path, places),
  }));
  const home: Page = {
    source: 'site/home.md',
    path: 'index.md',
    title: 'Sluice',
    text: readFileSync(join(root, 'site/home.md'), 'utf8'),
  };
  const all = [home, ...made, ...diagnostics, list];
  for (const { path, text } of all) write(path, text);
  cpSync(join(root, 'site/public'), join(madeFolder, 'public'), { recursive: true });
  for (const { path, text } of all.slice(1)) write(`public/${path}`, text);
  write('public/llms.txt', shortText(sections));
  write('public/llms-full.txt', fullText(sections, made));
  write(
    'site.json',
    JSON.stringify({ sidebar: sidebarOf(sections), fragments: Object.fromEntries(await fragmentsOf(all)) }),
  );
}

/** What the configuration reads, which VitePress bundles: it cannot import the compiler's tables. */
export interface SiteData {
  readonly sidebar: readonly object[];
  /** Of scripts, for the playground. */
  readonly fragments: Readonly<Record<string, string>>;
}

function sidebarOf(sections: readonly Section[]): readonly object[] {
  return [
    ...sections.map(({ title, pages }) => ({
      text: title,
      collapsed: title !== 'Begin',
      items: pages.map((page) => ({
        // What stands behind a colon is for the page itself.
        text: page.title.split(':')[0]!,
        link: `/${page.path.replace(/(?:index)?\.md$/, '')}`,
      })),
    })),
    { text: 'Decisions', link: '/decisions/' },
  ];
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(madeFolder, path)), { recursive: true });
  writeFileSync(join(madeFolder, path), text);
}

if (import.meta.main) await makePages(process.env['SITE_REPOSITORY'] ?? null);
