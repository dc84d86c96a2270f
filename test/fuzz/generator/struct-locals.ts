// Statements about structs that variables hold and nothing else sees but by their fields: set from literals, from each
// other and from calls, in branches, loops and clauses, with fields that are read by the literals that set them, and
// literals that fail on the way. Sometimes one is seen as a whole after all.

import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

const names = ['x', 'y', 'z'];

export class StructLocals {
  readonly scope: Scope;
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.scope = expressions.scope;
    this.#expressions = expressions;
  }

  points(): void {
    const { dice } = this.scope;
    const uses = dice.pick(['copies', 'changes', 'both'] as const);
    const struct = this.#struct(dice.pick(['int', 'int', 'double']), dice.below(2) + 2, uses);
    const held: string[] = [];
    for (let count = dice.below(2) + 2; count > 0; count--) {
      const value = this.#value(struct, held, 0);
      const name = this.scope.newName('p');
      this.scope.line(`${struct.name} ${name} = ${value};`);
      held.push(name);
    }
    this.scope.line('try {');
    this.scope.inside(() => {
      if (dice.chance(50)) this.#steps(struct, held, 4);
      else this.#loop(struct, held);
    });
    this.scope.block('} catch (e)', () => {
      this.scope.line('yield e;');
      if (dice.chance(30)) this.#steps(struct, held, 2);
    });
    for (const name of held)
      this.scope.line(`yield \`${struct.fields.map((field) => `\${${name}.${field}}`).join(' ')}\`;`);
    if (dice.chance(10)) this.scope.line(`yield ${dice.pick(held)};`);
  }

  #struct(type: string, size: number, uses: Struct['uses']): Struct {
    const { scope } = this;
    const fields = names.slice(0, size);
    const name = scope.once(`struct of ${size} ${type}`, () => {
      const made = scope.newName('P');
      scope.head(`type ${made} { ${fields.map((field) => `${type} ${field};`).join(' ')} }`);
      return made;
    });
    const parameters = fields.map((field) => `${type} ${field}`).join(', ');
    const literal = `{ ${fields.map((field) => `${field}: ${field}`).join(', ')} }`;
    const sums = fields.map((field) => `${field}: a.${field} - b.${field}`).join(', ');
    const maker = scope.once(`maker of ${name}`, () => {
      const made = scope.newName('f');
      scope.head(`${name} ${made}(${parameters}) { return ${literal}; }`);
      return made;
    });
    const minus = scope.once(`difference of ${name}`, () => {
      const made = scope.newName('f');
      scope.head(`${name} ${made}(${name} a, ${name} b) { return { ${sums} }; }`);
      return made;
    });
    return { name, type, fields, maker, minus, uses };
  }

  #loop(struct: Struct, held: readonly string[]): void {
    const { dice } = this.scope;
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      this.scope.block(`for (int ${i} = 0; ${i} < ${dice.below(7)}; ${i}++)`, () => {
        this.scope.loops += 1;
        this.#steps(struct, held, 3);
        this.scope.loops -= 1;
      });
    });
  }

  #steps(struct: Struct, held: readonly string[], most: number): void {
    const { dice } = this.scope;
    for (let count = dice.below(most) + 1; count > 0; count--) {
      const step = this.#step(struct, held);
      if (dice.chance(70)) this.scope.line(step);
      else if (dice.chance(60)) this.scope.line(`if (${this.#expressions.exact('boolean', 1)}) ${step}`);
      else this.scope.line(`try { ${step} } catch (e) { yield e; ${this.#step(struct, held)} }`);
    }
  }

  #step(struct: Struct, held: readonly string[]): string {
    const { dice } = this.scope;
    const name = dice.pick(held);
    const place = `${name}.${dice.pick(struct.fields)}`;
    const others = held.filter((other) => other !== name);
    const copy = (): string => `${name} = ${dice.pick(held)};`;
    const changes = [
      () => `${place} = ${this.#field(struct, held)};`,
      () => `${place} ${dice.pick(['+=', '-=', '*='])} ${this.#field(struct, held)};`,
    ];
    return dice.pick([
      () => `${name} = ${this.#value(struct, held, 1)};`,
      () => `${name} = ${this.#value(struct, dice.chance(50) ? held : others, 1)};`,
      ...(struct.uses === 'changes' ? [] : [copy]),
      ...(struct.uses === 'copies' ? [] : changes),
      () => `yield ${place};`,
    ])();
  }

  /** A struct, of those that variables hold or a new one. */
  #value(struct: Struct, held: readonly string[], depth: number): string {
    const { dice } = this.scope;
    const isCopy = struct.uses !== 'changes' && held.length > 0;
    if (isCopy && dice.chance(15)) return dice.pick(held);
    if (held.length > 0 && dice.chance(12)) return `${struct.minus}(${dice.pick(held)}, ${dice.pick(held)})`;
    const fields = struct.fields.map(() => this.#field(struct, held));
    if (dice.chance(15)) return `${struct.maker}(${fields.join(', ')})`;
    if (depth > 0 && isCopy && dice.chance(15))
      return `${this.#expressions.exact('boolean', 1)} ? ${struct.maker}(${fields.join(', ')}) : ${dice.pick(held)}`;
    const set = struct.fields.map((field, at) => `${field}: ${fields[at]!}`);
    return `{ ${(dice.chance(25) ? set.toReversed() : set).join(', ')} }`;
  }

  #field({ type, fields }: Struct, held: readonly string[]): string {
    const { dice } = this.scope;
    const read = (): string => `${dice.pick(held)}.${dice.pick(fields)}`;
    if (held.length === 0 || dice.chance(25)) return this.#expressions.exact(type, 1);
    // Half of these fail.
    if (type === 'int' && dice.chance(25)) return `${read()} / (${read()} & 1)`;
    return dice.chance(40) ? read() : `${read()} ${dice.pick(['+', '-', '*'])} ${read()}`;
  }
}

interface Struct {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly string[];
  /** The names of functions that give a new one: of fields, and of two others. */
  readonly maker: string;
  readonly minus: string;
  /** Whether variables are set to each other, or fields by themselves: what does both stays an object. */
  readonly uses: 'copies' | 'changes' | 'both';
}
