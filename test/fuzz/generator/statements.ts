// Statements for generated programs. Every loop ends, as far as one can see: what counts it is set by nothing else, or
// what it walks through grows with care; the reference interpreter gives up on the others.

import { clampedInts } from './clamped-ints.ts';
import { localArrays } from './local-arrays.ts';
import { Expressions } from './expressions.ts';
import { LibraryCalls } from './library-calls.ts';
import { Orders } from './orders.ts';
import { Quotients } from './quotients.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';
import { SetPieces } from './set-pieces.ts';
import { SmallInts } from './small-ints.ts';
import { StructArrays } from './struct-arrays.ts';
import { StructLocals } from './struct-locals.ts';
import { TextScans } from './text-scans.ts';

/** What holds at a place in a program. */
export interface Place {
  /** How deep statements may still nest. */
  readonly depth: number;
  /** What `return` gives; null where it may not stand, and 'any' in the entry. */
  readonly returns: string | null;
}

const errorTypes = [
  'NullAccessError',
  'IndexOutOfBoundsError',
  'DivisionByZeroError',
  'ArithmeticError',
  'CastError',
  'TypeError',
  'KeyNotFoundError',
  'ParseError',
  'Error',
  'MemoryLimitError',
];
const intOperators = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>='];

export class Statements {
  readonly scope: Scope;
  readonly expressions: Expressions;
  readonly orders: Orders;
  readonly libraryCalls: LibraryCalls;
  readonly #setPieces: SetPieces;
  readonly #scans: TextScans;
  readonly #structs: StructLocals;
  readonly #quotients: Quotients;
  readonly #smallInts: SmallInts;
  readonly #structArrays: StructArrays;
  /** What the innermost loop does in front of a `continue`, so that it ends; null where it need not. */
  #step: string | null = null;

  constructor(scope: Scope) {
    this.scope = scope;
    this.expressions = new Expressions(scope);
    this.libraryCalls = new LibraryCalls(scope);
    this.orders = new Orders(this.expressions);
    this.#setPieces = new SetPieces(this.expressions, () => this.one({ depth: 0, returns: null }));
    this.#scans = new TextScans(this.expressions);
    this.#structs = new StructLocals(this.expressions);
    this.#quotients = new Quotients(this.expressions);
    this.#smallInts = new SmallInts(this.expressions);
    this.#structArrays = new StructArrays(this.expressions);
  }

  some(count: number, place: Place): void {
    for (let left = count; left > 0; left--) this.one(place);
  }

  one(place: Place): void {
    const { dice } = this.scope;
    if (place.depth > 0 && dice.chance(place.depth > 2 ? 50 : 35))
      return this.#compound({ ...place, depth: place.depth - 1 });
    const simple = [
      () => this.declaration(),
      () => this.declaration(),
      () => this.#assignment(),
      () => this.#assignment(),
      () => this.#assignment(),
      () => this.#compoundAssignment(),
      () => this.#compoundAssignment(),
      () => this.#mutation(),
      () => this.#mutation(),
      () => this.#jsonMutation(),
      () => this.#growth(),
      () => this.#call(),
      () => this.#yield(),
      () => this.#leave(place),
      () => this.#counting(),
    ];
    dice.pick(simple)();
  }

