// The site: navigation from the list of contents, search in the page, scripts coloured by the grammar of the editors,
// and a link to the playground at each script that runs by itself.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugify } from '../pages/links.ts';
import type { SiteData } from '../pages/make-pages.ts';

const root = join(import.meta.dirname, '../..');
const made = join(root, 'site/.pages');
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const { sidebar, fragments } = read(join(made, 'site.json')) as SiteData;
const grammar = read(join(root, 'editors/vscode/syntaxes/sluice.tmLanguage.json')) as object;
const base = process.env['SITE_BASE'] ?? '/';

/** The part of markdown-it that is used here. */
interface Token {
  readonly info: string;
  readonly content: string;
}
type Fence = (tokens: readonly Token[], at: number, ...rest: readonly unknown[]) => string;
interface Markdown {
  readonly renderer: { readonly rules: { fence?: Fence } };
}

const config = {
  title: 'Sluice',
  description:
    'A small, statically typed scripting language, compiled ahead of time to WebAssembly. ' +
    'Scripts reach only what their host grants.',
  lang: 'en',
  srcDir: made,
  outDir: join(root, 'site/dist'),
  cacheDir: join(root, 'site/.vitepress/cache'),
  base,
  head: [
    ['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#0b6e77' }],
  ],
  markdown: {
    languages: [{ ...grammar, name: 'sluice' }],
    theme: { light: 'github-light', dark: 'github-dark' },
    anchor: { slugify },
    toc: { slugify },
    config(markdown: Markdown): void {
      const { rules } = markdown.renderer;
      const fence = rules.fence!;
      rules.fence = (tokens, at, ...rest) => {
        const { info, content } = tokens[at]!;
        const block = fence(tokens, at, ...rest);
        const fragment = info.startsWith('sluice') ? fragments[content] : undefined;
        if (fragment === undefined) return block;
        const link = `<a class="run" href="${base}playground/#${fragment}" target="_self">Open in the playground</a>`;
        return `<div class="runs">${block}${link}</div>`;
      };
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Cookbook', link: '/cookbook/' },
      { text: 'Language', link: '/language' },
      { text: 'Library', link: '/library' },
      { text: 'Embed', link: '/embedding' },
      { text: 'Playground', link: '/playground/', target: '_self', noIcon: true },
    ],
    sidebar,
    outline: { level: [2, 3] as [number, number] },
    search: { provider: 'local' as const, options: { detailedView: true } },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  // The playground is built by itself, into the same folder.
  ignoreDeadLinks: [/^\/playground\//],
};

export { config as default };
