// Random programs about chains: operators of every kind one behind another, `else if` after `else if`, and sums of
// texts, shorter and longer than what is cut into temporaries. Their terms call functions that can be seen to be
// called, can be inlined or fail, in conditions of loops and branches, in try and catch, and in default values.

import type { Dice } from '../random-text.ts';

/** Calls are seen, fail, or become part of their callers. */
const head = `type Node { int i; string t; Node next; }
int calls = 0;
int next(int n) { calls++; yield n; return n + calls; }
boolean test(int n) { calls++; yield -n; return (n + calls) % 3 != 0; }
string say(string s) { calls++; yield s; return s; }
boolean isSmall(int n) { return n > 0 && n < 9; }
boolean isOther(int n, boolean p) { return n == 5 || p; }
int choose(int n) { if (n == 1) return 2; else if (n == 3) return 9; else if (isSmall(n)) return n; return n * 2; }
int depth(Node o, int n) { if (o == null || n > 3 && o.i > 0) return n; return depth(o.next, n + 1) + o.i; }
int depthOf(Node o, int n) { if (o.next == null && isSmall(n)) return n; if (n > 5) return 0; return depthOf(o.next, n + 1); }`;

type Kind = 'int' | 'double' | 'boolean' | 'string';
const kinds: readonly Kind[] = ['int', 'double', 'boolean', 'string'];

export function drawChains(dice: Dice): string {
  return new Chains(dice).program();
}

class Chains {
  readonly #dice: Dice;
  readonly #lines: string[] = [head];
  #names = 0;
  #loops = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  program(): string {
    const names = Array.from({ length: this.#dice.below(2) + 1 }, () => this.#function());
    this.#lines.push('main() {');
    this.#lines.push('Node o = { i: 2, t: "o", next: { i: 0, t: null, next: { i: 1, t: "p", next: null } } };');
    for (const name of names)
      for (const values of ['1, 2, true, false, "a", "b", o, [1, 2, 3]', this.#values(), this.#values()])
        this.#lines.push(`try { yield ${name}(${values}); } catch (e) { yield e; }`);
    return `${[...this.#lines, 'yield calls;', '}'].join('\n')}\n`;
  }

  #values(): string {
    const pick = (...from: readonly string[]): string => this.#dice.pick(from);
    return [
      pick('0', '1', '3', '-7', '9_000_000_000'),
      pick('0', '2', '5'),
      pick('true', 'false'),
      pick('true', 'false'),
      pick('"a"', '"😀"', 'null', '""'),
      pick('"b"', 'null'),
      pick('o', 'o', 'o.next.next', 'null'),
      pick('[1, 2, 3]', '[4]', '[5, 6, 7]', 'null'),
    ].join(', ');
  }

  #function(): string {
    const name = this.#newName('f');
    const returns = this.#dice.pick(kinds);
    const extra = this.#dice.chance(40) ? `, ${returns} z = ${this.#chain(returns, 1)}` : '';
    this.#lines.push(
      `${returns} ${name}(int a, int b, boolean p, boolean q, string s, string t, Node o, int[] xs${extra}) {`,
    );
    this.#statements(this.#dice.below(3) + 2, returns, 2);
    this.#lines.push(`return ${this.#chain(returns, 2)};`, '}');
    return name;
  }

