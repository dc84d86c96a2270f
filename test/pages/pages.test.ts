// What the pages show is what happens: each block of the README and of docs/ is run, written or compared.

import { describe, expect, it } from 'vitest';
import { blocksOf, isOutput, runLanguages } from './blocks.ts';
import { allPages, made, readPage, runPages, shownOnly } from './pages.ts';
import { runPage } from './run-page.ts';
import { makeFolder } from './scratch-folder.ts';

describe.concurrent('what happens is what is shown by', () => {
  const withBlocks = runPages.filter((path) => blocksOf(readPage(path)).length > 0);
  it.each(withBlocks)('%s', { timeout: 120_000 }, async (path) => {
    const folder = makeFolder();
    try {
      const text = readPage(path);
      const { page, problems } = await runPage(text, folder);
      expect(problems).toEqual([]);
      expect(page, `node test/pages/update.ts ${path} writes what happens`).toBe(text);
    } finally {
      folder.remove();
    }
  });
});

describe('the blocks of', () => {
  it.each(allPages)('%s are run, but for those that are counted', (path) => {
    const counts: Record<string, number> = {};
    for (const block of blocksOf(readPage(path))) {
      const isRun = runPages.includes(path) || ['sluice', 'console'].includes(block.language);
      const isCompared = isOutput(block) || made[path]?.includes(block.language);
      if (block.kind === 'fence' && !isCompared && !(isRun && runLanguages.includes(block.language)))
        counts[block.language] = (counts[block.language] ?? 0) + 1;
    }
    expect(counts).toEqual(shownOnly[path] ?? {});
  });
});

describe('the cookbook', () => {
  const themes = allPages.filter((path) => path.startsWith('docs/cookbook/') && !path.endsWith('index.md'));
  const recipes = themes.flatMap((path) =>
    readPage(path)
      .split(/^## /m)
      .slice(1)
      .map((text) => ({ path, title: text.split('\n')[0]!, text })),
  );

  it('has 30 recipes and more, each with something that runs', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(30);
    expect(recipes.filter(({ text }) => !/^```(?:sluice|console|js|ts|sh)/m.test(text))).toEqual([]);
  });

  it('lists them all', () => {
    const list = readPage('docs/cookbook/index.md');
    const linked = [...list.matchAll(/^- \[(.*)\]\((.*\.md)#.*\)$/gm)].map(([, title, path]) => `${path!}: ${title!}`);
    expect(linked.toSorted()).toEqual(
      recipes.map(({ path, title }) => `${path.replace('docs/cookbook/', '')}: ${title}`).toSorted(),
    );
  });
});

describe('a page that says what does not happen', () => {
  const cases: readonly (readonly [what: string, page: string, finds: RegExp])[] = [
    ['a value', '```sluice\nyield 1; // → 2\n```\n', /^line 1: .*2/],
    ['a code', '```sluice error\nyield 1 + "a"; // error E2012\n```\n', /E2025/],
    ['a kind of notes', '```sluice\nyield 1 + "a"; // error E2025\n```\n', /it opens with "" and shows "error"/],
    ['nothing', '```sluice\nyield 1;\n```\n', /nothing says what the script does/],
    ['a file that nobody uses', '```sluice\n// lost.slu\nyield 1;\n```\n', /nothing on the page uses lost\.slu/],
    ['no output', "```js\nconsole.log('x');\n```\n", /prints what the page does not show: x/],
    ['an output of nothing', '```text output\nx\n```\n', /nothing before it prints this/],
    ['a command that fails', '```sh\nsluice run none.slu\n```\n', /ends with 2/],
    ['a session without a command', '```console\nhello\n```\n', /a session begins with a command/],
  ];
  it.each(cases)('%s: is found', async (_what, page, finds) => {
    const folder = makeFolder();
    try {
      expect((await runPage(page, folder)).problems.join('\n')).toMatch(finds);
    } finally {
      folder.remove();
    }
  });

  it('gets what happens in its place', async () => {
    const folder = makeFolder();
    try {
      const session = (output: string): string => '```console\n$ echo one; echo two\n' + `${output}\`\`\`\n`;
      expect((await runPage(session('two\n'), folder)).page).toBe(session('one\ntwo\n'));
      expect((await runPage(session('o…\ntwo\n'), folder)).page).toBe(session('o…\ntwo\n'));
      expect((await runPage(session('…\none\n'), folder)).page).toBe(session('one\ntwo\n'));
    } finally {
      folder.remove();
    }
  });

  it('has no fence that is indented or open', () => {
    expect(() => blocksOf('- x\n\n  ```js\n  1\n  ```\n')).toThrow('indented or not closed');
    expect(() => blocksOf('```js\n1\n')).toThrow('indented or not closed');
  });
});
