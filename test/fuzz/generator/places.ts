// Where arguments of library functions come from: variables, globals, fields, elements and results of calls, each made
// where none is in sight, and literals. Of all but literals the program goes on holding what it handed over.

import { closedValue, exactValue, isParticular } from './closed-values.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';

export const sources = ['variable', 'global', 'field', 'element', 'call', 'literal'] as const;
export type Source = (typeof sources)[number];

export interface Place {
  readonly text: string;
  readonly type: string;
  /** What reads the same object again, or is assigned to; null where there is no such thing. */
  readonly name: string | null;
}

/** What has a name of its own beside the place that holds it. */
export interface Part {
  readonly name: string;
  readonly type: string;
}

export interface Wanted {
  readonly type: string;
  /** Of the parameter, which says what is usual. */
  readonly name: string;
  /** In front of a dot, or where nothing says what type a literal has. */
  readonly isExact: boolean;
  readonly isNullable: boolean;
  /** Something is assigned to the place, which must not be a constant then. */
  readonly isAssigned?: boolean;
}

export class Places {
  readonly scope: Scope;
  /** Gives a call of another library function with that result, where there is one. */
  readonly #libraryCall: (type: string) => string | null;
  #parts: Part[] = [];

  constructor(scope: Scope, libraryCall: (type: string) => string | null) {
    this.scope = scope;
    this.#libraryCall = libraryCall;
  }

