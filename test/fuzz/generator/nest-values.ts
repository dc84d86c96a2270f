// Subscripts, places, conditions and numbers for generated loop nests, over the counters, arrays and scalars in sight.
// Most subscripts stay in range, as their counters do; a few do not.

import type { Dice } from '../random-text.ts';

/** A number that says how long a dimension is. */
export type Side = 'n' | 'm';
export type ElementType = 'int' | 'double';

export interface NestArray {
  readonly name: string;
  readonly element: ElementType;
  /** One for each dimension. */
  readonly sides: readonly Side[];
  /** Its rows lie one behind another in one array: it has two sides, and one index. */
  readonly isFlat?: boolean;
}

export interface Counter {
  readonly name: string;
  /** It counts up to this side, or down from it. */
  readonly side: Side;
  /** How far it stays away from 0 and from the last index. */
  readonly low: number;
  readonly high: number;
  /** What its loop must do in front of a `continue`, so that it ends; null where that is done anyway. */
  readonly step: string | null;
}

export interface Scalar {
  readonly name: string;
  readonly type: ElementType;
}

/** What can be named at a place of a nest, the innermost last. */
export interface Sight {
  readonly arrays: readonly NestArray[];
  readonly counters: readonly Counter[];
  readonly scalars: readonly Scalar[];
  /** The arrays that a nest sets, which it then reads seldom otherwise; null where it sets any. */
  readonly written: ReadonlySet<string> | null;
}

/** What may be set, or what is read: in nests that set certain arrays, one or the other. */
type Use = 'set' | 'read';

/** Functions that become part of what calls them: parameters are read twice, and there are ends in between. */
const helpers: Readonly<Record<ElementType | 'boolean', readonly Helper[]>> = {
  double: [
    {
      name: 'powers',
      takes: ['double', 'double'],
      text:
        'double powers(double x, double y) { double s = 0.0; for (int k = 0; k < 3; k++) { ' +
        'double t = x + k; if (t > y) continue; s = s * t + 0.5; } return s; }',
    },
    { name: 'square', takes: ['double'], text: 'double square(double x) { return x * x; }' },
    { name: 'mix', takes: ['double', 'double'], text: 'double mix(double a, double b) { return a * 0.5 + b * 0.25; }' },
    {
      name: 'clip',
      takes: ['double'],
      text: 'double clip(double x) { if (x > 9.0) return 9.0; if (x < -9.0) x = -x / 2; return x - 1; }',
    },
  ],
  int: [
    { name: 'twice', takes: ['int', 'int'], text: 'int twice(int a, int b) { int c = a + b; return c * c - a; }' },
    // Its iterations hand on what the step reads.
    {
      name: 'steps',
      takes: ['int'],
      text: 'int steps(int x) { int s = 1; int y = 0; for (int k = -1; k <= 1; k++, s += y) y = x * k + s; return s; }',
    },
    {
      name: 'leaps',
      takes: ['int'],
      text:
        'int leaps(int x) { int s = 0; int y = 1; for (int k = -1; k <= 1; k++, s += y) { ' +
        'if (k == x) continue; y = x * k + s; } return s; }',
    },
  ],
  boolean: [
    {
      name: 'isLess',
      takes: ['double', 'double'],
      text: 'boolean isLess(double a, double b) { double d = a - b; return d < 0.0; }',
    },
  ],
};

interface Helper {
  readonly name: string;
  readonly takes: readonly ElementType[];
  readonly text: string;
}

/** The declarations of the functions that values call. */
export const helperTexts: readonly string[] = [
  ...Object.values(helpers).flatMap((some) => some.map(({ text }) => text)),
  // Loops of their own, over few elements: one that only computes, and one that sets what others read.
  'double norm(double[] a, int n) { double s = 0.5; for (int k = 0; k < n.min(3); k++) s += a[k] * a[k]; return s; }',
  // Of constant length: it is written out and becomes part of what calls it.
  'double near(double[] a, int at) { double s = 0.25; for (int d = -1; d <= 1; d++) { int p = at + d; ' +
    'if (p >= 0 && p < a.length()) s += a[p] * d; } return s; }',
  'double halve(double[] a) { for (int k = 0; k < a.length().min(3); k++) a[k] *= 0.5; return a.length() + 0.5; }',
];

