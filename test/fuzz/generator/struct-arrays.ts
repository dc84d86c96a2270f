// Statements about arrays of structs, so that each array can be one for each field: filled by a loop behind `new` or
// by pushes, read and stored as a whole and by fields, moved about, walked through, handed to functions, held by
// structs and rows. Or fields are set, where the elements are or in variables that hold one. Sometimes a loop leaves
// elements null, a struct whose fields are set is stored twice, two elements are compared, or somebody sees an array as
// a whole.

import type { Expressions } from './expressions.ts';
import type { Scope } from './scope.ts';

/** A struct of its own: what is done with it elsewhere would keep the arrays as they are. */
interface Struct {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** Whether fields are set by themselves: then elements are made where they are stored, nearly always. */
  readonly isChanged: boolean;
  /** Whether anything is done that keeps the arrays from being split. */
  readonly isSpoiled: boolean;
}

interface Arrays {
  readonly struct: Struct;
  readonly names: readonly string[];
  /** A variable of a struct that holds one of them, and an array of them. */
  readonly holder: string | null;
  readonly rows: string | null;
  readonly length: number;
}

export class StructArrays {
  readonly scope: Scope;
  readonly #expressions: Expressions;

  constructor(expressions: Expressions) {
    this.scope = expressions.scope;
    this.#expressions = expressions;
  }

  arrays(): void {
    const { dice } = this.scope;
    const struct = this.#struct();
    const length = dice.below(6) + 1;
    const names: string[] = [];
    const holder = dice.chance(30) ? this.scope.newName('h') : null;
    const rows = dice.chance(25) ? this.scope.newName('r') : null;
    this.scope.line('try {');
    this.scope.inside(() => {
      for (let count = dice.below(3) + 1; count > 0; count--) names.push(this.#array(struct, names, length));
      if (holder !== null) this.#hold(struct, holder, names);
      if (rows !== null) this.scope.line(`${struct.name}[][] ${rows} = [${dice.pick(names)}, ${dice.pick(names)}];`);
      const arrays = { struct, names, holder, rows, length };
      for (let count = dice.below(5) + 2; count > 0; count--) {
        if (dice.chance(75)) this.#statement(arrays);
        else {
          this.scope.line('try {');
          this.scope.inside(() => this.#statement(arrays));
          this.scope.block('} catch (e)', () => this.scope.line('yield e;'));
        }
      }
      for (const name of names) this.#show(struct, name);
    });
    this.scope.block('} catch (e)', () => this.scope.line('yield e;'));
  }

  #struct(): Struct {
    const { scope } = this;
    const { dice } = scope;
    const types = Array.from({ length: dice.below(3) + 1 }, () =>
      dice.pick(['int', 'int', 'double', 'string', 'boolean']),
    );
    const name = scope.newName('Q');
    const fields = types.map((type, at) => ({ name: ['x', 'y', 'z'][at]!, type }));
    scope.head(`type ${name} { ${fields.map((field) => `${field.type} ${field.name};`).join(' ')} }`);
    return { name, fields, isChanged: dice.chance(45), isSpoiled: dice.chance(25) };
  }

  /** Declares an array, and gives its name. */
  #array(struct: Struct, names: readonly string[], length: number): string {
    const { scope } = this;
    const { dice } = scope;
    const name = scope.newName('q');
    const type = `${struct.name}[]`;
    const literal = (): string => this.#literal(struct, null);
    const made = dice.below(10);
    if (made < 4) {
      const count = dice.chance(50) ? String(length) : this.#variable(length);
      scope.line(`${type} ${name} = new ${struct.name}[${count}];`);
      this.#fill(struct, name, count);
    } else if (made < 6) {
      scope.line(`${type} ${name} = [];`);
      this.#loop(length, (i) => scope.line(`${name}.push(${this.#literal(struct, i)});`));
    } else if (made < 7 && names.length > 0) scope.line(`${type} ${name} = ${dice.pick(names)};`);
    else if (made < 8) scope.line(`${type} ${name} = ${this.#maker(struct)}(${length});`);
    else scope.line(`${type} ${name} = [${Array.from({ length }, literal).join(', ')}];`);
    return name;
  }

