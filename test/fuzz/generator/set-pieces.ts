// Statements for generated programs that belong together, since chance alone seldom puts them together: a variable that
// is null for a while, and arrays, texts and json with more in them than is usual, which are kept in another way than
// small ones.

import type { Expressions } from './expressions.ts';
import { elementOf, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';

export class SetPieces {
  readonly scope: Scope;
  readonly expressions: Expressions;
  /** Writes any statement. */
  readonly #one: () => void;

  constructor(expressions: Expressions, one: () => void) {
    this.scope = expressions.scope;
    this.expressions = expressions;
    this.#one = one;
  }

  /** A variable is null for a while, perhaps, and used before and after. */
  nulls(): void {
    const { dice } = this.scope;
    const found = this.scope.variables.filter(({ type, isFixed }) => !isPrimitive(type) && !isFixed);
    if (found.length === 0) return this.#one();
    const { name, type } = dice.pick(found);
    const use = (): void => this.scope.line(dice.pick(this.#usesOf(name, type)));
    const lose = (condition: string): void =>
      this.scope.line(dice.pick([`if (${condition}) ${name} = null;`, `${name} = ${condition} ? null : ${name};`]));
    this.scope.line('try {');
    this.scope.inside(() => {
      if (dice.chance(50)) use();
      if (dice.chance(50)) lose(this.expressions.exact('boolean', 2));
      else this.#loseInLoop(use, lose);
      if (dice.chance(60)) this.#one();
      use();
      use();
    });
    this.scope.block('} catch (e)', () => {
      this.scope.line('yield e;');
      if (dice.chance(80)) this.scope.line(`if (${name} == null) ${name} = ${this.expressions.of(type, 2)};`);
      use();
    });
  }

  #loseInLoop(use: () => void, lose: (condition: string) => void): void {
    const { dice } = this.scope;
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      this.scope.block(`for (int ${i} = 0; ${i} < ${dice.below(4) + 2}; ${i}++)`, () => {
        this.scope.loops += 1;
        use();
        lose(`${i} ${dice.pick(['==', '>'])} ${dice.below(4)}`);
        if (dice.chance(50)) this.#one();
        if (dice.chance(50)) use();
        this.scope.loops -= 1;
      });
    });
  }

  #usesOf(name: string, type: string): readonly string[] {
    if (type === 'string')
      return [
        `yield ${name}.length();`,
        `yield ${name} + "x";`,
        `yield ${name} < "b";`,
        `yield "ab".contains(${name});`,
        `yield \`\${${name}}\`;`,
        `yield ${name} == "a";`,
      ];
    if (type === 'json')
      return [
        `yield ${name}.i;`,
        `yield ${name}.size();`,
        `${name}.a = 1;`,
        `yield ${name} == {};`,
        `foreach (json x in ${name}) yield x;`,
      ];
    const struct = this.scope.struct(type);
    if (struct === null)
      return [
        `yield ${name}[0];`,
        `yield ${name}.length();`,
        `${name}[1] = ${name}[0];`,
        `foreach (${elementOf(type)} x in ${name}) yield x;`,
        `yield ${name}.copy();`,
        `${name}.push(${name}[0]);`,
      ];
    const field = this.scope.dice.pick(struct.fields);
    return [
      `yield ${name}.${field.name};`,
      `${name}.${field.name} = ${this.expressions.of(field.type, 1)};`,
      `${name}.${field.name} = ${name}.${field.name};`,
      `yield ${name};`,
    ];
  }

  /** `for (int i = 0; i < …; i++) statement` */
  #repeat(most: number, statement: (i: string) => string): void {
    const { dice, loops } = this.scope;
    const iterations = loops > 0 ? dice.below(12) : dice.below(most);
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      this.scope.loops += 1;
      this.scope.line(`for (int ${i} = 0; ${i} < ${iterations}; ${i}++) ${statement(i)}`);
      this.scope.loops -= 1;
    });
  }

  manyElements(): void {
    const { dice } = this.scope;
    const type = dice.pick(['int', 'double', 'string']);
    const name = this.scope.newName('v');
    this.scope.line(`${type}[] ${name} = [];`);
    this.scope.declare({ name, type: `${type}[]`, isFixed: false });
    this.#repeat(
      45,
      (i) =>
        `${name}.push(${dice.chance(50) ? this.expressions.of(type, 2) : type === 'string' ? `\`${dice.pick(['', '😀', 'b'])}\${(${i} * 37) % 23}\`` : `(${i} * 37) % 23`});`,
    );
    if (dice.chance(70)) this.scope.line(`${name}.sort();`);
    this.scope.line(`yield ${name};`);
  }

  longText(): void {
    const { dice } = this.scope;
    const name = this.scope.newName('v');
    this.scope.line(`string ${name} = ${this.expressions.exact('string', 1)};`);
    this.scope.declare({ name, type: 'string', isFixed: false });
    this.#repeat(
      60,
      () =>
        `${name} += ${dice.chance(60) ? dice.pick(['"ab"', '"x😀"', '"é"', '"\\u{10FFFF}"']) : this.expressions.exact('string', 2)};`,
    );
    const sum = this.scope.newName('v');
    this.scope.line(`int ${sum} = 0;`);
    this.scope.declare({ name: sum, type: 'int', isFixed: false });
    this.#repeat(
      90,
      (i) =>
        `if (${i} < ${name}.length()) ${sum} = ${sum} * 31 + ` +
        dice.pick([
          `${name}.codeAt(${i})`,
          `${name}.codeAt(${name}.length() - 1 - ${i})`,
          `${name}.charAt(${i}).length()`,
          `${name}.substring(${i} / 2, ${i}).length()`,
          `${name}.indexOf(${name}.charAt(${i}))`,
        ]) +
        ';',
    );
    this.scope.line(`yield ${sum};`);
  }

  manyKeys(): void {
    const { dice } = this.scope;
    const name = this.scope.newName('v');
    this.scope.line(`json ${name} = ${dice.chance(50) ? '{}' : this.expressions.jsonLiteral(1)};`);
    this.scope.declare({ name, type: 'json', isFixed: false });
    const key = (i: string): string => `\`k\${${i} ${dice.pick(['%', '&'])} ${dice.below(20) + 1}}\``;
    this.#repeat(30, (i) => `${name}[${key(i)}] = ${this.expressions.jsonValue(1)};`);
    if (dice.chance(60)) this.#repeat(20, (i) => `${name}.remove(${key(i)});`);
    if (dice.chance(60)) this.#repeat(20, (i) => `${name}.setInt(${key(i)}, ${i});`);
    this.scope.line(
      `yield ${dice.pick([name, `${name}.keys()`, `${name}.size()`, `${name} == ${name}.copy()`, `Json.stringify(${name})`])};`,
    );
  }

  /** Two texts that a loop appends to, reads, shares and begins anew. */
  growingTexts(): void {
    const { dice, loops } = this.scope;
    const [one, other] = [this.scope.newName('v'), this.scope.newName('v')];
    this.scope.line(`string ${one} = ${this.expressions.exact('string', 1)};`);
    this.scope.line(`string ${other} = "";`);
    for (const name of [one, other]) this.scope.declare({ name, type: 'string', isFixed: false });
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      this.scope.block(`for (int ${i} = 0; ${i} < ${dice.below(loops > 0 ? 6 : 30)}; ${i}++)`, () => {
        this.scope.loops += 1;
        for (let count = dice.below(4) + 1; count > 0; count--)
          this.scope.line(dice.pick(this.#stepsOf(one, other, i)));
        this.scope.line(`if (${one} != null && ${one}.length() > 99) ${one} = ${one}.substring(40, 60);`);
        this.scope.line(`if (${other} != null && ${other}.length() > 99) ${other} = "";`);
        this.scope.loops -= 1;
      });
    });
    this.scope.line(`yield \`\${${one}} \${${other}}\`;`);
  }

  #stepsOf(one: string, other: string, i: string): readonly string[] {
    const piece = this.expressions.exact('string', 2);
    const number = this.expressions.exact(this.scope.dice.pick(['int', 'double', 'boolean']), 1);
    return [
      `${one} += ${piece};`,
      `${one} = ${one} + ${piece};`,
      `${other} += ${one};`,
      `${one} += ${one};`,
      `${other} = ${one};`,
      `${one} = \`\${${one}}\${${number}}-\${${i}}\`;`,
      `${one} += \`\${${number}}\${${other}.length()}\`;`,
      `if (${i} % 3 == 1) ${one} = "";`,
      `if (${i} == 4) yield ${one};`,
      `if (${one} < ${other}) ${other} += "😀";`,
      `try { ${one} += "é" + ${one}.charAt(${i}); } catch (e) { ${one} += e; }`,
      `${one} += ${i} == 2 ? "two" : "\\u{10FFFF}";`,
      `if (${i} == 7) break;`,
      `if (${i} == 3) continue;`,
      `${one} += ${other} + ${i}.toString() + ${one};`,
    ];
  }

  /** Objects in a row with nearly the same keys. */
  records(): void {
    const { dice, loops } = this.scope;
    const name = this.scope.newName('v');
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, dice.below(5) + 1);
    const record = (): string =>
      `{ ${(dice.chance(20) ? names.toReversed() : names)
        .filter(() => dice.chance(95))
        .map((key) => `${key}: ${this.expressions.jsonValue(0)}`)
        .join(', ')} }`;
    this.scope.line(
      `json ${name} = ${dice.chance(50) ? '[]' : `Json.parse(${JSON.stringify(`[${Array.from({ length: dice.below(5) }, (_, at) => `{${names.map((key) => `"${key}": ${at % 3}`).join(', ')}}`).join(', ')}]`)})`};`,
    );
    this.scope.declare({ name, type: 'json', isFixed: false });
    this.#repeat(loops > 0 ? 4 : 14, () => `${name}.push(${record()});`);
    for (let count = dice.below(4); count > 0; count--) {
      const key = JSON.stringify(dice.pick([...names, 'f', 'g']));
      this.#repeat(
        12,
        (i) =>
          `if (${i} < ${name}.size() && ${i} % ${dice.below(3) + 1} == 0) ${name}[${i}]` +
          dice.pick([
            `[${key}] = ${this.expressions.jsonValue(0)}`,
            `.remove(${key})`,
            `.setInt(${key}, ${i})`,
            `[\`k\${${i}}\`] = ${i}`,
          ]) +
          ';',
      );
    }
    this.scope.line(
      `yield ${dice.pick([name, `Json.stringify(${name}, false)`, `Json.parse(Json.stringify(${name})) == ${name}`, `${name}.copy()`])};`,
    );
    this.scope.line(`foreach (json x in ${name}) yield \`\${x.keys()} \${x.getInt("b", -1)} \${x == ${name}[0]}\`;`);
  }
}
