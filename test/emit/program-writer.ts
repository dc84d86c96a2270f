// Writes a program line by line, and knows which variables are in sight where it is.

import type { Kind, Variable } from './random-values.ts';

const shown: Readonly<Record<string, string>> = { string: 'showText', 'int[]': 'showInts' };

/** What every program begins with. */
export const preamble = `type P { int x; double d; int[] xs; P next; }
int fuel = 60;
int said = 0;
int trace = 0;
int pick(int a, int b) { return b > 2 ? a : a + b; }
int bump(int x) { trace = trace * 7 + x; return x; }
void say(int x) { if (said++ < 60) yield x; }
string showInts(int[] xs) { return xs == null ? "null" : xs.length() < 30 ? \`\${xs}\` : \`\${xs.length()}:\${xs.sum()}\`; }
string showText(string t) { return t == null ? "null" : t.length() < 40 ? t : \`\${t.length()}:\${t.substring(t.length() - 20, t.length())}\`; }`;

export class ProgramWriter {
  readonly #lines: string[];
  readonly #scopes: Variable[][] = [[]];
  #names = 0;
  #indent = 0;

  constructor(preamble: string) {
    this.#lines = preamble.split('\n');
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  /** Those in sight, the innermost last. */
  get variables(): readonly Variable[] {
    return this.#scopes.flat();
  }

  /** Whether this is in a function. */
  get isInside(): boolean {
    return this.#indent > 0;
  }

  line(text: string): void {
    this.#lines.push('  '.repeat(this.#indent) + text);
  }

  /** `head { … }`, with a scope of its own. */
  block(head: string, body: () => void, tail = '}'): void {
    this.line(`${head} {`);
    this.inside(body);
    this.line(tail);
  }

  inside(body: () => void): void {
    this.#indent += 1;
    this.scoped(body);
    this.#indent -= 1;
  }

  /** What is declared meanwhile is out of sight afterwards. */
  scoped(write: () => void): void {
    this.#scopes.push([]);
    write();
    this.#scopes.pop();
  }

  newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** A new variable of the innermost scope. */
  add(kind: Kind, prefix = 'v', isFixed = false, isSmall = isFixed): string {
    const name = this.newName(prefix);
    this.#scopes.at(-1)!.push({ name, kind, isFixed, isSmall });
    return name;
  }
}

/** The inside of a template that shows the variables. */
export function describe(variables: readonly Variable[]): string {
  return variables
    .map(({ name, kind }) => `${name}=\${${shown[kind] === undefined ? name : `${shown[kind]}(${name})`}}`)
    .join(' ');
}