  #variable(value: number): string {
    const name = this.scope.newName('n');
    this.scope.line(`int ${name} = ${value};`);
    return name;
  }

  /** A loop that sets all elements, or nearly all of them. */
  #fill(struct: Struct, name: string, count: string): void {
    const { scope } = this;
    const { dice } = scope;
    const isWhole = !struct.isSpoiled || dice.chance(50);
    const either = (right: string, wrong: string): string => (isWhole || dice.chance(80) ? right : wrong);
    const i = scope.newName('i');
    if (struct.isSpoiled && dice.chance(15)) return scope.line(`${name}.fill(${this.#literal(struct, null)});`);
    if (count.startsWith('n') && !isWhole && dice.chance(30)) scope.line(`${count} -= 1;`);
    const limit = either(dice.pick([count, count, `${name}.length()`]), `${count} - 1`);
    const head = `for (int ${i} = ${either('0', '1')}; ${i} < ${limit}; ${i}${either('++', ' += 2')})`;
    scope.block(head, () => {
      if (!isWhole && dice.chance(60))
        scope.line(dice.pick([`if (${i} == 1) continue;`, `if (${i} == 1) break;`, `yield ${name}[${count} - 1].x;`]));
      if (!isWhole && dice.chance(20))
        scope.line(`try { ${name}[${i}] = ${this.#literal(struct, i)}; } catch (e) { yield e; }`);
      else scope.line(`${name}[${either(i, `${i} / 2`)}] = ${this.#literal(struct, i)};`);
      if (!isWhole && dice.chance(20)) scope.line(`if (${i} == 1) break;`);
    });
  }

  /** A function that gives a new array. */
  #maker(struct: Struct): string {
    const { scope } = this;
    const name = scope.newName('f');
    const literal = `{ ${struct.fields.map((field) => `${field.name}: ${this.#constant(field.type)}`).join(', ')} }`;
    const loop = `for (int i = 0; i < n; i++) a[i] = ${literal};`;
    scope.head(`${struct.name}[] ${name}(int n) { ${struct.name}[] a = new ${struct.name}[n]; ${loop} return a; }`);
    return name;
  }

  #hold(struct: Struct, holder: string, names: readonly string[]): void {
    const { scope } = this;
    const type = `H${struct.name}`;
    scope.head(`type ${type} { int count; ${struct.name}[] items; }`);
    scope.line(`${type} ${holder} = { count: 0, items: ${scope.dice.pick(names)} };`);
  }

  #statement(arrays: Arrays): void {
    const { scope } = this;
    const { dice } = scope;
    const { struct, length } = arrays;
    const one = (): string => this.#place(arrays);
    const field = (): string => dice.pick(struct.fields).name;
    if (struct.isChanged && dice.chance(struct.isSpoiled ? 60 : 90)) return this.#change(arrays);
    dice.pick([
      () => this.#loop(length, (i) => scope.line(`${one()}[${this.#index(arrays, i)}] = ${this.#value(arrays, i)};`)),
      () => this.#loop(length, (i) => scope.line(`${one()}[${i}] = ${this.#value(arrays, i)};`)),
      () => this.#loop(length, (i) => this.#held(arrays, i)),
      () => this.#held(arrays, null),
      () => scope.line(`${one()}[${this.#index(arrays, null)}] = ${this.#value(arrays, null)};`),
      () => scope.line(`yield ${one()}[${this.#index(arrays, null)}].${field()};`),
      () => this.#swap(arrays),
      () => scope.line(`${one()}.push(${this.#value(arrays, null)});`),
      () => scope.line(`yield ${one()}.pop().${field()};`),
      () => scope.line(`yield ${one()}.${dice.pick(['length()', 'isEmpty()'])};`),
      () =>
        scope.line(`${this.#putter(struct)}(${one()}, ${this.#index(arrays, null)}, ${this.#value(arrays, null)});`),
      () => scope.line(`yield ${this.#getter(struct)}(${one()}, ${this.#index(arrays, null)});`),
      () => this.#show(struct, one()),
      () => this.#reassign(arrays),
      () => this.#spoil(arrays),
    ])();
  }

  /** Sets fields of elements. */
  #change(arrays: Arrays): void {
    const { scope } = this;
    const { dice } = scope;
    const { struct, length } = arrays;
    const set = (object: string, counter: string | null): void => scope.line(this.#setting(arrays, object, counter));
    const at = (counter: string | null): string => `${this.#place(arrays)}[${this.#index(arrays, counter)}]`;
    dice.pick([
      () => set(at(null), null),
      () => this.#loop(length, (i) => set(at(i), i)),
      () => this.#loop(length, (i) => this.#cursors(arrays, i)),
      () => this.#cursors(arrays, null),
      () => {
        const name = scope.newName('e');
        scope.block(`foreach (${struct.name} ${name} in ${this.#place(arrays)})`, () => {
          set(name, null);
          if (dice.chance(40)) set(dice.chance(50) ? name : at(null), null);
        });
      },
      () => scope.line(`${this.#place(arrays)}.push(${this.#literal(struct, null)});`),
      () => scope.line(`yield ${at(null)}.${dice.pick(struct.fields).name};`),
      () => this.#show(struct, this.#place(arrays)),
      () => {
        const helper = this.#setter(struct);
        scope.line(`${helper}(${this.#place(arrays)}, ${this.#index(arrays, null)}, ${this.#index(arrays, null)});`);
      },
      () => {
        const name = scope.newName('e');
        scope.line(`${struct.name} ${name} = ${this.#literal(struct, null)};`);
        if (struct.isSpoiled || dice.chance(10)) scope.line(`${this.#place(arrays)}.push(${name});`);
        set(name, null);
      },
      () => (struct.isSpoiled ? this.#held(arrays, null) : scope.line(`yield ${this.#place(arrays)}.length();`)),
    ])();
  }

  /** Variables with an element each, whose fields are set and read, while indices and other variables change. */
  #cursors(arrays: Arrays, counter: string | null): void {
    const { scope } = this;
    const { dice } = scope;
    const { struct } = arrays;
    const index = scope.newName('k');
    scope.line(`int ${index} = ${this.#index(arrays, counter)};`);
    const array = scope.newName('w');
    scope.line(`${struct.name}[] ${array} = ${this.#place(arrays)};`);
    const [p, q] = [scope.newName('e'), scope.newName('e')];
    scope.line(`${struct.name} ${p} = ${dice.pick([array, this.#place(arrays)])}[${index}];`);
    if (dice.chance(40)) scope.line(`${index} = ${this.#index(arrays, counter)};`);
    if (dice.chance(20)) scope.line(`${array} = ${this.#place(arrays)};`);
    scope.line(
      `${struct.name} ${q} = ${dice.pick([array, this.#place(arrays)])}[${dice.pick([index, `${index} + 1`])}];`,
    );
    for (let count = dice.below(3) + 1; count > 0; count--) {
      if (struct.isSpoiled && dice.chance(20)) scope.line(`${array}[${index}] = ${this.#literal(struct, counter)};`);
      if (struct.isSpoiled && dice.chance(15))
        scope.line(`if (${this.#expressions.exact('boolean', 1)}) ${p} = ${array}[${index}];`);
      scope.line(this.#setting(arrays, dice.pick([p, q]), counter, [p, q]));
    }
    if (dice.chance(70))
      scope.line(`yield \`\${${p}.${dice.pick(struct.fields).name}} \${${q}.${dice.pick(struct.fields).name}}\`;`);
  }

  /** Sets a field of an object, at once or to what it is worked out from. */
  #setting(arrays: Arrays, object: string, counter: string | null, others: readonly string[] = []): string {
    const { dice } = this.scope;
    const { name, type } = dice.pick(arrays.struct.fields);
    const same = arrays.struct.fields.filter((other) => other.type === type);
    const element = (): string =>
      others.length > 0 && dice.chance(60)
        ? dice.pick(others)
        : `${this.#place(arrays)}[${this.#index(arrays, counter)}]`;
    const read = (): string => `${element()}.${dice.pick(same).name}`;
    const value = this.#field(type, counter, read);
    const isSum = (type === 'int' || type === 'double') && dice.chance(40);
    return `${object}.${name} ${isSum ? '+=' : '='} ${dice.chance(30) ? read() : value};`;
  }

  /** A function that sets a field of one element to that of another. */
  #setter({ name, fields }: Struct): string {
    const { scope } = this;
    const { dice } = scope;
    return scope.seldomTwice(`setter of ${name}`, () => {
      const made = scope.newName('f');
      const field = dice.pick(fields).name;
      const body = dice.pick([
        `a[i].${field} = a[j].${field};`,
        `${name} p = a[i]; i = j; p.${field} = a[i].${field};`,
        `for (int k = 0; k < 2; k++) { ${name} p = a[k]; p.${field} = a[j].${field}; }`,
      ]);
      scope.head(`void ${made}(${name}[] a, int i, int j) { ${body} }`);
      return made;
    });
  }

  /** An element in a variable, which is not changed by what is stored afterwards. */
  #held(arrays: Arrays, counter: string | null): void {
    const { scope } = this;
    const { struct } = arrays;
    const name = scope.newName('e');
    const array = this.#place(arrays);
    const index = this.#index(arrays, counter);
    scope.line(`${struct.name} ${name} = ${array}[${index}];`);
    if (scope.dice.chance(60)) scope.line(`${array}[${index}] = ${this.#value(arrays, counter)};`);
    if (scope.dice.chance(30)) scope.line(`${this.#place(arrays)}[${this.#index(arrays, counter)}] = ${name};`);
    scope.line(`yield ${name}.${scope.dice.pick(struct.fields).name};`);
  }

  #swap(arrays: Arrays): void {
    const { scope } = this;
    const held = scope.newName('t');
    const array = this.#place(arrays);
    const [i, j] = [this.#index(arrays, null), this.#index(arrays, null)];
    scope.line(`${arrays.struct.name} ${held} = ${array}[${i}];`);
    scope.line(`${array}[${i}] = ${array}[${j}];`);
    scope.line(`${array}[${j}] = ${held};`);
  }

  #reassign(arrays: Arrays): void {
    const { scope } = this;
    const { dice } = scope;
    const one = dice.pick(arrays.names);
    const value = dice.pick([this.#place(arrays), this.#place(arrays), arrays.struct.isSpoiled ? 'null' : '[]']);
    scope.line(`if (${this.#expressions.exact('boolean', 1)}) ${one} = ${value};`);
    scope.line(`yield ${one} == ${dice.pick(arrays.names)};`);
  }

  /** What keeps the arrays as they are, or makes of a copy something else than the object. */
  #spoil(arrays: Arrays): void {
    const { scope } = this;
    const { dice } = scope;
    const { struct } = arrays;
    const one = this.#place(arrays);
    const [i, j] = [this.#index(arrays, null), this.#index(arrays, null)];
    if (!struct.isSpoiled) return scope.line(`yield ${one}.length();`);
    const { name, type } = dice.pick(struct.fields);
    scope.line(
      dice.pick([
        `${one}[${i}].${name} = ${this.#constant(type)};`,
        `yield ${one}[${i}] == ${dice.chance(60) ? `${one}[${i}]` : `${this.#place(arrays)}[${j}]`};`,
        `${one}.push(null);`,
        `yield ${one}.contains(${this.#place(arrays)}[${j}]);`,
        `${one}.push(${this.#place(arrays)}[${j}]); yield ${one}.contains(${this.#place(arrays)}[${j}]);`,
        `yield ${one};`,
        `yield ${one}[${i}];`,
        `${one}[${i}] = null;`,
        `${one}.reverse();`,
        `${one}.fill(${this.#value(arrays, null)});`,
        `yield \`\${${one}}\`;`,
        `${one} = ${one}.slice(0, 1);`,
      ]),
    );
  }

  /** A function that has a struct hold another array, and gives the first element of that. */
  #replacer({ name }: Struct): string {
    const { scope } = this;
    return scope.once(`replacer of ${name}`, () => {
      const made = scope.newName('f');
      scope.head(`${name} ${made}(H${name} h, ${name}[] a) { h.items = a; return a[0]; }`);
      return made;
    });
  }

  /** A function that stores an element. */
  #putter({ name }: Struct): string {
    const { scope } = this;
    return scope.seldomTwice(`putter of ${name}`, () => {
      const made = scope.newName('f');
      const copy = scope.dice.chance(40) ? ' if (i > 0) a[i - 1] = a[i];' : '';
      scope.head(`void ${made}(${name}[] a, int i, ${name} v) { a[i] = v;${copy} }`);
      return made;
    });
  }

  /** A function that reads a field of an element, by way of another function half of the time. */
  #getter({ name, fields }: Struct): string {
    const { scope } = this;
    const { dice } = scope;
    return scope.seldomTwice(`getter of ${name}`, () => {
      const [made, other] = [scope.newName('f'), scope.newName('f')];
      const field = dice.pick(fields);
      const isDirect = dice.chance(50);
      if (!isDirect) scope.head(`${name} ${other}(${name}[] a, int i) { return i < 0 ? a[0] : a[i]; }`);
      const element = isDirect ? 'a[i]' : `${other}(a, i)`;
      scope.head(`${field.type} ${made}(${name}[] a, int i) { return ${element}.${field.name}; }`);
      return made;
    });
  }

  #loop(length: number, body: (counter: string) => void): void {
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      this.scope.block(`for (int ${i} = 0; ${i} < ${length}; ${i}++)`, () => {
        this.scope.loops += 1;
        body(i);
        this.scope.loops -= 1;
      });
    });
  }

  /** An array: a variable, or what a struct or a row holds. */
  #place({ names, holder, rows }: Arrays): string {
    const { dice } = this.scope;
    if (holder !== null && dice.chance(25)) return `${holder}.items`;
    return rows !== null && dice.chance(25) ? `${rows}[${dice.below(2)}]` : dice.pick(names);
  }

  /** Mostly in range. */
  #index({ length }: Arrays, counter: string | null): string {
    const { dice } = this.scope;
    if (counter !== null && dice.chance(60))
      return dice.pick([
        counter,
        counter,
        `${counter} / 2`,
        `${length - 1} - ${counter}`,
        `(${counter} + 1) % ${length}`,
      ]);
    if (dice.chance(10)) return dice.pick(['-1', String(length), this.#expressions.exact('int', 1)]);
    return String(dice.below(length));
  }

  /** A struct, of those that arrays hold or a new one. */
  #value(arrays: Arrays, counter: string | null): string {
    const { dice } = this.scope;
    const { struct, holder } = arrays;
    const element = (): string => `${this.#place(arrays)}[${this.#index(arrays, counter)}]`;
    if (dice.chance(25)) return element();
    if (holder !== null && dice.chance(15)) return `${this.#replacer(struct)}(${holder}, ${dice.pick(arrays.names)})`;
    if (dice.chance(12)) return `${this.#expressions.exact('boolean', 1)} ? ${element()} : ${element()}`;
    const fields = struct.fields.map(({ name, type }) => {
      const same = struct.fields.filter((other) => other.type === type);
      const read = (): string => `${element()}.${dice.pick(same).name}`;
      const value = dice.chance(50) ? read() : this.#field(type, counter, read);
      return `${name}: ${value}`;
    });
    return `{ ${(dice.chance(25) ? fields.toReversed() : fields).join(', ')} }`;
  }

  #field(type: string, counter: string | null, read: () => string): string {
    const { dice } = this.scope;
    if (type === 'int' && dice.chance(15)) return `${read()} / (${read()} & 1)`;
    if (type === 'int' && counter !== null && dice.chance(40)) return `${counter} * 3`;
    if (type === 'int' || type === 'double')
      return dice.chance(40) ? `${read()} + ${read()}` : this.#expressions.exact(type, 1);
    return this.#constant(type);
  }

  #literal({ fields }: Struct, counter: string | null): string {
    const { dice } = this.scope;
    const values = fields.map(({ name, type }) => {
      if (type === 'int' && counter !== null) return `${name}: ${counter} + ${dice.below(3)}`;
      return `${name}: ${dice.chance(30) ? this.#expressions.exact(type, 1) : this.#constant(type)}`;
    });
    return `{ ${(dice.chance(15) ? values.toReversed() : values).join(', ')} }`;
  }

  #constant(type: string): string {
    const { dice } = this.scope;
    switch (type) {
      case 'int':
        return String(dice.below(9));
      case 'double':
        return `${dice.below(9)}.5`;
      case 'boolean':
        return dice.pick(['true', 'false']);
    }
    return dice.pick(['"a"', '"bc"', '""']);
  }

  #show({ name, fields }: Struct, array: string): void {
    const shown = fields.map((field) => `\${p.${field.name}}`).join(' ');
    this.scope.line(`foreach (${name} p in ${array}) yield \`${shown}\`;`);
  }
}
