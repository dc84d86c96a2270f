// Random programs over the whole language, well typed: types, globals, functions, and an entry that tries the functions
// out.

import type { Dice } from '../random-text.ts';
import { LibraryCalls } from './library-calls.ts';
import type { Callable, Draw } from './scope.ts';
import { Scope } from './scope.ts';
import { numberFunction, shortRecursion } from './small-functions.ts';
import { Statements } from './statements.ts';

export interface DrawnProgram {
  readonly text: string;
  /** What was drawn of the library. */
  readonly draws: readonly Draw[];
}

export function drawProgram(dice: Dice): DrawnProgram {
  const scope = new Scope(dice);
  const generator = new Generator(scope);
  const text = dice.chance(45) ? generator.libraryProgram() : generator.program();
  return { text, draws: scope.draws };
}

class Generator {
  readonly #scope: Scope;
  readonly #statements: Statements;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#statements = new Statements(scope);
  }

  /**
   * Calls of the library and little else, in functions of their own: what is known of their arguments is lost to
   * nothing.
   */
  libraryProgram(): string {
    const scope = this.#scope;
    const { dice } = scope;
    const calls = new LibraryCalls(scope);
    if (dice.chance(30)) this.#struct();
    // One that never has to wait is compiled in another way.
    const isOutside = dice.chance(18);
    const names = Array.from({ length: 4 }, () => {
      const name = scope.newName('f');
      scope.block(`void ${name}()`, () => {
        if (isOutside) for (let count = 0; count < 3; count++) calls.outside();
        calls.aliases();
        if (!isOutside) calls.aliases();
        if (dice.chance(70)) calls.values();
      });
      return name;
    });
    scope.block('main()', () => {
      for (const name of names) scope.line(dice.chance(20) ? `for (int n = 0; n < 2; n++) ${name}();` : `${name}();`);
    });
    return scope.text;
  }

  program(): string {
    const scope = this.#scope;
    for (let count = scope.dice.below(3); count > 0; count--) this.#struct();
    const isScript = scope.dice.chance(30);
    // There is something of each struct, so that little is null.
    for (const { name } of scope.structs) this.#global(name);
    for (const type of ['int', 'json', 'string', 'int[]', 'double']) if (scope.dice.chance(60)) this.#global(type);
    for (let count = scope.dice.below(3); count > 0; count--) this.#global(scope.anyType());
    if (scope.dice.chance(60)) {
      this.#statements.orders.spoiler();
      if (scope.dice.chance(50)) this.#statements.orders.ignoring();
    }
    if (scope.dice.chance(50)) this.#statements.orders.changer();
    if (scope.dice.chance(40)) numberFunction(scope);
    if (scope.dice.chance(25)) shortRecursion(scope);
    for (let count = scope.dice.below(3) + 1; count > 0; count--) this.#function();
    if (isScript) this.#entry();
    else
      scope.block(`main(${scope.dice.chance(20) ? 'int times = 2, string name = `n${times}`' : ''})`, () =>
        this.#entry(),
      );
    return scope.text;
  }

  #global(type: string): void {
    const { expressions } = this.#statements;
    const value = this.#scope.struct(type) === null ? expressions.of(type, 2) : expressions.structLiteral(type, 2);
    const name = this.#scope.newName('g');
    this.#scope.line(`${type} ${name} = ${value};`);
    this.#scope.declare({ name, type, isFixed: false });
  }

  /** A struct may hold itself, or those that are declared before it. */
  #struct(): void {
    const { dice } = this.#scope;
    const name = this.#scope.newName('S');
    const types = Array.from({ length: dice.below(4) + 1 }, () => this.#scope.anyType());
    if (dice.chance(40)) types.push(dice.pick([name, `${name}[]`]));
    const fields = types.map((type, at) => ({ name: 'abcdefg'[at]!, type }));
    this.#scope.structs.push({ name, fields });
    this.#scope.line(`type ${name} { ${fields.map((field) => `${field.type} ${field.name};`).join(' ')} }`);
  }

  #function(): void {
    const scope = this.#scope;
    const { dice } = scope;
    const name = scope.newName('f');
    const returns = dice.chance(15) ? 'void' : scope.anyType();
    const isRecursive = dice.chance(20);
    scope.scoped(() => {
      const written: string[] = [];
      const parameters = (isRecursive ? ['left'] : []).map((left) => {
        scope.declare({ name: left, type: 'int', isFixed: true });
        written.push(`int ${left}`);
        return { type: 'int', isOptional: false };
      });
      let isOptional = false;
      for (let count = dice.below(4); count > 0; count--) {
        isOptional ||= dice.chance(25);
        const type = scope.anyType();
        const otherwise = isOptional ? ` = ${this.#statements.expressions.of(type, 2)}` : '';
        const parameter = scope.add(type, 'p');
        written.push(`${type} ${parameter}${otherwise}`);
        parameters.push({ type, isOptional });
      }
      const rest = dice.chance(12) ? dice.pick(['int', 'string', 'double']) : null;
      if (rest !== null) written.push(`${rest} ...${scope.add(`${rest}[]`, 'p')}[]`);
      const fn: Callable = { name, parameters, rest, returns, isRecursive };
      const head = `${dice.chance(5) ? 'export ' : ''}${returns} ${name}(${written.join(', ')})`;
      scope.block(head, () => this.#functionBody(fn));
      scope.functions.push(fn);
    });
  }

  #functionBody(fn: Callable): void {
    const scope = this.#scope;
    const { returns } = fn;
    const plain = returns === 'void' ? 'return;' : this.#statements.returning(returns);
    if (fn.isRecursive) {
      scope.line(`if (left <= 0) ${plain}`);
      scope.self = fn;
    }
    this.#statements.some(scope.dice.below(4) + 1, { depth: 3, returns });
    scope.self = null;
    if (returns !== 'void') scope.line(this.#statements.returning(returns));
  }

  #entry(): void {
    const scope = this.#scope;
    const { dice } = scope;
    for (let count = dice.below(3); count > 0; count--) this.#statements.declaration();
    for (const fn of scope.functions) for (let count = dice.below(2) + 2; count > 0; count--) this.#tryOut(fn);
    for (let count = dice.below(4); count > 0; count--) this.#statements.orders.effects();
    if (dice.chance(50)) this.#statements.orders.failingLoop();
    for (let count = dice.below(3); count > 0; count--) this.#statements.orders.changingLoop();
    scope.line('try {');
    scope.inside(() => this.#statements.some(dice.below(3) + 1, { depth: 3, returns: 'any' }));
    scope.block('} catch (e)', () => scope.line('yield e;'));
    this.#show();
    const last = scope.functions.at(-1)!;
    if (dice.chance(50)) scope.line(`${this.#statements.expressions.callOf(last, 2)};`);
    if (dice.chance(60)) scope.line(this.#statements.returning('any'));
  }

  /** What it gives, or its error. */
  #tryOut(fn: Callable): void {
    const call = this.#statements.expressions.callOf(fn, 2);
    this.#scope.line(`try { ${fn.returns === 'void' ? '' : 'yield '}${call}; } catch (e) { yield e; }`);
  }

  /** Everything in sight, as text. */
  #show(): void {
    const shown = this.#scope.variables.slice(0, 12);
    this.#scope.line(`try { yield \`${shown.map(({ name }) => `\${${name}}`).join(' ')}\`; } catch (e) { yield e; }`);
  }
}
