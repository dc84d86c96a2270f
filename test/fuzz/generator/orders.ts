// Statements for generated programs in which it shows what happens first: values that change what they are assigned to,
// or fail after something else should have, and loops that fail on their way to a clause that reads what they set.

import type { Expressions } from './expressions.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Scope, Variable } from './scope.ts';

export class Orders {
  readonly scope: Scope;
  readonly expressions: Expressions;
  /** The name of the function that ignores what it is given; null where there is none. */
  #ignoring: string | null = null;
  #changer: { readonly name: string; readonly actions: number; readonly changed: readonly Variable[] } | null = null;

  constructor(expressions: Expressions) {
    this.scope = expressions.scope;
    this.expressions = expressions;
  }

  /** A function that changes globals, hands something out or fails, by the number it is given, which it gives back. */
  spoiler(): void {
    const { scope } = this;
    const name = scope.newName('f');
    const actions = scope.variables.filter(({ isFixed }) => !isFixed).flatMap((one) => this.#changesOf(one));
    scope.block(`int ${name}(int n)`, () => {
      scope.line('if (n == 0) yield "spoiled";');
      scope.line('if (n == 1) throw "spoilt";');
      actions.forEach((action, at) => scope.line(`if (n == ${at + 2}) ${action}`));
      scope.line('return n;');
    });
    scope.spoiler = { name, actions: actions.length + 2 };
    scope.functions.push({
      name,
      parameters: [{ type: 'int', isOptional: false }],
      rest: null,
      returns: 'int',
      isRecursive: false,
    });
  }

  #changesOf({ name, type }: Variable): readonly string[] {
    if (isPrimitive(type))
      return type === 'int' ? [`${name} += 3;`] : [`${name} = ${this.expressions.exact(type, 1)};`];
    const other = `${name} = ${this.expressions.of(type, 1)};`;
    if (isArray(type))
      return [`${name} = null;`, other, `if (${name}.length() < 9) ${name}.push(${name}[0]);`, `${name}.pop();`];
    return type === 'string' ? [`${name} = null;`, `${name} += "!";`] : [`${name} = null;`, other];
  }

  /** A small function that does not read all that it is given; what it is given may do something besides. */
  ignoring(): void {
    const { scope } = this;
    const name = scope.newName('f');
    const result = scope.dice.pick(['a', 'b', '7', 'a + b', 'a > 0 ? b : a']);
    scope.line(`int ${name}(int a, int b) { return ${result}; }`);
    this.#ignoring = name;
  }

