// Loops whose indices and limits have quotients in them: of variables that the loop leaves alone, that are set right in
// front of it or in a loop around it, or that it sets. Indices may be out of range.

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
