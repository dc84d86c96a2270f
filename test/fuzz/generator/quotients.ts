// Loops whose indices and limits have quotients in them: of variables that the loop leaves alone, that are set right in
// front of it or in a loop around it, or that it sets. Indices may be out of range. And quotients with remainders.

import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

export class Quotients {
  readonly scope: Scope;
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.scope = expressions.scope;
    this.#expressions = expressions;
  }

  loops(): void {
    const { dice } = this.scope;
    const [array, sum] = [this.scope.newName('q'), this.scope.newName('s')];
    const sizes = [this.scope.newName('m'), this.scope.newName('m')];
    this.scope.line(`int[] ${array} = new int[${dice.below(12) + 8}];`);
    this.scope.line(`int ${sum} = 0;`);
    for (const size of sizes) this.scope.line(`int ${size} = ${this.#expressions.exact('int', 1)} & 15;`);
    this.scope.line('try {');
    this.scope.inside(() => {
      const i = this.scope.newName('i');
      this.scope.block(`for (int ${i} = 0; ${i} < ${this.#limit(sizes)}; ${i}++)`, () => {
        if (dice.chance(60)) this.#inner(array, sum, sizes, i);
        this.scope.line(this.#step(array, sum, sizes, i));
        if (dice.chance(30)) this.scope.line(this.#change(sizes));
      });
      if (dice.chance(40)) this.scope.line(this.#change(sizes));
      this.#inner(array, sum, sizes, null);
    });
    this.scope.block('} catch (e)', () => this.scope.line('yield e;'));
    this.scope.line(`yield \`\${${sum}} \${${sizes[0]}} \${${sizes[1]}}\`;`);
    this.scope.line(`yield ${array};`);
  }

  /** Quotients and remainders of the same ints, which may change in between; divisors may be 0. */
  pairs(): void {
    const { scope } = this;
    const { dice } = scope;
    const [sum, array] = [scope.newName('s'), scope.newName('q')];
    const ints = [scope.newName('x'), scope.newName('y'), scope.newName('d'), scope.newName('e')];
    const [x, y, d, e] = ints as [string, string, string, string];
    scope.line(`int[] ${array} = [3, 1, -4, 0];`);
    scope.line(`int ${sum} = 0;`);
    for (const one of [x, y]) scope.line(`int ${one} = ${this.#expressions.exact('int', 1)};`);
    for (const one of [d, e]) scope.line(`int ${one} = ${dice.pick(['3', '-1', '7', `(${x} & 7)`, '10', '0'])};`);
    const [g, h, change] = [scope.newName('g'), scope.newName('g'), scope.newName('f')];
    scope.head(`int ${g} = ${dice.below(9)};`);
    scope.head(`int ${h} = ${dice.pick(['3', '-1', '0', '12'])};`);
    // What calls itself stays a call.
    const more = dice.chance(50) ? `if (by > 6) return ${change}(by - 7); ` : '';
    scope.head(`int ${change}(int by) { ${more}${dice.pick([g, h])} += by; return by; }`);
    const pool = [
      [g, h],
      [x, h],
      [`(${x} + ${g})`, `(${h} + 1)`],
      [x, d],
      [x, e],
      [`(${x} + ${y})`, `(2 * ${d} + 1)`],
      [y, '10'],
      [`(${x} - 1)`, '-1'],
      [`${array}[0]`, d],
      [x, '8'],
    ] as const;
    const used = [dice.pick(pool), dice.pick(pool), dice.pick(pool)];
    const one = (): string => {
      const [dividend, divisor] = dice.pick(used);
      return `${dividend} ${dice.pick(['/', '%'])} ${divisor}`;
    };
    const statement = (depth: number): void => {
      const kinds: readonly (() => void)[] = [
        () => scope.line(`${sum} += ${one()};`),
        () => scope.line(`${sum} = ${sum} * 3 + (${one()}) - (${one()});`),
        () => scope.line(`${array}[${one()} & ${dice.pick(['3', '3', '7'])}] = ${one()};`),
        () => scope.line(`${sum} += ${one()} - ${change}(${dice.pick(['0', '1', `${x} & 15`])}) * (${one()});`),
        () =>
          scope.line(`${dice.pick([...ints, g, h])} ${dice.pick(['=', '+=', '-='])} ${dice.pick(['1', '5', one()])};`),
        () => scope.line(`${sum} += ${one()} > 2 ? ${one()} : ${one()};`),
        () => scope.line(`if (${one()} != 1 && ${one()} > 0) ${sum} += ${one()};`),
        () => {
          scope.block(`if (${one()} > 1)`, () => some(depth - 1));
          if (dice.chance(60)) scope.block('else', () => some(depth - 1));
        },
        () => {
          const k = scope.newName('k');
          scope.block(`for (int ${k} = 0; ${k} < 3${dice.pick(['', ` && ${one()} != 1`])}; ${k}++)`, () => {
            if (dice.chance(20)) scope.line(`if (${one()} == 2) ${dice.pick(['continue', 'break'])};`);
            some(depth - 1);
          });
        },
        () => {
          scope.block('try', () => some(depth - 1));
          scope.block('catch (e)', () => scope.line(`${sum} += ${y} ${dice.pick(['/', '%'])} 10;`));
        },
      ];
      dice.pick(depth > 0 ? kinds : kinds.slice(0, 7))();
    };
    const some = (depth: number): void => {
      for (let left = dice.below(4) + 1; left > 0; left--) statement(depth);
    };
    scope.line('try {');
    scope.inside(() => some(2));
    scope.block('} catch (e)', () => scope.line('yield e;'));
    scope.line(`yield \`\${${sum}} \${${x}} \${${d}} \${${g}} \${${h}}\`;`);
    scope.line(`yield ${array};`);
  }

  #inner(array: string, sum: string, sizes: readonly string[], outer: string | null): void {
    const { dice } = this.scope;
    if (dice.chance(50)) this.scope.line(this.#change(sizes));
    const j = this.scope.newName('j');
    const from = dice.chance(60) ? '0' : this.#quotient(sizes);
    this.scope.block(`for (int ${j} = ${from}; ${j} < ${this.#limit(sizes)}; ${j}++)`, () => {
      this.scope.line(this.#step(array, sum, sizes, dice.chance(50) && outer !== null ? `${outer} + ${j}` : j));
      if (dice.chance(15)) this.scope.line(`if (${j} > 2) ${this.#change(sizes)}`);
    });
  }

  #step(array: string, sum: string, sizes: readonly string[], variable: string): string {
    const { dice } = this.scope;
    const element = (): string => `${array}[${this.#index(sizes, variable)}]`;
    return dice.pick([
      () => `${element()} = ${element()} + ${dice.pick([variable, this.#quotient(sizes)])};`,
      () => `${element()} += ${variable} * ${this.#quotient(sizes)};`,
      () => `${sum} += ${element()} - ${element()} + ${variable};`,
      () => `if (${this.#quotient(sizes)} > 1) ${sum} += ${element()} + 1;`,
    ])();
  }

  #index(sizes: readonly string[], variable: string): string {
    return this.scope.dice.pick([
      () => `${variable} + ${this.#quotient(sizes)}`,
      () => `${this.#quotient(sizes)} + ${this.#quotient(sizes)}`,
      () => this.#quotient(sizes),
      () => variable,
    ])();
  }

  #limit(sizes: readonly string[]): string {
    const { dice } = this.scope;
    return dice.chance(50) ? this.#quotient(sizes) : String(dice.below(6));
  }

  #quotient(sizes: readonly string[]): string {
    const { dice } = this.scope;
    const [one, other] = dice.chance(50) ? sizes : sizes.toReversed();
    const by = dice.below(4) + 1;
    return dice.pick([`${one} / ${by}`, `(${one} + ${other}) / ${by}`, `(${one} >> ${by})`, `-${one} / -${by}`]);
  }

  #change(sizes: readonly string[]): string {
    const { dice } = this.scope;
    const size = dice.pick(sizes);
    return dice.pick([`${size} = ${size} + 3 & 15;`, `${size} = ${size} * 5 + 2 & 15;`, `${size} = 15 - ${size};`]);
  }
}
