// The generated pages say what the tables say, and the README's links lead somewhere.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiPage, documentedExports } from '../tools/api-page.ts';
import { withLoops } from '../tools/loops-page.ts';
import { withPasses } from '../tools/passes-page.ts';
import { allPages as pages } from './pages/pages.ts';
import { diagnosticsPage, libraryPage } from '../tools/generate-docs.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('generated pages', () => {
  it('docs/library.md is fresh (node tools/generate-docs.ts)', () =>
    expect(read('docs/library.md')).toBe(libraryPage()));
  it('docs/diagnostics.md is fresh (node tools/generate-docs.ts)', () =>
    expect(read('docs/diagnostics.md')).toBe(diagnosticsPage()));
  it('the passes in docs/architecture.md are fresh (node tools/generate-docs.ts)', () => {
    const page = read('docs/architecture.md');
    expect(page).toContain('\n### One loop on its way\n');
    expect(page).toBe(withPasses(page));
  });
  it('what docs/performance.md shows of loops is fresh (node tools/generate-docs.ts)', () => {
    const page = read('docs/performance.md');
    const scripts = page.match(/^```sluice\n\/\/ \S+\.slu$/gm)!;
    expect(scripts.length).toBe(page.match(/^```/gm)!.length / 4);
    expect(page.match(/^\$ sluice build \S+\.slu --explain-loops\nIn /gm)!.length).toBe(scripts.length);
    expect(page).toBe(withLoops(page));
  });
  it('docs/api.md is fresh (node tools/generate-docs.ts)', () => expect(read('docs/api.md')).toBe(apiPage()));

  it('each name that can be imported has a docstring', () => {
    expect(
      documentedExports()
        .filter(({ doc }) => doc === '')
        .map(({ from, name }) => `${from}: ${name}`),
    ).toEqual([]);
  });
});

/** As GitHub makes them of headings: a text that comes again is counted. */
function anchorsIn(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading]) => {
      const slug = heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** Paths of sources as docs name them, in backquotes. */
const sourcePath = /`((?:src|runtime-host|tools|test|benchmarks)\/[\w./-]+\.(?:ts|slu|mjs|cjs))`/g;

describe('files that docs name', () => {
  it.each([...pages, 'CONTRIBUTING.md'])('are there: %s', (page) => {
    const named = Array.from(read(page).matchAll(sourcePath), ([, path]) => path!);
    expect(named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  });
});

describe('links', () => {
  const linked = [...pages, 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'];
  it.each(linked)('of %s lead to files', (page) => {
    const folder = new URL(`../${page}`, import.meta.url);
    const targets = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
    expect(targets.filter((target) => !existsSync(new URL(target, folder)))).toEqual([]);
  });

  it.each(linked)('of %s to headings lead there', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, path, anchor]) => {
      const { pathname } = new URL(path === '' ? `/${page}` : path!, `file:///${page}`);
      return { path: pathname.slice(1), anchor: anchor! };
    });
    expect(targets.filter(({ path, anchor }) => !anchorsIn(read(path)).has(anchor))).toEqual([]);
  });
});
