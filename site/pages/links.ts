// Links of a page of the repository, as they are on the site: to another page where that is one, to the repository
// where the site knows its address, and else words alone.

import { posix } from 'node:path';

export interface Places {
  /** Addresses on the site, as `cookbook/data.md`, by files of the repository. */
  readonly pages: ReadonlyMap<string, string>;
  /** Where files of the repository can be looked at, with a slash behind; null where nobody has said. */
  readonly repository: string | null;
}

/** Parts of the site that are no pages of Markdown: a link to them is left to the browser. */
const parts: ReadonlyMap<string, string> = new Map([['site/playground', '/playground/']]);

const fenced = /^(```.*\n[^]*?^```$)/gm;
const link = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** The page with all its links led anew; `from` is its file in the repository, `to` its address. */
export function withLinks(text: string, from: string, to: string, places: Places): string {
  return text
    .split(fenced)
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece.replaceAll(link, (whole: string, image: string, words: string, target: string) =>
            /^(?:[a-z]+:|#|\/)/.test(target) ? whole : lead(image, words, target, from, to, places),
          ),
    )
    .join('');
}

function lead(image: string, words: string, target: string, from: string, to: string, places: Places): string {
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(from), path).replace(/\/$/, '');
  const address = places.pages.get(file) ?? places.pages.get(`${file}/README.md`);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (address !== undefined) return `[${words}](${relative(to, address)}${hash})`;
  const part = parts.get(file);
  if (part !== undefined) return `<a href="${part}" target="_self">${words}</a>`;
  if (places.repository !== null) return `[${words}](${places.repository}${file}${hash})`;
  return image === '!' ? '' : words;
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** As on GitHub, where the same headings are read too. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