  #compound(place: Place): void {
    const { dice } = this.scope;
    const kinds = [
      () => this.#if(place),
      () => this.#if(place),
      () => this.#for(place),
      () => this.#for(place),
      () => this.#foreach(place),
      () => this.#while(place),
      () => this.#try(place),
      () => this.#try(place),
      () => this.#shadow(place),
      () => this.#setPieces.nulls(),
      () => this.#setPieces.nulls(),
      () => this.orders.effects(),
      () => this.orders.effects(),
      () => this.orders.failingLoop(),
      () => this.libraryCalls.aliases(),
      () => this.libraryCalls.values(),
      () => this.#setPieces.manyElements(),
      () => this.#setPieces.longText(),
      () => this.#scans.scan(),
      () => this.#scans.scan(),
      () => this.#setPieces.manyKeys(),
      () => this.#setPieces.growingTexts(),
      () => this.#setPieces.growingTexts(),
      () => this.#setPieces.records(),
      () => this.#structs.points(),
      () => this.#structs.points(),
      () => this.#quotients.loops(),
      () => this.#quotients.pairs(),
      () => this.#smallInts.arrays(),
      () => clampedInts(this.expressions),
      () => clampedInts(this.expressions),
      () => localArrays(this.expressions),
      () => localArrays(this.expressions),
      () => this.#structArrays.arrays(),
      () => this.#smallInts.arrays(),
    ];
    dice.pick(this.scope.loops > 1 ? kinds.filter((_, at) => at < 2 || (at > 5 && at < 15)) : kinds)();
  }

  #body(place: Place): void {
    this.some(this.scope.dice.below(3) + 1, place);
  }

  #of(type: string, depth = 3): string {
    return this.expressions.of(type, this.scope.loops > 0 ? Math.min(depth, 2) : depth);
  }

  // Variables

  declaration(prefix = 'v'): void {
    const { scope } = this;
    const { dice } = scope;
    const type = scope.anyType();
    const isConstant = dice.chance(8);
    const value = isPrimitive(type) && !isConstant && dice.chance(10) ? '' : ` = ${this.#of(type)}`;
    const name = scope.newName(prefix);
    scope.line(`${isConstant ? 'const ' : ''}${type} ${name}${value};`);
    scope.declare({ name, type, isFixed: isConstant });
  }

  #assignment(): void {
    const type = this.scope.anyType();
    const target = this.expressions.target(type, 2);
    if (target === null) return this.declaration();
    this.scope.line(`${target} = ${this.#of(type)};`);
  }

  #compoundAssignment(): void {
    const { dice } = this.scope;
    const type = dice.pick(['int', 'int', 'int', 'double', 'string', 'string', 'boolean']);
    const target = this.expressions.target(type, 2);
    if (target === null) return this.declaration();
    if (type === 'string')
      return this.scope.line(`${this.#guard(target, 200)}${target} += ${this.expressions.exact('string', 2)};`);
    const operator = dice.pick(
      type === 'int' ? intOperators : type === 'double' ? intOperators.slice(0, 5) : ['&=', '|=', '^='],
    );
    this.scope.line(`${target} ${operator} ${this.expressions.exact(type, 2)};`);
  }

  #counting(): void {
    const type = this.scope.dice.chance(80) ? 'int' : 'double';
    const target = this.expressions.target(type, 2);
    if (target === null) return this.declaration();
    this.scope.line(`${target}${this.scope.dice.pick(['++', '--'])};`);
  }

  /** In loops a text or array that is long enough grows no more. */
  #guard(value: string, most: number): string {
    if (this.scope.loops === 0 || this.scope.dice.chance(30)) return '';
    return `if (${value} != null && ${value}.length() < ${most}) `;
  }

  // Arrays and json

  #growth(): void {
    const array = this.#array();
    if (array === null) return this.declaration();
    const item = this.#of(elementOf(array.type), 2);
    const index = this.expressions.index(array.name, 1);
    this.scope.line(
      this.#guard(array.name, 30) +
        this.scope.dice.pick([
          `${array.name}.push(${item});`,
          `${array.name}.push(${item});`,
          `${array.name}.insert(${index}, ${item});`,
        ]),
    );
  }

  #mutation(): void {
    const { dice } = this.scope;
    const array = this.#array();
    if (array === null) return this.declaration();
    const { name, type } = array;
    const element = elementOf(type);
    const index = this.expressions.index(name, 1);
    const calls = [
      `${name}.reverse();`,
      `${this.#unlessShort(name)}${name}.pop();`,
      `${this.#unlessShort(name)}${name}.removeAt(${index});`,
      `${name}.fill(${this.#of(element, 1)});`,
      `${name}[${index}] = ${this.#of(element, 2)};`,
      `${name}[${index}] = ${this.#of(element, 2)};`,
    ];
    if (['int', 'double', 'string'].includes(element)) calls.push(`${name}.sort();`);
    if (this.expressions.dares()) calls.push(`${name}.clear();`);
    this.scope.line(dice.pick(calls));
  }

  #unlessShort(array: string): string {
    return this.expressions.dares() ? '' : `if (${array}.length() > 4) `;
  }

  #array(): { readonly name: string; readonly type: string } | null {
    const found = this.scope.variables.filter(({ type }) => isArray(type));
    if (found.length === 0) return null;
    const { type } = this.scope.dice.pick(found);
    return { name: this.scope.variable(type)!, type };
  }

  #jsonMutation(): void {
    const { dice } = this.scope;
    const json = this.scope.variable('json');
    if (json === null) return this.declaration();
    const make = this.expressions;
    const value = make.jsonValue(1);
    this.scope.line(
      dice.pick([
        `${json}.a = ${value};`,
        `${json}["new"] = ${value};`,
        `${json}.l[0] = ${this.#of('int', 1)};`,
        `${json}.l.push(${this.#of('int', 1)});`,
        `${json}.o = ${make.jsonLiteral(1)};`,
        ...(make.dares() ? [`${json}[${make.small(1)}] = ${value};`, `${json}.push(${value});`] : []),
        `${json}.setInt(${dice.pick(['"i"', '"a"', '"length"'])}, ${this.#of('int', 1)});`,
        `${json}.setString("s", ${this.#of('string', 1)});`,
        `${json}.setDouble("d", ${this.#of('double', 1)});`,
        `${json}.setBool("b", ${this.#of('boolean', 1)});`,
        `${json}.setJson("o", ${make.jsonLiteral(1)});`,
        `${json}.remove("a");`,
        ...(make.dares() ? [`${json}.remove(${make.key()});`] : []),
      ]),
    );
  }

  // Calls, yields, jumps

  #call(): void {
    const { dice, functions, self, loops } = this.scope;
    const found = self !== null && dice.chance(30) ? [self] : functions;
    if (found.length === 0 || (loops > 0 && dice.chance(50))) return this.#assignment();
    this.scope.line(`${this.expressions.callOf(dice.pick(found), 2)};`);
  }

  #yield(): void {
    if (this.scope.loops > 1 && this.scope.dice.chance(60)) return this.#compoundAssignment();
    this.scope.line(`yield ${this.expressions.exact(this.scope.anyType(), 3)};`);
  }

  #leave({ returns }: Place): void {
    const { dice, loops } = this.scope;
    const condition = `if (${this.expressions.exact('boolean', 2)}) `;
    if (loops > 0 && dice.chance(85)) {
      const goesOn = this.#step === null ? 'continue;' : `{ ${this.#step} continue; }`;
      return this.scope.line(`${condition}${dice.pick(['break;', goesOn, goesOn])}`);
    }
    if (dice.chance(25)) return this.scope.line(`${condition}throw ${this.expressions.exact('string', 2)};`);
    if (returns !== null) this.scope.line(`${condition}${this.returning(returns)}`);
  }

  returning(returns: string): string {
    if (returns === 'void') return 'return;';
    return `return ${returns === 'any' ? this.expressions.exact(this.scope.anyType(), 2) : this.#of(returns)};`;
  }

  // Blocks

  #if(place: Place): void {
    const { dice } = this.scope;
    const condition = (): string => this.expressions.exact('boolean', 2);
    this.scope.block(`if (${condition()})`, () => this.#body(place));
    if (dice.chance(20)) this.scope.block(`else if (${condition()})`, () => this.#body(place));
    if (dice.chance(40)) this.scope.block('else', () => this.#body(place));
  }

  #try(place: Place): void {
    const { dice } = this.scope;
    this.scope.line('try {');
    this.scope.inside(() => this.#body(place));
    const types = dice.chance(50)
      ? ['']
      : [`${dice.pick(errorTypes)} `, ...(dice.chance(60) ? [dice.chance(60) ? '' : `${dice.pick(errorTypes)} `] : [])];
    for (const type of types) {
      this.scope.line(`} catch (${type}e) {`);
      this.scope.inside(() => {
        this.scope.declare({ name: 'e', type: 'string', isFixed: false });
        if (dice.chance(50) && this.scope.loops < 2) this.scope.line('yield e;');
        if (this.scope.loops < 2 && dice.chance(40)) this.scope.line(`yield \`${this.#shown(3)}\`;`);
        if (dice.chance(60)) this.#body({ ...place, depth: Math.min(place.depth, 1) });
      });
    }
    this.scope.line('}');
  }

  /** The inside of a template that shows so many variables. */
  #shown(count: number): string {
    const found = this.scope.variables.filter(({ type }) => isPrimitive(type) || type === 'string' || type === 'int[]');
    return found.length === 0
      ? ''
      : Array.from({ length: count }, () => `\${${this.scope.dice.pick(found).name}}`).join(' ');
  }

  /** A block in which a name of outside means something else. */
  #shadow(place: Place): void {
    const { dice } = this.scope;
    this.scope.block('', () => {
      const outer = this.scope.variables.filter(({ name, isFixed }) => name.startsWith('v') && !isFixed);
      if (outer.length > 0) {
        const { name, type } = dice.pick(outer);
        const value = this.#of(type, 2);
        this.scope.line(`${type} ${name} = ${value};`);
        this.scope.declare({ name, type, isFixed: false });
      }
      this.#body(place);
    });
  }

  #inLoop(place: Place, step: string | null = null): void {
    const around = this.#step;
    this.#step = step;
    this.scope.loops += 1;
    this.#body(place);
    this.scope.loops -= 1;
    this.#step = around;
  }

  #bound(): string {
    const array = this.expressions.anyArray();
    const { dice } = this.scope;
    if (array !== null && dice.chance(35)) return `${array}.length()`;
    return dice.chance(15)
      ? `(${this.expressions.exact('int', 1)} & 7)`
      : String(dice.below(this.scope.loops > 0 ? 5 : 9));
  }

  #for(place: Place): void {
    const { dice } = this.scope;
    const bound = this.#bound();
    this.scope.scoped(() => {
      const i = this.scope.add('int', 'i', true);
      const also = dice.chance(35) ? ` && ${this.expressions.exact('boolean', 1)}` : '';
      const heads = [
        `for (int ${i} = 0; ${i} < ${bound}${also}; ${i}++)`,
        `for (int ${i} = 0; ${i} < ${bound}; ${i}++)`,
        `for (int ${i} = 0; ${i} < ${bound}; ${i}++)`,
        `for (int ${i} = ${bound}; ${i} >= 0${also}; ${i}--)`,
        `for (int ${i} = ${bound} - 1; ${i} > 0; ${i} -= ${dice.below(3) + 1})`,
        `for (int ${i} = 0; ${i} <= ${bound}${also}; ${i} += ${dice.below(3) + 1})`,
        `for (int ${i} = 0, end${i} = ${bound}; ${i} < end${i}; ${i}++, end${i}--)`,
        `for (int ${i} = 9223372036854775800; ${i} > 0; ${i} += ${dice.below(4) + 1})`,
        `for (int ${i} = 0, double${i} = 1; double${i} < 200; ${i}++, double${i} *= 2)`,
      ];
      const head = dice.pick(heads);
      this.scope.block(head, () => this.#inLoop(place));
    });
  }

  #while(place: Place): void {
    const { dice } = this.scope;
    this.scope.block('', () => {
      const name = this.scope.add('int', 'w', true);
      this.scope.line(`int ${name} = ${dice.below(6) + 1};`);
      const more = dice.pick(['', ` && ${this.expressions.exact('boolean', 1)}`]);
      if (dice.chance(25)) {
        this.scope.block(`while (${name} < ${dice.below(6) + 5}${more})`, () => {
          const step = dice.pick([`${name}++;`, `${name} += 2;`]);
          if (dice.chance(50)) this.scope.line(`if (${this.expressions.exact('boolean', 2)}) { ${step} continue; }`);
          this.#inLoop(place, step);
          this.scope.line(`${name}++;`);
        });
      } else if (dice.chance(30)) {
        this.scope.line('do {');
        this.scope.inside(() => this.#inLoop(place));
        this.scope.line(`} while (${name}-- > 0${more});`);
      } else if (dice.chance(33)) {
        this.scope.block('while (true)', () => {
          this.scope.line(`if (${name}-- <= 0) break;`);
          this.#inLoop(place);
        });
      } else this.scope.block(`while (${name}-- > 0${more})`, () => this.#inLoop(place));
    });
  }

  #foreach(place: Place): void {
    const { dice } = this.scope;
    const array = dice.chance(75) ? this.#array() : null;
    const type =
      array === null
        ? dice.pick(['int', 'int', 'json', 'double', this.expressions.dares() ? 'string' : 'int'])
        : elementOf(array.type);
    const walked =
      array === null
        ? `${this.expressions.operand('json', 2)}.l`
        : dice.chance(80)
          ? array.name
          : this.expressions.exact(array.type, 1);
    this.scope.scoped(() => {
      const name = this.scope.add(type, 'x');
      this.scope.block(`foreach (${type} ${name} in ${walked})`, () => this.#inLoop(place));
    });
  }
}
