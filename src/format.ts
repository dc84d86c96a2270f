// The public API of the formatter, `sluice/format`: an entry of its own, so that who compiles does not load what lays
// out lines. What callers may get wrong is told here.

import { format as formatText, formatRange as formatTextRange } from './formatter/format.ts';
import type { FormatOptions, FormatResult, TextRange } from './formatter/format.ts';
import { kindOf, ownOptions } from './given-options.ts';
import type { NamesOf } from './given-options.ts';

export type { FormatOptions, FormatResult, TextEdit, TextRange } from './formatter/format.ts';

/**
 * Formats a script: only white space changes, and what does not parse stays as it is. Never throws for any text;
 * throws TypeError if the text is no string, or an option is none.
 */
export function format(text: string, options: FormatOptions = {}): FormatResult {
  needText('format', text);
  return formatText(text, readOptions(options));
}

/**
 * Formats the statements that a range lies in, or the fields or items, and leaves the others as they are. Throws
 * TypeError as `format` does, and for a range that is none in the text.
 */
export function formatRange(text: string, range: TextRange, options: FormatOptions = {}): FormatResult {
  needText('formatRange', text);
  const { start, end } = (range ?? {}) as Partial<TextRange>;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start! < 0 || end! < start! || end! > text.length)
    throw new TypeError('the range has a start and an end, offsets in the text of which the end is not the smaller');
  return formatTextRange(text, { start: start!, end: end! }, readOptions(options));
}

function needText(called: string, text: unknown): void {
  if (typeof text !== 'string') throw new TypeError(`${called}(text) takes a string, not ${kindOf(text)}`);
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;

const needed: { readonly [Name in keyof FormatOptions]-?: readonly [(value: unknown) => boolean, string] } = {
  indentSize: [isCount, 'a whole number from 1 on'],
  indentStyle: [(value) => value === 'space' || value === 'tab', "'space' or 'tab'"],
  maxLineLength: [(value) => isCount(value) || value === Infinity, 'a whole number from 1 on, or Infinity'],
  endOfLine: [(value) => value === 'lf' || value === 'crlf', "'lf' or 'crlf'"],
};

const names: NamesOf<FormatOptions> = { indentSize: true, indentStyle: true, maxLineLength: true, endOfLine: true };

/** Those that are undefined are left out. */
function readOptions(given: FormatOptions): FormatOptions {
  const options: Readonly<Record<string, unknown>> = { ...ownOptions(given, names) };
  const found = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of found) {
    const [isRight, what] = needed[name as keyof FormatOptions];
    if (!isRight(value)) throw new TypeError(`the option ${name} takes ${what}, not ${shown(value)}`);
  }
  return Object.fromEntries(found);
}

function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}
