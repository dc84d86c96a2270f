// Json.parse of the reference interpreter: RFC 8259 by regular expressions, with the places and words of a ParseError.

import { deepest, Failure } from './values.ts';
import type { Json } from './values.ts';

export function parseJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw reader.expected('the end of the text');
  return value;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plain = /[^"\\\u0000-\u001f]*/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  space(): void {
    while (' \t\r\n'.includes(this.#text[this.at] ?? 'end')) this.at += 1;
  }

  value(depth: number): Json {
    this.space();
    const first = this.#text[this.at] ?? '';
    if (first === '"') return this.#string();
    if (first === '[') return this.#list(depth);
    if (first === '{') return this.#object(depth);
    if (/[-\d]/.test(first)) return this.#number();
    for (const [word, meaning] of words) {
      if (!this.#text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return meaning;
    }
    throw this.expected('a value');
  }

  #list(depth: number): Json {
    this.#enter(depth);
    const items: Json[] = [];
    if (this.#takes(']')) return { kind: 'list', items };
    do items.push(this.value(depth + 1));
    while (this.#takes(','));
    if (!this.#takes(']')) throw this.expected("',' or ']'");
    return { kind: 'list', items };
  }

  #object(depth: number): Json {
    this.#enter(depth);
    const members = new Map<string, Json>();
    if (this.#takes('}')) return { kind: 'object', members };
    do {
      this.space();
      if (this.#text[this.at] !== '"')
        throw this.expected(members.size === 0 ? "a key in quotes or '}'" : 'a key in quotes');
      const key = this.#string();
      if (!this.#takes(':')) throw this.expected("':' behind the key");
      members.set(key, this.value(depth + 1));
    } while (this.#takes(','));
    if (!this.#takes('}')) throw this.expected("',' or '}'");
    return { kind: 'object', members };
  }

  #enter(depth: number): void {
    if (depth >= deepest) throw this.#wrong(this.at, `nested deeper than ${deepest}`);
    this.at += 1;
  }

  /** Digits alone are an int, as long as 64 bits hold it. */
  #number(): Json {
    number.lastIndex = this.at;
    const found = number.exec(this.#text)?.[0];
    const start = this.at;
    if (found === undefined) {
      this.at += 1;
      throw this.expected('a digit');
    }
    this.at += found.length;
    const next = this.#text[this.at] ?? '';
    if (/^-?0$/.test(found) && /\d/.test(next)) throw this.#wrong(this.at - 1, 'a number has no zeros in front');
    if (next === '.' && !found.includes('.') && !/e/i.test(found)) throw this.#behind('.', 'a digit behind the point');
    if (/e/i.test(next) && !/e/i.test(found)) throw this.#behind('[eE][+-]?', 'a digit of the exponent');
    if (/^-?\d+$/.test(found)) {
      const whole = BigInt(found);
      if (BigInt.asIntN(64, whole) === whole) return whole;
    }
    const value = Number(found);
    if (!Number.isFinite(value)) throw this.#wrong(start, 'this number is too large for a double');
    return value;
  }

  #behind(pattern: string, expected: string): Failure {
    this.at += new RegExp(pattern === '.' ? '\\.' : pattern, 'y').exec(this.#text.slice(this.at))![0].length;
    return this.expected(expected);
  }

  #string(): string {
    const start = this.at;
    this.at += 1;
    this.#checkEnd(start);
    let value = '';
    for (;;) {
      plain.lastIndex = this.at;
      const run = plain.exec(this.#text)![0];
      value += run;
      this.at += run.length;
      if (this.#text[this.at] === '"') break;
      value += this.#escape();
    }
    this.at += 1;
    return value.toWellFormed();
  }

  /** Where a text ends is looked for first: what is wrong with an escape counts only in one that does. */
  #checkEnd(start: number): void {
    let at = this.at;
    for (; this.#text[at] !== '"'; at += this.#text[at] === '\\' && at + 1 < this.#text.length ? 2 : 1) {
      const next = this.#text[at];
      if (next === undefined) throw this.#wrong(start, 'this text has no closing quote');
      if (next < ' ')
        throw this.#wrong(
          at,
          'a control character in a text must be written as an escape, ' +
            `\\u${next.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
    }
  }

  #escape(): string {
    const letter = this.#text[this.at + 1] ?? '';
    const simple = simpleEscapes[letter];
    if (simple !== undefined) {
      this.at += 2;
      return simple;
    }
    if (letter !== 'u')
      throw this.#wrong(this.at, 'unknown escape; the escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX');
    const digits = this.#text.slice(this.at + 2, this.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#wrong(this.at, '\\u takes four hexadecimal digits');
    this.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #takes(sign: string): boolean {
    this.space();
    if (this.#text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  expected(what: string): Failure {
    const code = this.#text.codePointAt(this.at);
    const found =
      code === undefined
        ? 'the end of the text'
        : /[\p{Cc}\p{Cf}\p{Z}]/u.test(String.fromCodePoint(code)) && code !== 32
          ? `'\\u${code.toString(16).padStart(4, '0')}'`
          : `'${String.fromCodePoint(code)}'`;
    return this.#wrong(this.at, `expected ${what}, got ${found}`);
  }

  #wrong(at: number, what: string): Failure {
    const lines = this.#text.slice(0, at).split(/\r\n|\r|\n/);
    return new Failure('ParseError', `line ${lines.length}, column ${[...lines.at(-1)!].length + 1}: ${what}`);
  }
}