export class NestValues {
  readonly #dice: Dice;
  /** How many subscripts of a hundred take no heed of the range. */
  readonly #careless: number;
  /** Whether both sides are the same number in every run. */
  readonly #isSquare: boolean;
  /** Whether nothing is drawn that is not affine, or that could fail for another reason than a subscript. */
  readonly #isAffine: boolean;

  constructor(dice: Dice, careless: number, isSquare: boolean, isAffine: boolean) {
    this.#dice = dice;
    this.#careless = careless;
    this.#isSquare = isSquare;
    this.#isAffine = isAffine;
  }

  /** The names of one array or two. */
  someArrays({ arrays }: Sight): ReadonlySet<string> {
    const dice = this.#dice;
    return new Set(Array.from({ length: dice.pick([1, 1, 2]) }, () => dice.pick(arrays).name));
  }

  /** Of what a statement sets. */
  typeToSet({ arrays, written }: Sight): ElementType {
    const dice = this.#dice;
    const type = dice.chance(65) ? 'double' : 'int';
    if (written === null || dice.chance(20)) return type;
    return dice.pick(arrays.filter(({ name }) => written.has(name))).element;
  }

  /** An index of a dimension of that side. */
  subscript(side: Side, sight: Sight): string {
    const dice = this.#dice;
    const { counters } = sight;
    const fitting = counters.filter((one) => this.#isSquare || one.side === side || dice.chance(this.#careless));
    if (fitting.length === 0) return dice.chance(50) ? '0' : `${side} - 1`;
    const counter = dice.chance(60) ? fitting.at(-1 - dice.below(Math.min(2, fitting.length)))! : dice.pick(fitting);
    const { name, low, high } = counter;
    const other = dice.pick(counters).name;
    const distance = dice.chance(this.#careless) ? dice.below(4) - 1 : null;
    switch (dice.below(24)) {
      case 0:
      case 1:
      case 2:
        return plus(name, distance ?? (high > 0 ? dice.below(high) + 1 : 0));
      case 3:
      case 4:
      case 5:
        return plus(name, -(distance ?? (low > 0 ? dice.below(low) + 1 : 0)));
      case 6:
        return `${side} - 1 - ${name}`;
      case 7:
        return `${side} - ${name}${distance === null ? ' - 1' : ''}`;
      case 8:
        if (this.#isAffine) return name;
        return dice.pick([`${name} / 2`, `${name} & 1`, `(${name} * 3 + ${other}) % ${side}`, `${name} % ${side}`]);
      case 9:
        return distance === null ? dice.pick([name, `${name} - ${other} * 0`]) : dice.pick(farFrom(name, other));
      case 10:
        return dice.pick(['0', '0', `${side} - 1`, ...(distance === null ? [] : ['1', '2', side])]);
      case 11: {
        if (this.#isAffine) return name;
        const lists = sight.arrays.filter(({ element, sides }) => element === 'int' && sides.length === 1);
        if (lists.length === 0) return name;
        const found = `${dice.pick(lists).name}[${name}]`;
        return distance === null ? `(${found} & 7) % ${side}` : found;
      }
      default:
        return name;
    }
  }

  /** An element of an array of the type; null where there is none. */
  place(type: ElementType, sight: Sight, use: Use = 'set'): string | null {
    const { written } = sight;
    const isMeant = ({ name }: NestArray): boolean => written === null || written.has(name) === (use === 'set');
    const takesAny = use === 'read' && this.#dice.chance(16);
    const found = sight.arrays.filter((array) => array.element === type && (takesAny || isMeant(array)));
    if (found.length === 0) return null;
    // Rows that have a name of their own come last.
    const array = this.#dice.chance(25) ? found.at(-1)! : this.#dice.pick(found);
    return this.elementOf(array, sight);
  }

  elementOf(array: NestArray, sight: Sight): string {
    const subscripts = array.sides.map((side) => this.subscript(side, sight));
    return elementAt(array, subscripts, this.#dice.below(3));
  }

  /** An element and those around it, as stencils have them: all of one array, each some steps away. */
  neighbours(type: ElementType, sight: Sight): string | null {
    const dice = this.#dice;
    const { written } = sight;
    const found = sight.arrays.filter(({ name, element }) => element === type && written?.has(name) !== true);
    if (found.length === 0 || sight.counters.length === 0) return null;
    const array = dice.pick(found);
    const around = array.sides.map((side) => {
      const fitting = sight.counters.filter((one) => this.#isSquare || one.side === side);
      return dice.pick(fitting.length === 0 ? sight.counters : fitting);
    });
    const isCareless = dice.chance(this.#careless * 2);
    const one = (): string => {
      const subscripts = around.map(({ name, low, high }) => {
        const [least, most] = isCareless ? [-2, 2] : [-low, high];
        return dice.chance(40) ? name : plus(name, least + dice.below(most - least + 1));
      });
      return elementAt(array, subscripts, dice.below(3));
    };
    const others = Array.from({ length: dice.below(3) + 1 }, () => `${dice.pick(['+', '+', '-'])} ${one()}`);
    return `(${one()} ${others.join(' ')})`;
  }

  scalar(type: ElementType, { scalars }: Sight): string | null {
    const found = scalars.filter((one) => one.type === type);
    if (found.length === 0) return null;
    return (this.#dice.chance(70) ? found.at(-1)! : this.#dice.pick(found)).name;
  }

  of(type: ElementType, depth: number, sight: Sight): string {
    return type === 'int' ? this.int(depth, sight) : this.double(depth, sight);
  }

  double(depth: number, sight: Sight): string {
    const dice = this.#dice;
    const one = (): string => this.double(depth - 1, sight);
    if (depth <= 0) return this.#plainDouble(sight);
    const stencil = dice.chance(12) ? this.neighbours('double', sight) : null;
    if (stencil !== null) return stencil;
    if (dice.chance(6)) return this.#call('double', depth, sight);
    const row = dice.chance(4) ? this.#row(sight) : null;
    if (row !== null)
      return dice.pick([`norm(${row.name}, ${row.side})`, `near(${row.name}, ${row.side} - 1)`, `halve(${row.name})`]);
    switch (dice.below(16)) {
      case 0:
      case 1:
      case 2:
        return `${one()} * ${one()}`;
      case 3:
      case 4:
      case 5:
        return `(${one()} + ${one()})`;
      case 6:
        return `(${one()} - ${one()})`;
      case 7:
        return `${one()} / ${dice.pick(['2.0', '3.0', '-4.0', `(${one()})`])}`;
      case 8:
        return `(${one()}).${dice.pick(['abs()', `min(${one()})`, `max(${one()})`, `clamp(-2.0, 2.0)`])}`;
      case 9:
        return `Math.sqrt(${dice.chance(70) ? `(${one()}).abs()` : one()})`;
      case 10:
        return `(${this.condition(depth - 1, sight)} ? ${one()} : ${one()})`;
      case 11:
        return `-(${one()})`;
      case 12:
        return `(${this.int(depth - 1, sight)}).toDouble()`;
      default:
        return this.#plainDouble(sight);
    }
  }

  /** An array of doubles, or a row of a matrix of those. */
  #row(sight: Sight): { readonly name: string; readonly side: Side } | null {
    const found = sight.arrays.filter(({ element, sides }) => element === 'double' && sides.length <= 2);
    if (found.length === 0) return null;
    const { name, sides, isFlat } = this.#dice.pick(found);
    if (isFlat === true || sides.length === 1) return { name, side: sides.at(-1)! };
    return { name: `${name}[${this.subscript(sides[0]!, sight)}]`, side: sides[1]! };
  }

  #plainDouble(sight: Sight): string {
    const dice = this.#dice;
    const element = dice.chance(70) ? this.place('double', sight, 'read') : this.scalar('double', sight);
    if (element !== null) return element;
    const counter = sight.counters.at(-1)?.name ?? '1';
    return dice.pick(['0.5', '1.5', '0.25', '-1.0', '0.0', '(-0.0)', `(${counter} + 0.5)`, `${counter}.toDouble()`]);
  }

  int(depth: number, sight: Sight): string {
    const dice = this.#dice;
    const one = (): string => this.int(depth - 1, sight);
    if (depth <= 0) return this.#plainInt(sight);
    const stencil = dice.chance(12) ? this.neighbours('int', sight) : null;
    if (stencil !== null) return stencil;
    if (dice.chance(6)) return this.#call('int', depth, sight);
    switch (dice.below(16)) {
      case 0:
      case 1:
      case 2:
        return `(${one()} + ${one()})`;
      case 3:
        return `(${one()} - ${one()})`;
      case 4:
      case 5:
        return `${one()} * ${one()}`;
      case 6:
        return `(${one()} ${dice.pick(['&', '|', '^'])} ${one()})`;
      case 7:
        return `(${one()} ${dice.pick(['<<', '>>', '>>>'])} ${dice.pick(['1', '3', '33', `(${one()} & 7)`])})`;
      case 8:
        return `(${one()}).${dice.pick(['abs()', `min(${one()})`, `max(${one()})`, `clamp(-9, 9)`])}`;
      case 9:
        return `(${this.condition(depth - 1, sight)} ? ${one()} : ${one()})`;
      case 10:
        if (this.#isAffine) return `${one()} * 3`;
        return `(${one()} ${dice.pick(['/', '%'])} ${dice.chance(this.#careless) ? `(${one()})` : dice.pick(['3', '7', '2', '-5'])})`;
      case 11:
        return `(${one()} & 0xffffffff)`;
      default:
        return this.#plainInt(sight);
    }
  }

  #plainInt(sight: Sight): string {
    const dice = this.#dice;
    const element = dice.chance(60) ? this.place('int', sight, 'read') : this.scalar('int', sight);
    if (element !== null && dice.chance(85)) return element;
    return sight.counters.length > 0 && dice.chance(60)
      ? dice.pick(sight.counters).name
      : dice.pick(['1', '2', '3', '7', '-1', '1000003', '4294967296']);
  }

  #call(returns: ElementType | 'boolean', depth: number, sight: Sight): string {
    const { name, takes } = this.#dice.pick(helpers[returns]);
    return `${name}(${takes.map((type) => this.of(type, depth - 1, sight)).join(', ')})`;
  }

  condition(depth: number, sight: Sight): string {
    const dice = this.#dice;
    if (depth > 0 && dice.chance(6)) return this.#call('boolean', depth, sight);
    const { counters } = sight;
    const comparison = dice.pick(['<', '<=', '>', '>=', '==', '!=']);
    const counter = counters.length === 0 ? '1' : dice.pick(counters).name;
    switch (dice.below(8)) {
      case 0:
        return `${counter} > ${dice.below(2)}`;
      case 1: {
        const side = counters.length === 0 ? 'n' : dice.pick(counters).side;
        return `${counter} < ${side} - ${dice.below(2) + 1}`;
      }
      case 2:
        return `${counter} ${comparison} ${counters.length === 0 ? '0' : dice.pick(counters).name}`;
      case 3:
        return `${counter} ${dice.pick(['==', '!='])} ${dice.below(4)}`;
      case 4: {
        if (this.#isAffine) return `${counter} ${comparison} 3`;
        const dividend = dice.chance(40) ? counter : this.int(depth, sight);
        return `${dividend} % ${dice.pick([2, 2, 3, 4, 8])} ${dice.pick(['== 0', '!= 0', '== 1', '!= 1', '== -1'])}`;
      }
      case 5:
        return `${this.int(depth, sight)} ${comparison} ${this.int(depth - 1, sight)}`;
      default:
        return `${this.double(depth, sight)} ${comparison} ${this.double(depth - 1, sight)}`;
    }
  }
}

/** The element with these subscripts; those of a flat matrix make one index, which is written in three ways. */
export function elementAt({ name, sides, isFlat }: NestArray, subscripts: readonly string[], way = 0): string {
  if (isFlat !== true) return `${name}${subscripts.map((one) => `[${one}]`).join('')}`;
  const [row, column] = subscripts as readonly [string, string];
  const product = /^\w+$/.test(row) ? `${row} * ${sides[1]!}` : `(${row}) * ${sides[1]!}`;
  return `${name}[${[`${product} + ${column}`, `${column} + ${product}`, `${product} + (${column})`][way]!}]`;
}

/** Whether two arrays are of the same type, and their indices mean the same. */
export function areAlike(one: NestArray, other: NestArray): boolean {
  const isSame = one.sides.length === other.sides.length && one.isFlat === other.isFlat;
  return one.element === other.element && isSame;
}

function plus(name: string, by: number): string {
  return by === 0 ? name : by > 0 ? `${name} + ${by}` : `${name} - ${-by}`;
}

function farFrom(name: string, other: string): readonly string[] {
  return [`${name} + ${other}`, `${name} - ${other}`, `2 * ${name}`, `${name} * ${other}`, `${name} * 9 + ${other}`];
}
