// Random expressions for programs that stress loops: numbers, conditions, and above all indices as people write them,
// over the variables that are in sight. random-loops.ts puts statements around them.

import type { Dice } from '../fuzz/random-text.ts';

export type Kind =
  | 'int'
  | 'double'
  | 'boolean'
  | 'string'
  | 'P'
  | 'int[]'
  | 'double[]'
  | 'boolean[]'
  | 'string[]'
  | 'P[]'
  | 'int[][]';

export interface Variable {
  readonly name: string;
  readonly kind: Kind;
  /** Counts a loop that ends because nothing else sets it. */
  readonly isFixed: boolean;
  /** Holds a small number, wherever it is read. */
  readonly isSmall: boolean;
}

export const elementKinds: Readonly<Partial<Record<Kind, Kind>>> = {
  'int[]': 'int',
  'double[]': 'double',
  'boolean[]': 'boolean',
  'string[]': 'string',
  'P[]': 'P',
  'int[][]': 'int[]',
};

const edges = [
  '9223372036854775807',
  '(-9223372036854775807 - 1)',
  '9223372036854775800',
  '4611686018427387904',
  '2147483648',
  '-2147483649',
  '4294967296',
  '4294967295',
];

/** Makes expressions over the variables in sight; the innermost come last. */
export class Values {
  readonly dice: Dice;
  /** Whether there is a text called `far` of 70,000 characters, of which loops see a window. */
  readonly hasLongText: boolean;
  readonly #variables: () => readonly Variable[];
  /** A call of a function that gives an int, or null. */
  readonly #call: () => string | null;

  constructor(dice: Dice, variables: () => readonly Variable[], call: () => string | null) {
    this.dice = dice;
    this.hasLongText = dice.chance(20);
    this.#variables = variables;
    this.#call = call;
  }

  all(kind: Kind, accept: (variable: Variable) => boolean = () => true): readonly Variable[] {
    return this.#variables().filter((one) => one.kind === kind && accept(one));
  }

  /** A name of the kind, the inner ones more often. */
  name(kind: Kind, accept?: (variable: Variable) => boolean): string | null {
    const found = this.all(kind, accept);
    if (found.length === 0) return null;
    return this.dice.chance(50)
      ? found[found.length - 1 - this.dice.below(Math.min(3, found.length))]!.name
      : this.dice.pick(found).name;
  }

  constant(): string {
    return this.dice.chance(6) ? this.dice.pick(edges) : String(this.dice.below(14) - 3);
  }

  small(): string {
    const name = this.name('int', ({ isSmall }) => isSmall);
    if (name === null || this.dice.chance(25)) return String(this.dice.below(7));
    return this.dice.pick([
      name,
      name,
      name,
      name,
      `(${name} + ${this.dice.below(3)})`,
      `(${this.dice.below(9)} - ${name})`,
      `(${name} * 2)`,
    ]);
  }

  /** Mostly in range of arrays of five to a dozen elements. */
  index(array: string, depth: number): string {
    const { dice } = this;
    const i = this.name('int', ({ isSmall }) => isSmall) ?? String(dice.below(5));
    const c = dice.below(3) + 1;
    if (dice.chance(30)) return i;
    switch (dice.below(24)) {
      case 0:
        return `${i} + ${c}`;
      case 1:
        return `${i} - ${c}`;
      case 2:
        return `2 * ${i} + ${c - 1}`;
      case 3:
        return `${array}.length() - 1 - ${i}`;
      case 4:
        return `${this.small()} - ${i}`;
      case 5:
        return `${i} * ${this.small()} + ${this.small()}`;
      case 6: {
        const other = this.name('int[]');
        return other === null || depth <= 0 ? i : `${other}[${this.index(other, depth - 1)}]`;
      }
      case 7:
      case 13:
      case 14:
        return `${this.int(depth - 1)} & ${dice.pick(['3', '7', '7'])}`;
      case 8:
      case 15:
        return `(${this.int(depth - 1)} % 6).abs()`;
      case 9:
        return String(dice.below(4));
      case 10:
        return dice.chance(15) ? this.int(depth - 1) : i;
      case 11:
        return `${i} / ${c + 1}`;
      case 12:
        return dice.chance(30) ? `${dice.pick(['4', '8', '3'])} * ${i}` : i;
      default:
        return i;
    }
  }