  /** A function that changes globals and does nothing else, by the number that it is given. */
  changer(): void {
    const { scope } = this;
    const changed = scope.variables.filter(({ isFixed }) => !isFixed);
    const actions = changed.flatMap((one) => this.#changesOf(one));
    const name = scope.newName('f');
    scope.block(`void ${name}(int n)`, () =>
      actions.forEach((action, at) => scope.line(`if (n == ${at}) { ${action} }`)),
    );
    this.#changer = { name, actions: actions.length, changed };
  }

  /** A loop over an array or a field in whose midst a call changes it; nothing in it tells the host. */
  changingLoop(): void {
    const { scope } = this;
    const { dice } = scope;
    const changer = this.#changer;
    const found = (changer?.changed ?? []).filter(
      ({ type, isFixed }) => !isFixed && (isArray(type) || scope.struct(type) !== null),
    );
    if (changer === null || found.length === 0) return;
    const { name, type } = dice.pick(found);
    const struct = scope.struct(type);
    scope.line('try {');
    scope.inside(() =>
      scope.scoped(() => {
        const i = scope.add('int', 'i', true);
        const bound = struct === null ? dice.pick([`${name}.length()`, '6']) : '6';
        const place = struct === null ? `${name}[${i}]` : `${name}.${dice.pick(struct.fields).name}`;
        const seen = scope.add('string');
        scope.line(`string ${seen} = "";`);
        scope.loops += 1;
        scope.block(`for (int ${i} = 0; ${i} < ${bound} && ${i} < 40; ${i}++)`, () => {
          const call = `${changer.name}(${dice.below(changer.actions)})`;
          const change = dice.chance(70) ? `if (${i} == ${dice.below(4)}) ${call};` : `${call};`;
          const read = `${seen} += \`\${${place}} \`;`;
          for (const line of dice.chance(50) ? [change, read] : [read, change, read]) scope.line(line);
        });
        scope.loops -= 1;
        scope.line(`yield ${seen};`);
      }),
    );
    scope.block('} catch (e)', () => scope.line('yield e;'));
    scope.line(`if (${name} == null) ${name} = ${this.expressions.of(type, 1)};`);
  }

  /** A value of the type whose evaluation does something else besides. */
  #effect(type: string): string {
    const { dice, spoiler } = this.scope;
    const value = this.expressions.of(type, 1);
    const exact = this.expressions.exact(type, 1);
    const counter = this.scope.mutable('int');
    if (spoiler === null) return counter === null ? value : `(${counter}++ > 0 ? ${exact} : ${exact})`;
    const call = `${spoiler.name}(${dice.below(spoiler.actions)})`;
    if (type === 'int' && this.#ignoring !== null && dice.chance(40))
      return `${this.#ignoring}(${dice.pick([call, value])}, ${call})`;
    if (type === 'int' && dice.chance(50)) return call;
    return type === 'string' && dice.chance(50) ? `\`\${${call}}\`` : `(${call} >= 0 ? ${exact} : ${exact})`;
  }

  /** A text where null as it stands is refused. */
  #text(): string {
    const text = this.#effect('string');
    return text === 'null' ? this.expressions.exact('string', 1) : text;
  }

