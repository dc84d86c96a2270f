// What is said of a value that its parameter cannot take: what was expected, the value, and what may help.

import { escapeHidden } from '../../src/language/hidden-characters.ts';
import type { Carrier, InputColumn } from './plan.ts';

/** Characters of a value that are shown, and that are read for it. */
const mostShown = 60;
export const mostRead = 200;

/** What may help, by what the value looks like: the first that fits is said. */
const advice: readonly (readonly [to: readonly Carrier[], value: RegExp, words: string])[] = [
  [['int', 'double', 'boolean'], /^(?:null|nil|none|n\/?a|nan|-|\?)$/i, 'an empty field is null, and no word is'],
  [['int', 'double'], /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, 'a number has no commas: take it as string'],
  [['double', 'int'], /^[-+]?\d+,\d+$/, 'a number has a point, and no comma: take it as string'],
  [['int', 'double'], /^[-+]?\p{Sc}|\p{Sc}$/u, 'a number has no sign of a currency: take it as string'],
  [['int', 'double'], /^[-+]?[\d.]+ ?%$/, 'a number has no percent sign: take it as string'],
  [['int'], /^\d+[-/]\d+[-/]\d+[ T].*(?:[-+]\d\d(?::?\d\d)?|\.\d{7,}Z?)$/, 'a time is UTC, to the microsecond'],
  [['int'], /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$/, 'a date has its year first, 2026-01-31: take it as string'],
  [['int'], /^[-+]?\d{19,}$/, 'it has more than 64 bits: take it as double or string'],
  [['int'], /^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=e))(?:e[-+]?\d+)?$/i, 'take it as double'],
  [['int', 'double'], /^"/, 'in quotes it is a text: take it as string'],
  [['boolean'], /^"(?:true|false)"$/, 'in quotes it is a text: take it as string'],
  [['string'], /^-?\d+$/, 'it has no quotes: take it as int, double or json'],
  [['string'], /^-?\d/, 'it has no quotes: take it as double or json'],
  [['string'], /^(?:true|false)$/, 'it has no quotes: take it as boolean or json'],
  [['string'], /^[[{]/, 'take it as json'],
];

/** The message of a value that does not fit; `text` is the value, or its beginning, of `mostRead` characters. */
export function misfitMessage(
  { column, columnType, carrier, mostly }: Pick<InputColumn, 'column' | 'columnType' | 'carrier' | 'mostly'>,
  text: string,
): string {
  // What is compared with the advice is a field, or the JSON of a value.
  const value = columnType === 'TEXT' ? text.trim() : text;
  const words =
    advice.find(([to, looks]) => to.includes(carrier) && looks.test(value))?.[2] ??
    (mostly === null || !/^[-+]?\d/.test(value)
      ? null
      : `most fields of the column are ${mostly}, and an int has one unit`);
  return `${column}: expected ${carrier}, got ${shown(text, columnType === 'TEXT')}${words === null ? '' : `; ${words}`}`;
}

/** Shortened where it is long, and without what a terminal would take for more than characters. */
export function shown(text: string, isQuoted: boolean): string {
  const characters = [...text];
  const short = characters.slice(0, mostShown).join('');
  const written = isQuoted ? JSON.stringify(short) : short;
  const visible = escapeHidden(written);
  return characters.length > mostShown ? `${visible}…` : visible;
}