  /** An array of the kind: a name, a field, a row. */
  array(kind: Kind, depth: number): string | null {
    const { dice } = this;
    if (kind === 'int[]' && depth > 0 && dice.chance(35)) {
      const grid = this.name('int[][]');
      if (grid !== null && dice.chance(60)) return `${grid}[${this.index(grid, depth - 1)}]`;
      const struct = this.struct(depth - 1);
      if (struct !== null) return `${struct}.xs`;
    }
    return this.name(kind);
  }

  struct(depth: number): string | null {
    const { dice } = this;
    const list = this.name('P[]');
    if (depth > 0 && list !== null && dice.chance(40)) return `${list}[${this.index(list, depth - 1)}]`;
    const name = this.name('P');
    return name !== null && dice.chance(5) ? `${name}.next` : name;
  }

  int(depth: number): string {
    const { dice } = this;
    if (depth <= 0) return dice.chance(25) ? this.constant() : (this.name('int') ?? this.constant());
    const [a, b] = [this.int(depth - 1), this.int(depth - 2)];
    const array = this.array('int[]', depth);
    const element = array === null ? a : `${array}[${this.index(array, depth - 1)}]`;
    switch (dice.below(20)) {
      case 0:
      case 1:
        return `(${a} ${dice.pick(['+', '-', '*'])} ${b})`;
      case 2:
        return `(${a} ${dice.pick(['&', '|', '^'])} ${b})`;
      case 3:
        return `(${a} ${dice.pick(['<<', '>>', '>>>'])} ${dice.below(66)})`;
      case 4:
        return `(${a} ${dice.pick(['/', '%'])} ${dice.pick(['2', '3', '7', '8', '10', '-3', '1000000007', '4', '1', '4294967296'])})`;
      case 5:
        return dice.chance(25) ? `(${a} ${dice.pick(['/', '%'])} ${this.name('int') ?? '2'})` : a;
      case 6:
        return array === null ? a : `${array}.length()`;
      case 7:
        return `(${this.condition(depth - 1)} ? ${a} : ${b})`;
      case 8:
        return this.#call() ?? element;
      case 9: {
        if (this.hasLongText && dice.chance(60))
          return (
            `far.codeAt(${this.small()} * ${dice.pick(['1', '70', '1021', '4095', '8000'])} ` +
            `+ ${dice.pick(['0', '4000', '4090', '65530', '69995'])})`
          );
        const text = this.name('string');
        return text === null
          ? a
          : dice.chance(30)
            ? `${text}.length()`
            : `${text}.codeAt(${this.index(text, depth - 1)})`;
      }
      case 10: {
        const struct = this.struct(depth);
        return struct === null ? a : `${struct}.x`;
      }
      case 11:
        return `-${a.startsWith('-') ? `(${a})` : a}`;
      case 12: {
        const doubles = this.name('double[]');
        return doubles === null
          ? a
          : dice.chance(40)
            ? `${doubles}[${this.index(doubles, depth - 1)}].toInt()`
            : `${doubles}.length()`;
      }
      default:
        return element;
    }
  }

  double(depth: number): string {
    const { dice } = this;
    if (depth <= 0) return this.name('double') ?? `${dice.below(9)}.5`;
    const array = this.name('double[]');
    switch (dice.below(5)) {
      case 0:
        return `(${this.double(depth - 1)} ${dice.pick(['+', '-', '*', '/'])} ${this.double(depth - 1)})`;
      case 1:
        return `${this.int(depth - 1).replace(/^-.*/, '7')}.toDouble()`;
      case 2:
        return `${dice.below(99)}.25`;
      default:
        return array === null ? '1.5' : `${array}[${this.index(array, depth - 1)}]`;
    }
  }