  #statements(count: number, returns: Kind, depth: number): void {
    for (let left = count; left > 0; left--) this.#statement(returns, depth);
  }

  #statement(returns: Kind, depth: number): void {
    const dice = this.#dice;
    const kind = dice.below(depth > 0 ? 9 : 4);
    if (kind === 0) this.#lines.push(`yield ${this.#chain(dice.pick(kinds), 2)};`);
    else if (kind === 1) this.#lines.push(`a = ${this.#chain('int', 2)};`, ...(dice.chance(50) ? ['yield a;'] : []));
    else if (kind === 2) this.#lines.push(`${dice.pick(['p', 'q'])} = ${this.#chain('boolean', 2)};`);
    else if (kind === 3) this.#text();
    else if (kind === 4 || kind === 5) this.#branches(returns, depth);
    else if (kind === 6 || kind === 7) this.#loop(returns, depth);
    else {
      this.#lines.push('try {');
      this.#statements(dice.below(2) + 1, returns, depth - 1);
      this.#lines.push('} catch (e) {', 'yield e;');
      this.#statements(1, returns, depth - 1);
      this.#lines.push('}');
    }
  }

  /** In a loop a text must not double each time. */
  #text(): void {
    const name = this.#dice.pick(['s', 't']);
    const sum = this.#chain('string', this.#loops > 0 ? 1 : 2);
    if (this.#dice.chance(60)) this.#lines.push(`${name} = ${name} + ${this.#dice.chance(50) ? sum : `(${sum})`};`);
    else this.#lines.push(`${name} = ${sum};`);
    this.#lines.push(`if (${name} != null && ${name}.length() > 40) ${name} = ${name}.substring(3, 9);`);
  }

  #branches(returns: Kind, depth: number): void {
    const count = this.#dice.chance(15) ? this.#dice.below(60) + 20 : this.#dice.below(5) + 1;
    for (let arm = 0; arm < count; arm++) {
      const condition =
        count > 9 && !this.#dice.chance(10)
          ? `a == ${arm + 100}${this.#dice.chance(10) ? ' && s != null' : ''}`
          : this.#chain('boolean', 1);
      this.#lines.push(`${arm === 0 ? '' : '} else '}if (${condition}) {`);
      if (count < 9 || this.#dice.chance(10)) this.#statements(1, returns, depth - 1);
      else this.#lines.push(`yield ${arm};`);
      if (this.#dice.chance(10)) this.#lines.push(this.#leave(returns));
    }
    if (this.#dice.chance(60)) {
      this.#lines.push('} else {');
      this.#statements(1, returns, depth - 1);
    }
    this.#lines.push('}');
  }

  #leave(returns: Kind): string {
    const ways = [`return ${this.#chain(returns, 1)};`, 'throw s;', `throw ${this.#chain('string', 1)};`];
    return this.#dice.pick(this.#loops > 0 ? [...ways, 'break;', 'break;', 'continue;', 'continue;'] : ways);
  }

  /** Each ends, whatever its condition says. */
  #loop(returns: Kind, depth: number): void {
    const i = this.#newName('i');
    const [iterations, condition] = [this.#dice.below(6) + 1, this.#chain('boolean', 1)];
    const isFirst = this.#dice.chance(50);
    const test = this.#dice.pick([
      `${i} < ${iterations}`,
      `${i} < ${iterations} && ${condition}`,
      `${condition.includes('||') ? `(${condition})` : condition} && ${i} < ${iterations}`,
      `${i} < (${this.#chain('int', 1)} & 7)`,
      `xs != null && ${i} < xs.length() && xs[${i}] < 7`,
      `s != null && ${i} < s.length()`,
    ]);
    this.#lines.push(isFirst ? `for (int ${i} = 0; ${test}; ${i}++) {` : `int ${i} = 0; while (${test}) {`);
    if (!isFirst) this.#lines.push(`${i}++;`);
    this.#loops += 1;
    if (this.#dice.chance(50)) this.#lines.push(`if (xs != null && o != null) a += xs[${i} % 3] + o.i;`);
    this.#statements(this.#dice.below(2) + 1, returns, depth - 1);
    if (this.#dice.chance(25)) this.#lines.push(`if (${this.#chain('boolean', 1)}) ${this.#leave(returns)}`);
    this.#loops -= 1;
    this.#lines.push('}');
  }

  /** Most are short; the terms of others are small. */
  #chain(kind: Kind, depth: number): string {
    const dice = this.#dice;
    const isLong = depth > 0 && this.#loops < 2 && dice.chance(6);
    const length = isLong ? dice.below(90) + 60 : dice.below(4) + 2;
    const inside = isLong ? (dice.chance(50) ? 1 : 0) : depth - 1;
    const isMixed = dice.chance(40);
    const operators = operatorsOf[kind];
    const first = dice.pick(operators);
    let chain = this.#term(kind, inside);
    for (let at = 1; at < length; at++) {
      const operator = isMixed && dice.chance(30) ? dice.pick(operators) : first;
      chain += ` ${operator} ${this.#term(kind, inside)}`;
    }
    return chain;
  }

  #term(kind: Kind, depth: number): string {
    const dice = this.#dice;
    const number = dice.below(12);
    if (depth > 0 && dice.chance(35)) return `(${this.#chain(kind, depth - 1)})`;
    if (depth > 0 && dice.chance(10))
      return `(${this.#chain('boolean', 0)} ? ${this.#term(kind, 0)} : ${this.#term(kind, depth - 1)})`;
    const seldom = dice.chance(8);
    switch (kind) {
      case 'int':
        return seldom
          ? dice.pick(['(a / b)', `xs[${dice.below(4)}]`, 'o.i', 's.length()', 'depthOf(o, a & 7)', `(a % ${number})`])
          : dice.pick(['a', 'b', String(number), `next(${number})`, 'choose(a)', `choose(${number})`, 'depth(o, 0)']);
      case 'double':
        return dice.pick(['0.5', '2.5', String(number), `(a + ${number})`, `next(${number})`, '1e300']);
      case 'boolean':
        return seldom
          ? dice.pick(['(s < t)', '(o.i > 1)', '(o.next.i == 0)', `(xs[${dice.below(3)}] > b)`, '(s + t == "ab")'])
          : dice.pick([
              'p',
              'q',
              '!q',
              `test(${number})`,
              'isSmall(a)',
              '!isSmall(b)',
              'isOther(a, p)',
              `(a < ${number})`,
              '(s == null)',
              '(o != null)',
              '(t == s)',
            ]);
      case 'string':
        return seldom
          ? dice.pick(['s', 't', 'o.t', 'say(null)', 'say(s)', '(p ? null : "n")', 's.trim()'])
          : dice.pick([
              '"x"',
              '"é😀"',
              '""',
              'say("y")',
              `\`\${a}-\${${depth > 0 ? this.#chain('string', 0) : 's'}}\``,
              `\`\${${dice.pick(['t', 'p', 'o', 'xs', 'say("w")', `next(${number})`])}}\``,
              'a.toString()',
              '`${`${b}` + "k"}`',
            ]);
    }
  }

  #newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }
}

const operatorsOf: { readonly [Each in Kind]: readonly string[] } = {
  int: ['+', '-', '*', '&', '|', '^', '+', '-'],
  double: ['+', '-', '*', '/'],
  boolean: ['&&', '||', '&&', '||', '==', '!='],
  string: ['+'],
};
