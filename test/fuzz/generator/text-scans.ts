// Loops that go through a text by a position of their own, as those who read lines and numbers write them: until a
// character comes, or the text ends with an error, and what is in the variables then is seen.

import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

const characters = ['"a"', '";"', '"é"', '"😀"', '""', '"1"'];

export class TextScans {
  readonly #scope: Scope;
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.#scope = expressions.scope;
    this.#expressions = expressions;
  }

  scan(): void {
    const { dice } = this.#scope;
    const text = this.#text();
    const other = dice.chance(30) ? this.#text() : text;
    const [at, sum] = [this.#int(dice.below(4)), this.#int(dice.below(3))];
    this.#scope.line('try {');
    this.#scope.inside(() => this.#loop(text, other, at, sum));
    this.#scope.block('} catch (e)', () => this.#scope.line('yield e;'));
    this.#scope.line(`yield \`\${${at}} \${${sum}}\`;`);
  }

  /** Short for most, in the BMP for most. */
  #text(): string {
    const { dice } = this.#scope;
    const name = this.#scope.newName('v');
    const parts = Array.from({ length: dice.below(4) }, () => dice.pick(['a', 'ab', 'b;', ',', '12', 'é', '.']));
    const written = JSON.stringify(parts.join('') + (dice.chance(10) ? '😀' : ''));
    const value = dice.pick([written, `${written}.repeat(${dice.below(9)})`, this.#expressions.exact('string', 1)]);
    this.#scope.line(`string ${name} = ${dice.chance(5) ? 'null' : `${value} + ${dice.pick(['";"', '"."', '""'])}`};`);
    this.#scope.declare({ name, type: 'string', isFixed: false });
    return name;
  }

  #int(value: number): string {
    const name = this.#scope.newName('v');
    this.#scope.line(`int ${name} = ${value};`);
    this.#scope.declare({ name, type: 'int', isFixed: true });
    return name;
  }

  /** The position grows in each iteration, so the loop ends, if only with the text. */
  #loop(text: string, other: string, at: string, sum: string): void {
    const { dice } = this.#scope;
    const code = dice.pick([59, 44, 46, 98]);
    const c = this.#scope.newName('v');
    const [character, built] = [this.#string(dice.chance(40) ? '""' : dice.pick(characters)), this.#string('""')];
    const head = dice.pick([
      `while (${text}.codeAt(${at}) != ${code})`,
      `for (int ${c} = ${text}.codeAt(${at}); ${c} != ${code}; ${c} = ${text}.codeAt(${at}))`,
      `while (${at} < ${text}.length())`,
      `for (; ${sum} < 99999; ${sum} += ${text}.codeAt(${at}))`,
      `while (true)`,
      'do',
    ]);
    this.#scope.line(`${head} {`);
    this.#scope.inside(() => {
      this.#scope.loops += 1;
      const moves = dice.pick([`${at}++;`, `${at} += 2;`, `if (${sum} % 2 == 0) ${at}++; else ${at} += 2;`]);
      const draw = (): readonly string[] =>
        dice.chance(50)
          ? this.#steps(text, other, at, sum, code)
          : this.#characters(text, other, at, sum, character, built);
      const steps = Array.from({ length: dice.below(4) }, () => dice.pick(draw()));
      for (const step of dice.chance(50)
        ? [moves, ...steps]
        : [...steps.filter((one) => !one.includes('continue')), moves])
        this.#scope.line(step);
      this.#scope.loops -= 1;
    });
    this.#scope.line(head === 'do' ? `} while (${text}.codeAt(${at}) != ${code});` : '}');
    if (dice.chance(70)) this.#scope.line(`${built} += ${character}; yield ${built};`);
  }

  #string(value: string): string {
    const name = this.#scope.newName('v');
    this.#scope.line(`string ${name} = ${value};`);
    this.#scope.declare({ name, type: 'string', isFixed: true });
    return name;
  }

  /** Characters as texts: in a variable, compared, put together, and seldom used in another way. */
  #characters(
    text: string,
    other: string,
    at: string,
    sum: string,
    character: string,
    built: string,
  ): readonly string[] {
    const { dice } = this.#scope;
    const place = dice.pick([at, `${at} + 1`, `${sum} & 3`]);
    const one = dice.pick([character, character, `${text}.charAt(${place})`]);
    const against = dice.pick([...characters, '"ab"', other, `${other}.charAt(${at})`, character]);
    const compared = `${one} ${dice.pick(['==', '!=', '<', '>='])} ${against}`;
    return [
      `${character} = ${text}.charAt(${place});`,
      `${character} = ${at} < ${text}.length() ? ${text}.charAt(${at}) : ${dice.pick(characters)};`,
      `if (${compared}) ${sum}++;`,
      `if (${compared}) ${built} += ${one};`,
      `${built} += ${one} + ${dice.pick(characters)};`,
      `if (${built}.length() < 40) ${built} = ${one} + ${built};`,
      dice.chance(30) ? `${sum} += ${character}.length();` : `if (${compared}) continue;`,
      dice.chance(20) ? `${character} = ${dice.pick(['"ab"', other, 'null'])};` : `${sum} += ${one} == "a" ? 1 : 2;`,
      dice.chance(30) ? `yield ${one};` : `if (${character} == ${one}) ${sum} += 3;`,
    ];
  }

  #steps(text: string, other: string, at: string, sum: string, code: number): readonly string[] {
    const near = this.#scope.dice.pick([
      at,
      `${at} + 1`,
      `${at} - 1`,
      `${at} + 3`,
      `${at}++`,
      `${at} * 2`,
      `${sum} & 3`,
    ]);
    return [
      `${sum} = ${sum} * 10 + ${text}.codeAt(${near}) - 48;`,
      `${sum} = ${sum} * 31 + ${other}.codeAt(${near}) & 0xffff;`,
      `if (${text}.codeAt(${near}) == ${code}) break;`,
      `if (${text}.codeAt(${near}) == 97) ${sum}++;`,
      `if (${text}.codeAt(${at}) == 97 && ${other}.codeAt(${near}) != ${code}) continue;`,
      `if (${sum} % 7 == 3) yield ${text}.codeAt(${near});`,
      `${sum} += ${at} > 5 ? ${text}.codeAt(${near}) : 1;`,
    ];
  }
}
