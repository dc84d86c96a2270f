// What a generator of programs knows where it writes: types, functions and variables in sight, and the lines so far.
// Types are written as in scripts, `int`, `S1`, `string[][]`. Each statement has a line of its own, so that lines can
// be taken away.

import type { Dice } from '../random-text.ts';

export interface Variable {
  readonly name: string;
  readonly type: string;
  /** Never assigned to: a constant, or what counts a loop that would not end otherwise. */
  readonly isFixed: boolean;
}

export interface StructInfo {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

export interface Parameter {
  readonly type: string;
  readonly isOptional: boolean;
}

export interface Callable {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The element type of a variadic parameter behind the others. */
  readonly rest: string | null;
  readonly returns: string;
  /** The first parameter says how often it may still call itself. */
  readonly isRecursive: boolean;
}

/** That an argument of a library function was drawn from somewhere, or its result was kept or stored into. */
export interface Draw {
  readonly row: string;
  /** The receiver, a parameter by its name, or the result. */
  readonly part: string;
  readonly source: string;
}

export const isArray = (type: string): boolean => type.endsWith('[]');
export const elementOf = (type: string): string => type.slice(0, -2);
export const isPrimitive = (type: string): boolean => type === 'int' || type === 'double' || type === 'boolean';

export class Scope {
  readonly dice: Dice;
  readonly structs: StructInfo[] = [];
  readonly functions: Callable[] = [];
  /** Whether what is written runs again and again: then texts and arrays grow with care. */
  loops = 0;
  /** The function that is being written, where it may call itself. */
  self: Callable | null = null;
  /** A function that changes globals in so many ways, by its argument. */
  spoiler: { readonly name: string; readonly actions: number } | null = null;
  /** What was drawn for the library's functions, for the test that counts it. */
  readonly draws: Draw[] = [];
  readonly #lines: string[] = [];
  /** Lines in front of all others. */
  readonly #head: string[] = [];
  readonly #made = new Map<string, string>();
  readonly #blocks: Variable[][] = [[]];
  #indent = 0;
  #names = 0;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  get text(): string {
    return `${[...this.#head, ...this.#lines].join('\n')}\n`;
  }

  /** Declares something for the whole program, from wherever the writing is. */
  head(text: string): void {
    this.#head.push(text);
  }

  /**
   * What is shared by nothing, mostly: whoever assigns to a shared name changes what is known of all that goes through
   * it.
   */
  seldomTwice(key: string, make: () => string): string {
    return this.dice.chance(30) ? this.once(key, make) : make();
  }

  /** The name of what the program has once, made when it is first asked for. */
  once(key: string, make: () => string): string {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const name = make();
    this.#made.set(key, name);
    return name;
  }

  /** Those in sight, the innermost last: a name that is declared again hides the outer one. */
  get variables(): readonly Variable[] {
    return [...new Map(this.#blocks.flat().map((one) => [one.name, one])).values()];
  }

  get isInside(): boolean {
    return this.#indent > 0;
  }

  line(text: string): void {
    this.#lines.push('  '.repeat(this.#indent) + text);
  }

  /** `head {`, what the body writes in a scope of its own, `}`. */
  block(head: string, body: () => void): void {
    this.line(`${head} {`.trimStart());
    this.inside(body);
    this.line('}');
  }

  inside(body: () => void): void {
    this.#indent += 1;
    this.scoped(body);
    this.#indent -= 1;
  }

  scoped(body: () => void): void {
    this.#blocks.push([]);
    body();
    this.#blocks.pop();
  }

  newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  add(type: string, prefix = 'v', isFixed = false): string {
    const name = this.newName(prefix);
    this.declare({ name, type, isFixed });
    return name;
  }

  declare(variable: Variable): void {
    this.#blocks.at(-1)!.push(variable);
  }

  /** A variable of the type, an inner one more often; null where there is none. */
  variable(type: string, accept: (one: Variable) => boolean = () => true): string | null {
    const found = this.variables.filter((one) => one.type === type && accept(one));
    if (found.length === 0) return null;
    return this.dice.chance(50)
      ? found[found.length - 1 - this.dice.below(Math.min(3, found.length))]!.name
      : this.dice.pick(found).name;
  }

  mutable(type: string): string | null {
    return this.variable(type, ({ isFixed }) => !isFixed);
  }

  global(type: string): string | null {
    const found = this.#blocks[0]!.filter((one) => one.type === type && !one.isFixed && this.variables.includes(one));
    return found.length === 0 ? null : this.dice.pick(found).name;
  }

  declareGlobal(variable: Variable): void {
    this.#blocks[0]!.push(variable);
  }

  /** Any type that a variable may have. */
  anyType(): string {
    const scalars = [
      'int',
      'int',
      'int',
      'double',
      'double',
      'boolean',
      'string',
      'string',
      'json',
      ...this.structs.map(({ name }) => name),
    ];
    const type = this.dice.pick(scalars);
    return this.dice.chance(35) ? `${type}[]${this.dice.chance(20) ? '[]' : ''}` : type;
  }

  struct(type: string): StructInfo | null {
    return this.structs.find(({ name }) => name === type) ?? null;
  }
}
