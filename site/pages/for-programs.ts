// llms.txt: what there is to read, for programs that read it; llms-full.txt: all of it in one file.

import type { Page, Section } from './contents.ts';

const about =
  '> Sluice is a small, statically typed scripting language and its ahead-of-time compiler to WebAssembly. ' +
  'A script streams results with `yield`, ends with `return`, and reaches no file, no host and no variable but ' +
  'those that its JavaScript host grants it.';

/** A list of all pages with a sentence each, and links to their Markdown. */
export function shortText(sections: readonly Section[]): string {
  const lists = sections.flatMap(({ title, pages }) => [
    `## ${title}`,
    '',
    ...pages.map((page) => `- [${page.title}](/${page.path}): ${firstSentence(page.text)}`),
    '',
  ]);
  return ['# Sluice', '', about, '', ...lists].join('\n');
}

/** Pages for who writes or embeds scripts, one behind the other; how the compiler is made is not among them. */
export function fullText(sections: readonly Section[], made: readonly Page[]): string {
  const wanted = new Set(
    sections.filter(({ title }) => title !== 'The house').flatMap(({ pages }) => pages.map(({ path }) => path)),
  );
  return made
    .filter(({ path }) => wanted.has(path))
    .map(({ path, text }) => `<!-- /${path} -->\n\n${text.trim()}\n`)
    .join('\n');
}

function firstSentence(text: string): string {
  const prose = text
    .replace(/^<!--[^]*?-->$/gm, '')
    .replace(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}/)
    .find((paragraph) => /^[A-Z`]/.test(paragraph.trim()));
  const plain = (prose ?? '').replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
