// Documentation that the language server hands out. Comments of scripts are part of it, and a script may come from
// anybody, by a link: only what lays out text is left.

import DOMPurify from 'dompurify';

const tags = 'p br pre code span em strong del h1 h2 h3 h4 h5 h6 hr ul ol li blockquote table thead tbody tr th td';

/** HTML that neither does nor loads anything. Classes are those of colours. */
export function withTextOnly(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: tags.split(' '), ALLOWED_ATTR: ['class'], ALLOW_DATA_ATTR: false });
}
