// Expressions for generated programs, well typed by the tables of ways.ts, over the variables and functions in sight.

import { keys, literals, typesOfKeys } from './literals.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Callable, Scope } from './scope.ts';
import { placedWays, waysTo } from './ways.ts';
import type { Maker, Table } from './ways.ts';

export class Expressions implements Maker {
  readonly scope: Scope;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  of(type: string, depth: number): string {
    if (depth > 0) return this.#try([...waysTo(type), ...placedWays(type)], type, depth);
    const isLiteral = this.scope.dice.chance(40);
    if (type === 'json') return isLiteral ? '{ i: 1, l: [2, 3], s: "x", o: { d: 0.5 } }' : this.#plain(type);
    return isLiteral && this.scope.struct(type) !== null
      ? this.structLiteral(type, 0)
      : isLiteral && isArray(type)
        ? this.arrayLiteral(type, 0)
        : this.#plain(type);
  }

  exact(type: string, depth: number): string {
    return depth > 0 ? this.#try(waysTo(type), type, depth) : this.#plain(type);
  }

  #try(table: Table, type: string, depth: number): string {
    const total = table.reduce((sum, [weight]) => sum + weight, 0);
    for (let tries = 0; tries < 4; tries++) {
      let left = this.scope.dice.below(total);
      const [, way] = table.find(([weight]) => (left -= weight) < 0)!;
      const written = way(this, type, depth);
      if (written !== null) return written;
    }
    return this.#plain(type);
  }

  /** A variable, or what is always there. */
  #plain(type: string): string {
    const { dice } = this.scope;
    const isNumber = isPrimitive(type) || type === 'string';
    const variable = isNumber && dice.chance(40) ? null : this.scope.variable(type);
    if (variable !== null) return variable;
    if (type === 'int' || type === 'double' || type === 'boolean' || type === 'string') return literals[type](dice);
    if (type === 'json') return literals.parsed(dice);
    return isArray(type) ? this.exactArray(type, 0) : `(Json.parse("null") as ${type})`;
  }

  dares(): boolean {
    return this.scope.dice.chance(3);
  }

  operand(type: string, depth: number): string {
    const written = this.exact(type, depth);
    return /^[a-z]\w*$/.test(written) && !/^(?:new|true|false|null)$/.test(written) ? written : `(${written})`;
  }

  mixed(operator: string, depth: number): string {
    const [one, other] = [
      this.exact('double', depth - 1),
      this.exact(this.scope.dice.chance(25) ? 'int' : 'double', depth - 1),
    ];
    return this.scope.dice.chance(50) ? `(${one} ${operator} ${other})` : `(${other} ${operator} ${one})`;
  }

  comparison(): string {
    return this.scope.dice.pick(['<', '<=', '>', '>=', '==', '!=']);
  }

  element(type: string, depth: number): string | null {
    const array = this.scope.variable(`${type}[]`);
    if (array !== null) return `${array}[${this.index(array, depth - 1)}]`;
    const rows = this.scope.variable(`${type}[][]`);
    return rows === null ? null : `${rows}[${this.index(rows, depth - 1)}][${this.small(depth - 1)}]`;
  }

  field(type: string, depth: number): string | null {
    const found = this.scope.structs.flatMap(({ name, fields }) =>
      fields.filter((field) => field.type === type).map((field) => ({ struct: name, name: field.name })),
    );
    if (found.length === 0) return null;
    const field = this.scope.dice.pick(found);
    const object = this.scope.variable(field.struct) ?? (depth > 1 ? this.element(field.struct, depth - 1) : null);
    return object === null ? null : `${object}.${field.name}`;
  }

  call(type: string, depth: number): string | null {
    const { dice, functions, self, loops } = this.scope;
    if (loops > 0 && !dice.chance(40)) return null;
    const found = [...functions, ...(self === null ? [] : [self, self])].filter(({ returns }) => returns === type);
    return found.length === 0 ? null : this.callOf(dice.pick(found), depth - 1);
  }

  callOf(fn: Callable, depth: number): string {
    const { dice } = this.scope;
    const given = fn.parameters.filter(({ isOptional }) => !isOptional || dice.chance(60)).length;
    const operands = fn.parameters.slice(0, given).map(({ type }, at) => {
      if (at > 0 || !fn.isRecursive) return () => this.of(type, depth);
      return () => (fn === this.scope.self ? '(left - 1)' : String(dice.below(5)));
    });
    const all = operands.map((write) => write());
    if (dice.chance(20)) this.#setBetween(fn, all);
    if (fn.rest !== null && given === fn.parameters.length) all.push(...this.#rest(fn.rest, depth));
    const [first] = fn.parameters;
    const takesDot = first !== undefined && !fn.isRecursive && dice.chance(25);
    return takesDot
      ? `${this.operand(first.type, depth)}.${fn.name}(${all.slice(1).join(', ')})`
      : `${fn.name}(${all.join(', ')})`;
  }

  /** One argument becomes a variable that a later one sets: `f(x, x++)`. */
  #setBetween(fn: Callable, all: string[]): void {
    const { dice } = this.scope;
    const ints = all.flatMap((_, at) =>
      fn.parameters[at]!.type === 'int' && !(fn.isRecursive && at === 0) ? [at] : [],
    );
    const variable = ints.length < 2 ? null : this.scope.mutable('int');
    if (variable === null) return;
    const later = dice.below(ints.length - 1) + 1;
    all[ints[dice.below(later)]!] = variable;
    all[ints[later]!] = dice.pick([`(${variable}++)`, `(--${variable})`]);
  }

  /** Elements of a variadic parameter, or an array as a whole. */
  #rest(type: string, depth: number): string[] {
    const whole = this.scope.dice.chance(25) ? this.scope.variable(`${type}[]`) : null;
    return whole === null ? Array.from({ length: this.scope.dice.below(4) }, () => this.exact(type, depth)) : [whole];
  }

  cast(type: string, depth: number): string | null {
    const { dice } = this.scope;
    const json = (): string => this.operand('json', depth - 1);
    const known = keys.filter((key) => typesOfKeys[key] === type);
    if (type !== 'string' && dice.chance(30))
      return (
        `${json()}.getObject(${known.length > 0 ? JSON.stringify(dice.pick(known)) : this.key()}, ` +
        `${this.exact(type, depth - 1)})`
      );
    if (this.dares()) return `(${json()} as ${type})`;
    if (known.length > 0) return `(${json()}[${JSON.stringify(known[0])}] as ${type})`;
    const same = this.scope.variable(type);
    return same === null ? null : `((${same} as json) as ${type})`;
  }

  update(type: string, depth: number): string | null {
    const target = this.target(type, depth);
    return target === null
      ? null
      : this.scope.dice.pick([`(${target}++)`, `(${target}--)`, `(++${target})`, `(--${target})`]);
  }

  /** What can be assigned to. */
  target(type: string, depth: number): string | null {
    const { dice } = this.scope;
    if (dice.chance(60)) return this.scope.mutable(type);
    return dice.chance(50) ? this.element(type, depth) : this.field(type, depth);
  }

  small(depth: number): string {
    const { dice } = this.scope;
    const name = this.scope.variable('int', ({ isFixed }) => isFixed);
    if (name !== null && dice.chance(50))
      return dice.pick([
        name,
        name,
        name,
        name,
        name,
        `(${name} + 1)`,
        `(${name} - 1)`,
        `(${name} & 3)`,
        `(3 - ${name})`,
        `(${name} * 2)`,
      ]);
    return depth > 0 && dice.chance(15)
      ? `(${this.exact('int', depth - 1)} & ${dice.pick(['1', '3', '7'])})`
      : String(dice.below(this.dares() ? 12 : 4));
  }

  index(array: string, depth: number): string {
    const { dice } = this.scope;
    if (dice.chance(60)) return this.small(depth);
    if (this.dares()) return this.exact('int', depth);
    if (dice.chance(30)) return `(${this.exact('int', depth - 1)} % ${array}.length()).abs()`;
    return dice.pick([
      `${array}.length() - 1`,
      `(${this.exact('int', depth - 1)} % ${dice.below(4) + 1}).abs()`,
      '0',
      '1',
    ]);
  }

  key(): string {
    return JSON.stringify(this.scope.dice.pick(keys));
  }

  anyArray(): string | null {
    const found = this.scope.variables.filter(({ type }) => isArray(type));
    return found.length === 0 ? null : this.scope.variable(this.scope.dice.pick(found).type);
  }

  anyStruct(): string | null {
    const { structs, dice } = this.scope;
    return structs.length === 0 ? null : dice.pick(structs).name;
  }

  identity(depth: number): string | null {
    const { dice } = this.scope;
    const found = this.scope.variables.filter(({ type }) => !isPrimitive(type));
    if (found.length === 0) return null;
    const { type } = dice.pick(found);
    const other = type === 'json' || dice.chance(60) ? 'null' : this.exact(type, depth - 1);
    return `(${this.exact(type, 0)} ${dice.pick(['==', '!='])} ${other})`;
  }

  contains(depth: number): string | null {
    const found = this.scope.variables.filter(({ type }) => isArray(type));
    if (found.length === 0) return null;
    const { type } = this.scope.dice.pick(found);
    return `${this.scope.variable(type)}.contains(${this.of(elementOf(type), depth - 1)})`;
  }

  template(depth: number): string {
    const { dice } = this.scope;
    const part = (): string => `\${${this.exact(dice.chance(40) ? this.scope.anyType() : 'int', depth - 1)}}`;
    return (
      `\`${dice.pick(['', 'x', '<', '😀'])}${part()}` +
      `${dice.chance(40) ? `${dice.pick(['-', ', ', ''])}${part()}` : ''}\``
    );
  }

  memberOf(depth: number): string {
    const json = this.operand('json', depth - 1);
    const { dice } = this.scope;
    if (this.dares())
      return dice.pick([
        `${json}.${dice.pick(['a', 'type', 'length'])}`,
        `${json}[${this.key()}]`,
        `${json}[${this.small(depth - 1)}]`,
      ]);
    return `${json}${dice.pick(['.o', '["o"]'])}`;
  }

  jsonValue(depth: number): string {
    const { dice } = this.scope;
    if (depth > 0 && dice.chance(30)) return this.jsonLiteral(depth - 1);
    if (dice.chance(25)) return `${this.operand('json', depth - 1)}${dice.pick(['.i', '.l', '["s"]', '.l[0]', '.d'])}`;
    return dice.chance(5) ? 'null' : this.exact(this.scope.anyType(), Math.min(depth, 1));
  }

  jsonLiteral(depth: number): string {
    const { dice } = this.scope;
    if (dice.chance(4)) return `[${Array.from({ length: dice.below(4) }, () => this.jsonValue(depth - 1)).join(', ')}]`;
    const members = keys.slice(0, dice.chance(85) ? 6 + dice.below(4) : dice.below(4)).map((key) => {
      const type = typesOfKeys[key]!;
      const value =
        type === 'json'
          ? depth > 0
            ? this.jsonLiteral(depth - 1)
            : '{}'
          : dice.chance(5)
            ? this.jsonValue(depth - 1)
            : this.exact(type, Math.min(depth - 1, 1));
      return `${JSON.stringify(key)}: ${value}`;
    });
    return `{ ${(dice.chance(20) ? members.toReversed() : members).join(', ')} }`;
  }

  structLiteral(type: string, depth: number): string {
    const { dice } = this.scope;
    const fields = this.scope
      .struct(type)!
      .fields.map((field) => `${field.name}: ${this.#fieldValue(type, field.type, depth - 1)}`);
    return `{ ${(dice.chance(25) ? fields.toReversed() : fields).join(', ')} }`;
  }

  /** Where a struct holds itself, most chains end soon. */
  #fieldValue(struct: string, type: string, depth: number): string {
    const isChain = type.startsWith(struct) && this.scope.dice.chance(70);
    if (isChain) return isArray(type) ? '[]' : 'null';
    return isArray(type) && this.dares() ? 'null' : this.of(type, Math.min(depth, 1));
  }

  arrayLiteral(type: string, depth: number): string {
    const { dice } = this.scope;
    const isNested = isArray(elementOf(type));
    const length = dice.chance(4) ? 0 : dice.below(isNested ? 3 : 6) + (dice.chance(90) ? 3 : 1);
    return (
      `[${Array.from({ length }, () => this.of(elementOf(type), Math.min(depth - 1, isNested ? 0 : 1))).join(', ')}` +
      ']'
    );
  }

  exactArray(type: string, depth: number): string {
    const element = elementOf(type);
    return `[${Array.from({ length: this.scope.dice.below(4) + 2 }, () => this.exact(element, Math.min(depth - 1, 1))).join(', ')}]`;
  }

  newArray(type: string): string {
    const { dice } = this.scope;
    // Of nulls there is little to be done with.
    const base = type.replace(/\[.*/, '');
    if (!isPrimitive(base) && !dice.chance(15)) return this.exactArray(type, 1);
    const length = this.dares() ? dice.pick(['9_000_000_000_000', '(-1)', '0', '1']) : String(dice.below(6) + 3);
    const inner = type.slice(base.length + 2).replaceAll('[]', () => `[${dice.below(4) + 2}]`);
    return `new ${base}[${length}]${inner}`;
  }

  arrayOfOther(type: string, depth: number): string | null {
    const { dice } = this.scope;
    const json = (): string => this.operand('json', depth - 1);
    if (type === 'string[]')
      return dice.pick([
        `${this.operand('string', depth - 1)}.split(${literals.string(dice)})`,
        `${json()}.keys()`,
        `${json()}.getStringArray(${this.key()}, ${this.of('string[]', depth - 1)})`,
      ]);
    if (type === 'int[]') return `${json()}.getIntArray(${this.key()}, ${this.of('int[]', depth - 1)})`;
    if (type === 'double[]') return `${json()}.getDoubleArray(${this.key()}, ${this.of('double[]', depth - 1)})`;
    return this.scope.struct(elementOf(type)) === null
      ? null
      : `${json()}.getArray(${this.key()}, ${elementOf(type)}, ${this.of(type, depth - 1)})`;
  }
}