  /** Writes lines in front, where something is to be declared. */
  of(source: Source, wanted: Wanted): Place {
    switch (source) {
      case 'variable':
        return this.#named(
          wanted,
          this.#anyOf(wanted, () =>
            wanted.isAssigned === true ? this.scope.mutable(wanted.type) : this.scope.variable(wanted.type),
          ) ?? this.local(wanted.type, this.#value(wanted)),
        );
      case 'global':
        return this.#named(
          wanted,
          this.#anyOf(wanted, () => this.scope.global(wanted.type)) ??
            this.#global(wanted.type, () => this.#value(wanted, false)),
        );
      case 'field':
        return this.#named(wanted, this.#field(wanted));
      case 'element':
        return this.#named(wanted, this.#element(wanted));
      case 'call':
        return this.#call(wanted);
      case 'literal':
        return { text: this.#literal(wanted), type: wanted.type, name: null };
    }
  }

  /** The parts of all that was made since this was asked for last. */
  takeParts(): readonly Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** A new local; most of them are used by nothing else, so that what is known of them stays known. */
  local(type: string, value: string): string {
    const name = this.scope.newName('a');
    this.scope.line(`${type} ${name} = ${value};`);
    if (this.scope.dice.chance(30)) this.scope.declare({ name, type, isFixed: false });
    return name;
  }

  #named({ type }: Wanted, name: string): Place {
    return { text: name, type, name };
  }

  /** Where a certain value is usual, what is in sight would hardly do. */
  #anyOf({ name, type }: Wanted, find: () => string | null): string | null {
    return isParticular(type, name) || this.scope.dice.chance(65) ? null : find();
  }

  /** Where it may stand in a function of its own, no local is in sight. */
  #value({ type, name, isNullable }: Wanted, isLocal = true): string {
    const { scope } = this;
    const { dice } = scope;
    if (isNullable && dice.chance(6)) return 'null';
    return (dice.chance(35) ? this.#around(type, isLocal) : null) ?? closedValue(scope, type, name);
  }

  /** A value that holds something with a name of its own; null for what holds no objects. */
  #around(type: string, isLocal: boolean): string | null {
    const { scope } = this;
    const { dice } = scope;
    if (type === 'json') return `{ "i": 1, ${dice.pick(['"o"', '"k"'])}: ${this.#part('json', isLocal)} }`;
    if (isArray(type)) {
      const element = elementOf(type);
      if (isPrimitive(element) || element === 'string') return null;
      const part = this.#part(element, isLocal);
      return `[${dice.pick([`${part}, ${part}`, `${part}, ${closedValue(scope, element)}`, `${closedValue(scope, element)}, ${part}`])}, ${part}]`;
    }
    const fields = scope.struct(type)?.fields ?? [];
    const held = fields.filter(
      (field) => !isPrimitive(field.type) && field.type !== 'string' && !field.type.startsWith(type),
    );
    if (held.length === 0) return null;
    const one = dice.pick(held);
    return `{ ${fields.map((field) => `${field.name}: ${field === one ? this.#part(field.type, isLocal) : field.type.startsWith(type) ? (isArray(field.type) ? '[]' : 'null') : closedValue(scope, field.type)}`).join(', ')} }`;
  }

  #part(type: string, isLocal: boolean): string {
    const { scope } = this;
    const value = closedValue(scope, type);
    if (isLocal) {
      const name = this.local(type, value);
      this.#parts.push({ name, type });
      return name;
    }
    const name = scope.newName('g');
    scope.head(`${type} ${name} = ${value};`);
    this.#parts.push({ name, type });
    return name;
  }

  #literal(wanted: Wanted): string {
    if (!wanted.isExact) return this.#value(wanted);
    const value = exactValue(this.scope, wanted.type, wanted.name);
    return wanted.type === 'int' || !/^[("[a-z]/.test(value) ? `(${value})` : value;
  }

  #global(type: string, value: () => string): string {
    const { scope } = this;
    const name = scope.newName('g');
    scope.head(`${type} ${name} = ${value()};`);
    if (scope.dice.chance(20)) scope.declareGlobal({ name, type, isFixed: false });
    if (scope.dice.chance(40)) scope.line(`${name} = ${value()};`);
    return name;
  }

  /** A struct that has a field of the type. */
  #holder(type: string): string {
    return this.scope.seldomTwice(`holder of ${type}`, () => {
      const name = this.scope.newName('H');
      this.scope.head(`type ${name} { ${type} held; int n; }`);
      this.scope.structs.push({
        name,
        fields: [
          { name: 'held', type },
          { name: 'n', type: 'int' },
        ],
      });
      return name;
    });
  }

  #field(wanted: Wanted): string {
    const { scope } = this;
    const struct = this.#holder(wanted.type);
    const known = this.#anyOf(wanted, () => scope.variable(struct));
    if (known !== null) return `${known}.held`;
    const literal = (isLocal: boolean): string => `{ held: ${this.#value(wanted, isLocal)}, n: 1 }`;
    return (
      (scope.dice.chance(70) ? this.local(struct, literal(true)) : this.#global(struct, () => literal(false))) + '.held'
    );
  }

  #element(wanted: Wanted): string {
    const { scope } = this;
    const type = `${wanted.type}[]`;
    const known = this.#anyOf(wanted, () => scope.variable(type));
    if (known !== null) return `${known}[${scope.dice.below(3)}]`;
    const literal = (isLocal: boolean): string =>
      `[${Array.from({ length: 3 }, () => this.#value(wanted, isLocal)).join(', ')}]`;
    return (
      `${scope.dice.chance(70) ? this.local(type, literal(true)) : this.#global(type, () => literal(false))}[` +
      `${scope.dice.pick(['0', '1', '2', '(2 - 1)'])}]`
    );
  }

  /** A function that gives what it is given, or part of it, or of a global; or another function of the library. */
  #call(wanted: Wanted): Place {
    const { scope } = this;
    const { type } = wanted;
    const { dice } = scope;
    const ways = [
      () => this.#passed(wanted),
      () => this.#passed(wanted),
      () => {
        const name = this.#global(type, () => this.#value(wanted, false));
        return { text: `${this.#fn(type, '', `return ${name};`)}()`, type, name };
      },
      () => {
        const struct = this.#holder(type);
        const name = this.local(struct, `{ held: ${this.#value(wanted)}, n: 2 }`);
        return { text: `${this.#fn(type, `${struct} h`, 'return h.held;')}(${name})`, type, name: `${name}.held` };
      },
      () => {
        const name = this.local(`${type}[]`, `[${this.#value(wanted)}, ${this.#value(wanted)}]`);
        return {
          text: `${this.#fn(type, `${type}[] xs, int i`, 'return xs[i];')}(${name}, 0)`,
          type,
          name: `${name}[0]`,
        };
      },
      () => ({ text: `${this.#fn(type, '', `return ${this.#value(wanted, false)};`)}()`, type, name: null }),
      () => {
        const known = this.#anyOf(wanted, () => this.#libraryCall(type));
        return known === null ? this.#passed(wanted) : { text: known, type, name: null };
      },
    ];
    return dice.pick(ways)();
  }

  #passed(wanted: Wanted): Place {
    const { dice } = this.scope;
    const { type } = wanted;
    const inner = this.of(dice.pick(['variable', 'global', 'field', 'element']), wanted);
    const bodies = [
      'return x;',
      'return x;',
      `return ${dice.pick(['x == x', '1 < 2', 'flag()'])} ? x : x;`,
      `${type} y = x; return y;`,
      `for (int n = 0; n < 2; n++) if (n == 1) return x; return x;`,
    ];
    const body = dice.pick(bodies);
    if (body.includes('flag()'))
      this.scope.once('flag', () => (this.scope.head('boolean flag() { return 1 < 2; }'), 'flag'));
    const fn = this.#fn(type, `${type} x`, body);
    return { text: dice.chance(20) ? `${inner.text}.${fn}()` : `${fn}(${inner.text})`, type, name: inner.name };
  }

  #fn(type: string, parameters: string, body: string): string {
    return this.scope.seldomTwice(`${type}(${parameters}) ${body}`, () => {
      const name = this.scope.newName('k');
      this.scope.head(`${type} ${name}(${parameters}) { ${body} }`);
      return name;
    });
  }
}

/** What stands for `T`: a struct for what takes the name of one. */
export function drawTypeArgument(scope: Scope, isStruct: boolean): string {
  const { dice } = scope;
  const struct = (): string =>
    scope.structs.length > 0 && dice.chance(30) ? dice.pick(scope.structs).name : rowStruct(scope);
  if (isStruct) return struct();
  // Most is known of arrays of ints, so most can be wrong about them.
  if (dice.chance(60)) return dice.pick(['int', 'int', 'int[]', 'int[]', 'int[][]']);
  return dice.pick([
    'double',
    'boolean',
    'string',
    'json',
    struct(),
    struct(),
    'double[]',
    'string[]',
    `${struct()}[]`,
  ]);
}

/** A struct as the json literals have it. */
function rowStruct(scope: Scope): string {
  return scope.once('row', () => {
    const name = scope.newName('R');
    scope.head(`type ${name} { int n; double d; string s; int[] l; ${name} next; }`);
    const fields = [
      ['n', 'int'],
      ['d', 'double'],
      ['s', 'string'],
      ['l', 'int[]'],
      ['next', name],
    ] as const;
    scope.structs.push({ name, fields: fields.map(([field, type]) => ({ name: field, type })) });
    return name;
  });
}
