// What `.editorconfig` says of a script: the files beside it and in the folders above, up to one with `root = true`.

import { parseSync } from 'editorconfig-without-wasm';
import type { FormatOptions } from '../formatter/options.ts';

/** Wider is a mistake, or meant for something else. */
const widest = 16;

/** Options for the file of a path, which need not exist. What is no value for an option counts as left out. */
export function formatOptionsOf(path: string): FormatOptions {
  const properties: Readonly<Record<string, unknown>> = parseSync(path, { unset: true });
  const style = properties['indent_style'];
  const size = style === 'tab' ? properties['tab_width'] : properties['indent_size'];
  const longest = properties['max_line_length'];
  const end = properties['end_of_line'];
  return {
    ...(isCount(size) && size <= widest ? { indentSize: size } : {}),
    ...(style === 'tab' || style === 'space' ? { indentStyle: style } : {}),
    ...(isCount(longest) ? { maxLineLength: longest } : {}),
    ...(longest === 'off' ? { maxLineLength: Infinity } : {}),
    ...(end === 'lf' || end === 'crlf' ? { endOfLine: end } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
