// The plugin for Prettier: the text that `sluice/format` makes of a script, as a document of Prettier. The style is
// that of `sluice fmt`; what Prettier is told of the page counts.

import { format } from '../src/format.ts';

/** A script, which for Prettier is one node. */
export interface Script {
  readonly kind: 'script';
  readonly text: string;
}

/** The part of Prettier's documents that is used here: lines. */
export type Lines = string | Lines[] | { type: 'line'; hard: true; literal?: true } | { type: 'break-parent' };

/** The part of Prettier's options that counts. */
export interface PageOptions {
  readonly printWidth: number;
  readonly tabWidth: number;
  readonly useTabs?: boolean | undefined;
}

/** Which files, and fences of Markdown, are scripts. */
export const languages: {
  name: string;
  parsers: string[];
  extensions: string[];
  aliases: string[];
  interpreters: string[];
  vscodeLanguageIds: string[];
}[] = [
  {
    name: 'Sluice',
    parsers: ['sluice'],
    extensions: ['.slu'],
    aliases: ['slu'],
    interpreters: ['sluice'],
    vscodeLanguageIds: ['sluice'],
  },
];

/** Takes a script as it is: mistakes are the compiler's to tell, and what does not parse stays. */
export const parsers: {
  sluice: {
    astFormat: string;
    parse: (text: string) => Script;
    locStart: (node: Script) => number;
    locEnd: (node: Script) => number;
  };
} = {
  sluice: {
    astFormat: 'sluice',
    parse: (text) => ({ kind: 'script', text }),
    locStart: () => 0,
    locEnd: ({ text }) => text.length,
  },
};

/** Formats a script. Throws an Error for a fault of the formatter, upon which Prettier leaves the file as it is. */
export const printers: {
  sluice: { print: (path: { readonly node: Script }, options: PageOptions) => Lines };
} = {
  sluice: {
    print: ({ node }, { printWidth, tabWidth, useTabs }) => {
      const { text, fault } = format(node.text, {
        maxLineLength: printWidth,
        indentSize: tabWidth,
        indentStyle: useTabs === true ? 'tab' : 'space',
      });
      if (fault !== null) throw new Error(fault);
      return linesOf(text);
    },
  },
};

/** Those of `sluice fmt`. They hold for scripts alone. */
export const defaultOptions: { printWidth: number; tabWidth: number } = { printWidth: 100, tabWidth: 2 };

/**
 * In Markdown all lines stand where the fence does, those of templates too, so that they mean the same. Only behind
 * white space, which Prettier would take away at the end of a line, a line goes on as it is.
 */
function linesOf(text: string): Lines {
  const [first = '', ...rest] = text.split('\n');
  let before = first;
  const lines: Lines[] = [first];
  for (const line of rest) {
    const isLiteral = /[ \t]$/.test(before);
    lines.push([{ type: 'line', hard: true, ...(isLiteral ? { literal: true } : {}) }, { type: 'break-parent' }], line);
    before = line;
  }
  return lines;
}