  /** Assignments and reads whose parts change each other, and what is left afterwards. */
  effects(): void {
    const { scope } = this;
    const { dice } = scope;
    const found = scope.variables.filter(({ type, isFixed }) => !isPrimitive(type) && !isFixed);
    if (found.length === 0) return;
    const { name, type } = dice.pick(found);
    scope.line('try {');
    scope.inside(() => {
      if (dice.chance(40)) scope.line(`${name} = null;`);
      for (let count = dice.below(3) + 1; count > 0; count--) scope.line(dice.pick(this.#clashesOf(name, type)));
    });
    scope.block('} catch (e)', () => {
      scope.line('yield e;');
      if (dice.chance(80)) scope.line(`if (${name} == null) ${name} = ${this.expressions.of(type, 1)};`);
    });
    const numbers = scope.variables.filter((one) => one.type === 'int').slice(-4);
    scope.line(`yield \`\${${name}} ${numbers.map((one) => `\${${one.name}}`).join(' ')}\`;`);
  }

  #clashesOf(name: string, type: string): readonly string[] {
    const { dice } = this.scope;
    const int = (): string => this.#effect('int');
    if (type === 'string')
      return [
        `yield ${name} + ${this.#text()};`,
        `${name} += ${this.#text()};`,
        `yield ${name} < ${this.#text()};`,
        `yield ${name}.padEnd(${int()} & 7, ${this.#effect('string')});`,
        `yield ${name}.codeAt(${int()});`,
        `${name} = ${name} + ${this.#text()} + ${name};`,
      ];
    if (type === 'json')
      return [
        `${name}.i = ${int()};`,
        `${name}[${this.#text()}] = ${this.#effect('string')};`,
        `${name}.l[${int()}] = ${int()};`,
        `${name}.setInt("i", ${int()});`,
        `yield ${name}.i == ${int()};`,
        `yield ${name}.getInt(${this.#effect('string')}, ${int()});`,
      ];
    const struct = this.scope.struct(type);
    if (struct === null) {
      const element = elementOf(type);
      return [
        `${name}[${dice.below(3)}] = ${this.#effect(element)};`,
        `${name}[${int()}] = ${this.#effect(element)};`,
        `${name}[${int()} & 1] = ${name}[${dice.below(3)}];`,
        `yield ${name}[${int()}];`,
        `${name}.push(${this.#effect(element)});`,
        `${name}.insert(${int()} & 1, ${this.#effect(element)});`,
        ...this.#row(element, `${name}[0]`),
        `yield \`\${${name}.length()} \${${int()}} \${${name}.length()}\`;`,
      ];
    }
    const { name: field, type: fieldType } = dice.pick(struct.fields);
    const counts = fieldType === 'int' ? [`${name}.${field} += ${int()};`] : [];
    return [
      `${name}.${field} = ${this.#effect(fieldType)};`,
      `${name}.${field} = ${this.#effect(fieldType)};`,
      `${name} = { ${struct.fields
        .toReversed()
        .map((one) => `${one.name}: ${this.#effect(one.type)}`)
        .join(', ')} };`,
      ...this.#row(fieldType, `${name}.${field}`),
      ...counts,
    ];
  }

  /** A place around an effect; where values may be literals, nothing would say what type they have. */
  #row(type: string, place: string): readonly string[] {
    return isPrimitive(type) || type === 'string' ? [`yield [${place}, ${this.#effect(type)}, ${place}];`] : [];
  }

  /**
   * A loop that sets a variable until something fails, and a clause that wants what it was set to last; mostly nothing
   * else does.
   */
  failingLoop(): void {
    const { scope } = this;
    const { dice } = scope;
    const type = dice.pick(['int', 'int', 'int', 'double', 'string', ...scope.structs.map((one) => one.name)]);
    scope.block('', () => {
      const [first, iterations] = [this.expressions.of(type, 1), dice.below(7) + 2];
      const name = scope.add(type);
      scope.line(`${type} ${name} = ${first};`);
      const elements = Array.from({ length: dice.below(iterations) + 1 }, () => this.expressions.of(type, 1));
      const row = scope.add(`${type}[]`);
      scope.line(`${type}[] ${row} = [${elements.join(', ')}];`);
      scope.line('try {');
      scope.inside(() => {
        scope.scoped(() => this.#loopThatFails(name, type, row, iterations));
        if (dice.chance(40)) scope.line(`${name} = ${this.expressions.of(type, 1)};`);
      });
      scope.block('} catch (e)', () => scope.line(`yield \`\${e} \${${name}}\`;`));
      if (dice.chance(15)) scope.line(`yield ${name};`);
    });
  }

  #loopThatFails(name: string, type: string, row: string, iterations: number): void {
    const { scope } = this;
    const { dice } = scope;
    const i = scope.add('int', 'i', true);
    const fails = [
      `${name} = ${row}[${i}];`,
      `${name} = ${row}[${i}];`,
      `if (${i} == ${dice.below(iterations)}) throw "stop";`,
      `${row}[${i}] = ${name};`,
      ...(type === 'int'
        ? [`${name} = ${dice.below(90)} / (${dice.below(iterations)} - ${i});`, `${name} += ${row}[${i}];`]
        : []),
      ...(type === 'string' ? [`${name} = ${name} + ${row}[${i}];`, `${name} += ${row}[${i}];`] : []),
    ];
    const write = (): void => {
      scope.loops += 1;
      for (let count = dice.below(2) + 1; count > 0; count--) {
        scope.line(dice.pick(fails));
        if (dice.chance(25))
          scope.line(
            `if (${i} < ${dice.below(iterations)}) ${dice.pick([`${name} = ${this.expressions.of(type, 1)};`, 'continue;'])}`,
          );
      }
      scope.loops -= 1;
    };
    // A loop whose iterations are not known beforehand may be stopped and gone on with.
    const bound = dice.pick([String(iterations), `${row}.length() + 1`, `${row}.length() + 1`]);
    if (dice.chance(70)) scope.block(`for (int ${i} = 0; ${i} < ${bound}; ${i}++)`, write);
    else {
      scope.line(`int ${i} = -1;`);
      scope.block(
        dice.pick([
          `while (${i}++ < ${bound})`,
          `while (++${i} < ${bound} && ${this.expressions.exact('boolean', 1)})`,
        ]),
        write,
      );
    }
  }
}
