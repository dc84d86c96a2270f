// Leaves out of bundles what ANTLR's runtime brings for searching trees by XPath, which nothing here does: the lexer of
// those paths is a tenth of the time that it takes to load the parser, and no bundler can tell that nobody misses it.

import type { Plugin } from 'rolldown';

const first = '// src/tree/xpath/XPathLexer.ts\n';
const behind = '// src/tree/xpath/XPathLexerErrorListener.ts\n';

export const withoutXPath: Plugin = {
  name: 'without-xpath',
  transform: {
    filter: { id: /antlr4ng[\\/]dist[\\/]index\.mjs$/ },
    handler(code) {
      const [start, end] = [code.indexOf(first), code.indexOf(behind)];
      if (start < 0 || end < start) throw new Error('the package antlr4ng has changed its form: no XPath lexer found');
      return { code: `${code.slice(0, start)}var XPathLexer = undefined;\n${code.slice(end)}` };
    },
  },
};