  condition(depth: number): string {
    const { dice } = this;
    const compare =
      `${this.int(Math.min(depth, 2))} ${dice.pick(['<', '<=', '>', '>=', '==', '!='])} ` + this.int(depth - 1);
    if (depth <= 0) return compare;
    const flags = this.name('boolean[]');
    switch (dice.below(9)) {
      case 0:
        return `(${this.condition(depth - 1)} ${dice.pick(['&&', '||'])} ${this.condition(depth - 1)})`;
      case 1:
      case 2:
        return flags === null ? compare : `${flags}[${this.index(flags, depth - 1)}]`;
      case 3: {
        const struct = this.struct(depth);
        return struct === null ? compare : `${struct} ${dice.pick(['==', '!='])} null`;
      }
      case 4:
        return `${this.int(1)} % ${dice.pick(['2', '3', '4', '8'])} ${dice.pick(['==', '!='])} 0`;
      case 5:
        return `${this.double(1)} < ${this.double(1)}`;
      default:
        return compare;
    }
  }

  string(depth: number): string {
    const { dice } = this;
    const texts = this.name('string[]');
    const name = this.name('string');
    switch (dice.below(4)) {
      case 0:
        return texts === null ? '"q"' : `${texts}[${this.index(texts, depth - 1)}]`;
      case 1:
        return name !== null && dice.chance(50) ? `${name}.charAt(${this.index(name, depth - 1)})` : '"é"';
      case 2:
        return `\`\${${this.int(depth - 1)}}\``;
      default:
        return dice.pick(['"a"', '"𝄞b"', '"日本"', '"xyz"']);
    }
  }

  /** A value of the kind that a variable can start with. */
  fresh(kind: Kind): string {
    const { dice } = this;
    const list = (item: () => string): string =>
      `[${Array.from({ length: dice.below(5) + (dice.chance(90) ? 9 : 1) }, item).join(', ')}]`;
    switch (kind) {
      case 'int':
        return this.constant();
      case 'double':
        return `${dice.below(30)}.5`;
      case 'boolean':
        return dice.pick(['true', 'false']);
      case 'string':
        return dice.pick(['"hello, 世界"', '"a𝄞b😀cdef"', '"0123456789"', '""']);
      case 'P':
        return dice.chance(8)
          ? 'null'
          : `{ x: ${this.constant()}, d: ${dice.below(9)}.25, xs: ` +
              `${dice.chance(85) ? list(() => this.constant()) : 'null'}, next: null }`;
      case 'int[]':
        if (dice.chance(8)) return dice.pick(['null', '[]']);
        return dice.chance(25)
          ? `new int[${this.small().replace(/^\(\d - .*/, '6')}]`
          : list(() => (dice.chance(50) ? String(dice.below(7)) : this.constant()));
      case 'double[]':
        return list(() => `${dice.below(20)}.5`);
      case 'boolean[]':
        return list(() => dice.pick(['true', 'false']));
      case 'string[]':
        return list(() => dice.pick(['"a"', '"b𝄞"', '""', '"long text"']));
      case 'P[]':
        return list(() => this.fresh('P'));
      case 'int[][]':
        return dice.chance(30)
          ? `new int[${dice.below(6) + 6}][${dice.below(6) + 6}]`
          : list(() => (dice.chance(3) ? 'null' : list(() => String(dice.below(9)))));
    }
  }

  /** Any value of the kind, from variables and anew. */
  value(kind: Kind, depth: number): string {
    switch (kind) {
      case 'int':
        return this.int(depth);
      case 'double':
        return this.double(depth);
      case 'boolean':
        return this.condition(depth);
      case 'string':
        return this.string(depth);
      case 'P':
        return this.dice.chance(65) ? (this.struct(depth) ?? this.fresh(kind)) : this.fresh(kind);
      case 'P[]':
      case 'boolean[]':
      case 'double[]':
      case 'int[]':
      case 'int[][]':
      case 'string[]':
        return this.dice.chance(70) ? (this.array(kind, depth) ?? this.fresh(kind)) : this.fresh(kind);
    }
  }
}
