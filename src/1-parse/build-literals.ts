// Literals: numbers, and strings with their escapes.

import type { Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import type { Span } from '../source.ts';
import { SluiceParser } from './generated/SluiceParser.ts';
import type { Builder } from './builder.ts';
import type { Expression } from './syntax-tree.ts';

const largestNegated = 1n << 63n;

/** A value beyond what even `-` could make an int of is null. */
export function buildInt(text: string, span: Span): Expression {
  const digits = text.replaceAll('_', '');
  // A literal of a million digits is not worth reading: everything beyond 64 bits is too large alike.
  const value = digits.length > 70 ? null : BigInt(digits);
  return { kind: 'int-literal', text, value: value === null || value > largestNegated ? null : value, span };
}

export function buildDouble(text: string, span: Span): Expression {
  return { kind: 'double-literal', text, value: Number(text.replaceAll('_', '')), span };
}

/** The value of a string literal token. */
export function decodeString(b: Builder, token: Token): string {
  const span = b.spanOfToken(token);
  return decodeEscapes(b, token.text!.slice(1, -1), span.start + 1, '\'"');
}

/** A text part of a template; line ends are one character each. */
export function decodeTemplateText(b: Builder, token: Token): string {
  if (token.type === SluiceParser.TEMPLATE_DOLLAR) return '$';
  return decodeEscapes(b, token.text!, b.spanOfToken(token).start, '\'"`$').replaceAll('\r\n', '\n');
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '\\': '\\' };

/** One escape: a backslash and what belongs to it. */
const escapeShape = /\\(?:u\{([0-9a-fA-F_]*)\}|u([0-9a-fA-F]{4})|([^]))/gu;

/** Decodes escapes; `quotes` are the characters that stand for themselves behind a backslash. */
function decodeEscapes(b: Builder, text: string, start: number, quotes: string): string {
  if (!text.includes('\\')) return text;
  const place = (at: number, length: number): Span => ({ file: b.source, start: start + at, end: start + at + length });
  const decoded = text.replace(
    escapeShape,
    (whole: string, braced: string | undefined, four: string | undefined, single: string | undefined, at: number) => {
      if (braced !== undefined) {
        const point = /^[0-9a-fA-F]{1,8}$/.test(braced) ? parseInt(braced, 16) : Infinity;
        if (point <= 0x10ffff) return String.fromCodePoint(point);
        report(b.sink, 'badUnicodeEscape', place(at, whole.length), { text: whole.slice(0, 20) });
        return '';
      }
      if (four !== undefined) return String.fromCharCode(parseInt(four, 16));
      if (quotes.includes(single!)) return single!;
      const simple = simpleEscapes[single!];
      if (simple !== undefined) return simple;
      report(b.sink, single === 'u' ? 'badUnicodeEscape' : 'unknownEscape', place(at, whole.length), { text: whole });
      return '';
    },
  );
  if (!decoded.isWellFormed()) reportLoneSurrogate(b, text, place);
  return decoded.toWellFormed();
}

/** Two `\u` escapes that are a pair were combined; one that is left over is no character. */
function reportLoneSurrogate(b: Builder, text: string, place: (at: number, length: number) => Span): void {
  const surrogates = [...text.matchAll(/\\u(?:\{0*([dD][89a-fA-F][0-9a-fA-F]{2})\}|([dD][89a-fA-F][0-9a-fA-F]{2}))/g)];
  for (let index = 0; index < surrogates.length; index++) {
    const current = surrogates[index]!;
    const next = surrogates[index + 1];
    const isHigh = parseInt(current[1] ?? current[2]!, 16) < 0xdc00;
    const isPair =
      isHigh &&
      next !== undefined &&
      next.index === current.index + current[0].length &&
      parseInt(next[1] ?? next[2]!, 16) >= 0xdc00;
    if (isPair) index++;
    else report(b.sink, 'loneSurrogate', place(current.index, current[0].length), { text: current[0] });
  }
}
