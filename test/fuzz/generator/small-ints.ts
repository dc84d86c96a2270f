// Statements about arrays of ints that are small as far as one can see, or by one too large: what is stored is masked,
// a remainder, a constant at the edge of 8, 16 or 32 bits, a counter of a loop, or an element of another such array.
// Arrays change places, go through functions and globals, lie in rows, are null, and sometimes are seen as a whole.

import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

/** Numbers that have room below an edge, and perhaps one that has none: one for all arrays, so that all others do. */
interface Numbers {
  readonly edge: bigint;
  readonly excess: bigint | null;
}

const edges = [1n << 8n, 1n << 8n, 1n << 16n, 1n << 31n, 1n << 32n];

/** Arrays and rows of them, with their numbers. */
interface Arrays extends Numbers {
  readonly names: readonly string[];
  readonly rows: string | null;
  readonly length: number;
}

export class SmallInts {
  readonly scope: Scope;
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.scope = expressions.scope;
    this.#expressions = expressions;
  }

  arrays(): void {
    const { dice } = this.scope;
    const edge = dice.pick(edges);
    const excess = dice.pick([null, null, edge, edge, dice.pick([-1n, -(edge >> 1n), -(edge >> 1n) - 1n, -edge])]);
    const numbers = { edge, excess };
    const length = dice.chance(30) ? dice.below(60) + 30 : dice.below(6) + 1;
    const names: string[] = [];
    for (let count = dice.below(3) + 1; count > 0; count--) {
      const name = this.scope.newName('b');
      this.scope.line(`int[] ${name} = ${this.#made(numbers, names, length)};`);
      names.push(name);
    }
    const rows = dice.chance(25) ? this.scope.newName('r') : null;
    if (rows !== null) this.scope.line(`int[][] ${rows} = new int[${dice.below(4) + 1}][${length}];`);
    const arrays = { ...numbers, names, rows, length };
    this.scope.line('try {');
    this.scope.inside(() => {
      for (let count = dice.below(4) + 2; count > 0; count--) this.#statement(arrays);
    });
    this.scope.block('} catch (e)', () => this.scope.line('yield e;'));
    for (const name of names) this.#show(name);
    if (rows !== null) this.scope.line(`foreach (int[] row in ${rows}) foreach (int x in row) yield x;`);
  }

  #made(numbers: Numbers, names: readonly string[], length: number): string {
    const { scope } = this;
    const { dice } = scope;
    return dice.pick([
      () => `new int[${length}]`,
      () => `new int[${length}]`,
      () => `[${Array.from({ length: dice.below(5) + 1 }, () => this.#constant(numbers)).join(', ')}]`,
      () => `${this.#maker(numbers.edge)}(${length})`,
      () => (names.length === 0 ? 'null' : dice.pick(names)),
      () => (names.length === 0 ? `new int[${length}]` : `${dice.pick(names)}.slice(0, ${dice.below(3)})`),
      () =>
        scope.once(`small ints of ${numbers.edge} ${numbers.excess}`, () => {
          const name = scope.newName('g');
          scope.head(`int[] ${name} = [${this.#constant(numbers)}, 1, 0];`);
          return name;
        }),
    ])();
  }

  /** A function that gives a new array, whose elements are below the edge. */
  #maker(edge: bigint): string {
    const { scope } = this;
    return scope.once(`maker of small ints below ${edge}`, () => {
      const name = scope.newName('f');
      const value = scope.dice.pick([`i * 7 & ${edge - 1n}`, 'i', `i % ${edge}`]);
      scope.head(
        `int[] ${name}(int n) { int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = ${value}; return a; }`,
      );
      return name;
    });
  }

  #statement(arrays: Arrays): void {
    const { scope } = this;
    const { dice } = scope;
    const [one, other] = [dice.pick(arrays.names), dice.pick(arrays.names)];
    const operator = (): string => (dice.chance(85) ? '=' : dice.pick(['+=', '^=', '>>=', '>>=', '&=']));
    const store = (at: string, counter: string | null): string =>
      [this.#place(arrays, one, at), operator(), `${this.#value(arrays, counter)};`].join(' ');
    dice.pick([
      () => this.#loop(arrays, (i) => scope.line(store(dice.chance(70) ? i : this.#index(arrays), i))),
      () => this.#loop(arrays, (i) => scope.line(store(dice.chance(70) ? i : this.#index(arrays), i))),
      () => this.#loop(arrays, (i) => scope.line(`${one}[${i}] = ${other}[${i}];`)),
      () => this.#loop(arrays, (i) => scope.line(`${one}[${i}] = ${i};`)),
      () => this.#upToEdge(arrays, one),
      () => this.#length(one),
      () => scope.line(store(this.#index(arrays), null)),
      () => scope.line(`${one}.fill(${this.#value(arrays, null)});`),
      () => {
        const value = dice.pick([other, 'null', `new int[${arrays.length}]`]);
        scope.line(`if (${this.#expressions.exact('boolean', 1)}) ${one} = ${value};`);
      },
      () => this.#swap(one, other),
      () => scope.line(`${this.#putter()}(${one}, ${this.#index(arrays)}, ${this.#value(arrays, null)});`),
      () =>
        scope.line(
          dice.pick([
            `yield ${one};`,
            `${one}.push(${this.#constant(arrays)});`,
            `${one}.sort();`,
            `yield ${one}.max();`,
          ]),
        ),
      () => scope.line(`yield ${one} == ${other};`),
      () => this.#row(arrays, one),
    ])();
  }

  #swap(one: string, other: string): void {
    const held = this.scope.newName('h');
    for (const line of [`int[] ${held} = ${one};`, `${one} = ${other};`, `${other} = ${held};`]) this.scope.line(line);
  }

  #row({ rows }: Arrays, array: string): void {
    const { scope } = this;
    const { dice } = scope;
    if (rows === null) return scope.line(`yield ${array}.length();`);
    scope.line(
      dice.pick([`${rows}[0] = ${array};`, `${array} = ${rows}[${dice.below(3)}];`, `${rows}[0] = ${rows}[1];`]),
    );
  }

  /** A function whose parameter is the length of an array, or is set to more than that in front of it or behind. */
  #length(array: string): void {
    const { scope } = this;
    const { dice } = scope;
    const name = scope.newName('f');
    const more = (): string => (dice.chance(30) ? `n = n * ${dice.pick(edges)}; ` : '');
    const make = `int[] xs = new int[n${dice.pick(['', ' + 1', ' - 1', ' + 3'])}]; `;
    const made = dice.chance(80) ? make : `if (n < 4) { ${make}} `;
    const loop = `for (int i = 0; i < n; i++) a[i & 1] = i % n; `;
    const store = dice.pick(['a[0] = n;', 'a[0] += n;', 'a[0] = n % 7;', 'a[0] = -5 % n;']);
    const again = dice.chance(20) ? `while (n > 0 && n < 1 << 40) { n *= 300; a[1] = n; } ` : '';
    scope.head(
      `int ${name}(int n) { int[] a = new int[2]; ${more()}${made}${more()}` +
        `${dice.chance(40) ? loop : ''}${again}${store} return a[0] * 3 + a[1]; }`,
    );
    scope.line(`yield ${name}(${dice.pick(['0', '1', '2', '5', '-1', `${array}.length()`])});`);
  }

  /** A counter that ends at the edge, or next to it. */
  #upToEdge({ length, edge }: Arrays, array: string): void {
    const { scope } = this;
    const { dice } = scope;
    const [i, limit] = [scope.newName('i'), dice.pick([edge, edge, ...edges]) - BigInt(dice.below(2))];
    const isUp = dice.chance(60);
    const [from, to] = isUp ? [limit - 4n, limit] : [dice.pick([2n, -1n]), dice.pick([0n, -1n, -2n])];
    const test = `${i} ${isUp ? dice.pick(['<', '<=']) : dice.pick(['>', '>='])} ${to}`;
    const step = `${i}${isUp ? '++' : '--'}`;
    const store = (): void => scope.line(`${array}[${i} & ${dice.pick([0, (length - 1) & 3])}] = ${i};`);
    const jump = `if (${i} == ${isUp ? limit - 2n : to}) ${i} ${isUp ? '+=' : '-='} 3;`;
    if (dice.chance(60))
      return scope.block(`for (int ${i} = ${from}; ${test}; ${step})`, () => {
        if (dice.chance(40)) scope.line(jump);
        store();
      });
    scope.line(`int ${i} = ${from};`);
    scope.block(`while (${test})`, () => {
      scope.line(`${step};`);
      if (dice.chance(20)) scope.line(`if (${i} == ${to}) ${step};`);
      store();
    });
  }

  /** Loops that count, whose variable is below a constant, a length or what is not known in front of its step. */
  #loop({ names, length }: Arrays, body: (counter: string) => void): void {
    const { scope } = this;
    const { dice } = scope;
    const i = scope.newName('i');
    const limit = dice.pick([
      String(length),
      `${dice.pick(names)}.length()`,
      `${this.#expressions.exact('int', 1)}.min(90)`,
    ]);
    const by = dice.pick(['++', '++', ' += 2', ' += 3']);
    dice.pick([
      () => scope.block(`for (int ${i} = 0; ${i} < ${limit}; ${i}${by})`, () => body(i)),
      () => scope.block(`for (int ${i} = ${length} - 1; ${i} >= 0; ${i}--)`, () => body(i)),
      () => {
        scope.line(`int ${i} = 0;`);
        scope.block(`while (${i} < ${limit})`, () => {
          const isLast = dice.chance(70);
          if (!isLast) scope.line(`${i}${by};`);
          body(i);
          if (isLast) scope.line(`${i}${by};`);
        });
      },
    ])();
  }

  #place({ rows, names }: Arrays, array: string, at: string): string {
    const { dice } = this.scope;
    if (rows !== null && dice.chance(30)) return `${rows}[${dice.below(3)}][${at}]`;
    return `${dice.chance(80) ? array : dice.pick(names)}[${at}]`;
  }

  #index({ length }: Arrays): string {
    const { dice } = this.scope;
    return dice.chance(70)
      ? String(dice.below(length + 1))
      : `${this.#expressions.exact('int', 1)} & ${dice.pick([3, 7, 63])}`;
  }

  #value(arrays: Arrays, counter: string | null): string {
    const { dice } = this.scope;
    const { edge, excess, names } = arrays;
    const isSigned = excess !== null && excess < 0n;
    const some = (): string => (counter !== null && dice.chance(50) ? counter : this.#expressions.exact('int', 1));
    const element = (): string => this.#place(arrays, dice.pick(names), counter ?? this.#index(arrays));
    return dice.pick([
      () => `${some()} & ${edge - 1n}`,
      () => `${some()} & ${edge - 1n}`,
      () => `${isSigned ? some() : `(${some()} & 0xfffff)`} % ${dice.pick([edge, edge >> 1n])}`,
      () => this.#constant(arrays),
      () => counter ?? this.#constant(arrays),
      element,
      element,
      () => `${element()} >>> ${dice.below(3)}`,
      () => `${element()} ^ ${edge - 1n}`,
      () => `(${some()}).max(0).min(${edge - 1n})`,
      () => `${counter ?? '1'} * ${dice.below(4)} + ${dice.below(3)}`,
      () => (isSigned ? `-${element()}` : `${element()} & ${dice.below(300)}`),
    ])();
  }

  #constant({ edge, excess }: Numbers): string {
    const { dice } = this.scope;
    const number = dice.pick([0n, 1n, edge - 1n, edge >> 1n, (edge >> 1n) - 1n]);
    return String(excess !== null && dice.chance(25) ? excess : number);
  }

  #putter(): string {
    const { scope } = this;
    return scope.seldomTwice('putter of small ints', () => {
      const name = scope.newName('f');
      scope.head(`void ${name}(int[] a, int at, int value) { if (a != null) a[at] = value; }`);
      return name;
    });
  }

  /** By its elements alone, mostly, as whoever shows an array sees it as it is. */
  #show(name: string): void {
    const { scope } = this;
    const { dice } = scope;
    if (dice.chance(10)) return scope.line(`yield ${name};`);
    scope.line(`if (${name} != null) foreach (int x in ${name}) yield x;`);
  }
}
