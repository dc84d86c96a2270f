// Loops in loops for generated programs, one to four deep, over matrices and rows: rectangles, triangles, strips, up
// and down, with sums, swaps and stencils in them, and now and then with what no optimiser of nests can take.

import type { Dice } from '../random-text.ts';
import { NestValues } from './nest-values.ts';
import type { Counter, ElementType, Scalar, Side, Sight } from './nest-values.ts';
import { boundShapes } from './bound-shapes.ts';
import { narrowShapes } from './narrow-shapes.ts';
import { carriedShapes } from './carried-shapes.ts';
import { endShapes } from './end-shapes.ts';
import { intervalShapes } from './interval-shapes.ts';
import { laneShapes } from './lane-shapes.ts';
import { smallSides } from './small-sides.ts';
import { matrixShapes } from './matrix-shapes.ts';
import { arraysFor, ShapeWriter } from './nest-shapes.ts';
import type { Shape } from './nest-shapes.ts';
import { pivotShapes } from './pivot-shapes.ts';
import { rangeShapes } from './range-shapes.ts';
import { recurrenceShapes } from './recurrence-shapes.ts';
import { reductionShapes } from './reduction-shapes.ts';
import { rowShapes } from './row-shapes.ts';
import { sweepShapes } from './sweep-shapes.ts';
import { valueShapes } from './value-shapes.ts';
import type { Scope } from './scope.ts';

/** They are set to other arrays, resized, or come from literals and library functions. */
export type RowHabit = 'set' | 'resized' | 'made' | 'any';

/** How nests of a program are drawn. */
export interface NestStyle {
  /** Subscripts of a hundred that take no heed of the range. */
  readonly careless: number;
  readonly isSquare: boolean;
  /** Nothing but loops that count, affine subscripts and locals: what can be worked out in another order. */
  readonly isAffine: boolean;
  /** Loops are left, hand something out, fail, call and resize. */
  readonly isWild: boolean;
  /**
   * What happens to rows of matrices; null for nothing. Mostly one thing alone, since another may hide what is wrongly
   * taken for granted.
   */
  readonly rows: RowHabit | null;
  /** Nests of a hundred that are of a kind that programs are known to have (nest-shapes.ts). */
  readonly shapes: number;
  /** All of one kind; null for any. */
  readonly kind: readonly Shape[] | null;
}

/** A call that may stand in a nest. */
export type Call = (sight: Sight) => string | null;

/** At most so many iterations of a nest, by how often its loops go along each side. */
export interface Cost {
  readonly n: number;
  readonly m: number;
}

const common = [
  matrixShapes,
  matrixShapes,
  sweepShapes,
  sweepShapes,
  valueShapes,
  valueShapes,
  laneShapes,
  laneShapes,
  laneShapes,
  reductionShapes,
  reductionShapes,
  reductionShapes,
  endShapes,
  endShapes,
] as const;
const shapes = [
  ...common,
  ...common,
  smallSides,
  rowShapes,
  rowShapes,
  rangeShapes,
  rangeShapes,
  intervalShapes,
  intervalShapes,
  pivotShapes,
  pivotShapes,
  recurrenceShapes,
  narrowShapes,
  carriedShapes,
  boundShapes,
] as const;

export class Nests {
  /** Of the loops so far, each. */
  readonly costs: Cost[] = [];
  readonly #scope: Scope;
  readonly #dice: Dice;
  readonly #style: NestStyle;
  readonly #values: NestValues;
  readonly #call: Call;
  /** What `return` gives; null where it may not stand. */
  readonly #returns: ElementType | null;
  /** A variable that nothing but the nest reads. */
  #kept: string | null = null;

  constructor(scope: Scope, style: NestStyle, call: Call, returns: ElementType | null) {
    this.#scope = scope;
    this.#dice = scope.dice;
    this.#style = style;
    this.#values = new NestValues(scope.dice, style.careless, style.isSquare, style.isAffine);
    this.#call = call;
    this.#returns = returns;
  }

  /** A nest, in a `try` perhaps, whose clause shows how far it got. */
  nest(seen: Sight): void {
    const dice = this.#dice;
    const sight = { ...seen, written: this.#style.isAffine && dice.chance(85) ? this.#values.someArrays(seen) : null };
    const depth = dice.pick(this.#style.isAffine ? [2, 2, 2, 3, 3, 3, 4] : [1, 1, 2, 2, 2, 2, 3, 3, 3, 4]);
    this.#kept = dice.chance(40) ? this.#scope.newName('kept') : null;
    if (this.#kept !== null) this.#scope.line(`double ${this.#kept} = ${dice.pick(['1.5', 'total'])};`);
    const write = (): void => {
      if (!dice.chance(this.#style.shapes) || !this.#shape(seen)) this.#loop(depth, sight, { n: 0, m: 0 });
    };
    if (!dice.chance(this.#style.isWild ? 35 : 12)) return write();
    this.#scope.line('try {');
    this.#scope.inside(write);
    this.#scope.block('} catch (e)', () => {
      const shown = [...sight.scalars, ...sight.arrays.filter(({ sides }) => sides.length === 1)];
      this.#scope.line(`yield \`\${e} ${shown.map(({ name }) => `\${${name}}`).join(' ')}\`;`);
    });
  }

  /** One of a kind that programs are known to have; false where there are no arrays for it. */
  #shape(sight: Sight): boolean {
    const write = new ShapeWriter(this.#scope, this.#style.isWild ? (this.#returns ?? 'void') : null, this.#returns);
    const arrays = arraysFor(sight, this.#style.isSquare, write);
    if (arrays === null) return false;
    const { dice } = this.#scope;
    dice.pick(this.#style.kind ?? dice.pick(shapes))(write, arrays);
    this.costs.push(...write.costs);
    return true;
  }

  #loop(depth: number, sight: Sight, around: Cost): void {
    const dice = this.#dice;
    const side = this.#sideOf(sight);
    const drawn = {
      name: this.#scope.newName('ijkl'[sight.counters.length] ?? 'c'),
      side,
      low: dice.chance(65) ? 0 : dice.below(2) + 1,
      high: dice.chance(65) ? 0 : dice.below(2) + 1,
    };
    const cost = { ...around, [side]: around[side] + 1 };
    this.costs.push(cost);
    const { before, head, step } = this.#headOf(drawn, sight);
    const inside = { ...sight, counters: [...sight.counters, { ...drawn, step }] };
    const along = !this.#style.isAffine && dice.chance(15) ? this.#along(inside) : null;
    if (before !== null) this.#scope.line(before);
    this.#scope.block(head, () => {
      if (step !== null && !this.#style.isAffine && dice.chance(30))
        this.#scope.line(`if (${this.#values.condition(1, inside)}) { ${step} continue; }`);
      if (depth > 1) this.#between(depth, along?.sight ?? inside, cost);
      else for (let count = dice.pick([1, 1, 2, 2, 3]); count > 0; count--) this.#leaf(along?.sight ?? inside, 1);
      for (const line of along?.moves ?? []) this.#scope.line(line);
      if (step !== null) this.#scope.line(step);
    });
  }

  /** A variable that goes along with the counted one, or nearly so: it moves in most iterations, or further in some. */
  #along(sight: Sight): { readonly sight: Sight; readonly moves: readonly string[] } {
    const dice = this.#dice;
    const { side, step } = sight.counters.at(-1)!;
    const name = this.#scope.newName('at');
    const first = dice.chance(75)
      ? '0'
      : this.#values.subscript(side, { ...sight, counters: sight.counters.slice(0, -1) });
    this.#scope.line(`int ${name} = ${first};`);
    const move = dice.pick([`${name}++;`, `${name}++;`, `${name} += 2;`, `${name}--;`, `++${name};`]);
    const condition = this.#values.condition(1, sight);
    const sometimes = [
      `if (${condition}) ${move}`,
      `if (${condition}) ${name} += 3;`,
      `if (${condition}) ${name} = 0;`,
    ];
    const counter: Counter = { name, side, low: 0, high: 0, step };
    return {
      sight: { ...sight, counters: [...sight.counters, counter] },
      moves: dice.pick([[move], [move], [move, dice.pick(sometimes)], [dice.pick(sometimes)]]),
    };
  }

  /** Of some array; mostly one that no loop around goes along yet. */
  #sideOf({ arrays, counters }: Sight): Side {
    const dice = this.#dice;
    const sides = dice.pick(arrays).sides;
    const left = sides.filter((side) => counters.every((one) => one.side !== side));
    return dice.pick(left.length > 0 && dice.chance(60) ? left : sides);
  }

  #headOf(
    { name, side, low, high }: Omit<Counter, 'step'>,
    sight: Sight,
  ): { readonly head: string; readonly before: string | null; readonly step: string | null } {
    const dice = this.#dice;
    const last = high === 0 ? `${side} - 1` : `${side} - ${high + 1}`;
    const end = this.#endOf(side, high, sight);
    const outer = sight.counters.length === 0 ? null : dice.pick(sight.counters);
    const plain = { before: null, step: null };
    const up = `for (int ${name} = ${low}; ${name} < ${end}; ${name}++)`;
    if (outer !== null && dice.chance(22))
      return {
        ...plain,
        head: dice.pick([
          `for (int ${name} = ${low}; ${name} < ${outer.name}; ${name}++)`,
          `for (int ${name} = ${low}; ${name} <= ${outer.name}; ${name}++)`,
          `for (int ${name} = ${outer.name}; ${name} < ${end}; ${name}++)`,
          `for (int ${name} = ${outer.name} + 1; ${name} < ${end}; ${name}++)`,
          `for (int ${name} = ${outer.name} - 1; ${name} >= ${low}; ${name}--)`,
          ...(this.#style.isAffine
            ? []
            : [`for (int ${name} = ${outer.name}; ${name} < (${outer.name} + 4).min(${end}); ${name}++)`]),
          `for (int ${name} = ${low}; ${name} < ${side} - ${outer.name}; ${name}++)`,
        ]),
      };
    switch (dice.below(20)) {
      case 0:
        return { ...plain, head: `for (int ${name} = ${low}; ${name} <= ${last}; ${name}++)` };
      case 1:
      case 2:
        return { ...plain, head: `for (int ${name} = ${last}; ${name} >= ${low}; ${name}--)` };
      case 3:
        return {
          ...plain,
          head: `for (int ${name} = ${low}; ${name} < ${end}; ${name} += ${dice.pick([2, 3, 4])})`,
        };
      case 4:
        return {
          ...plain,
          head: `for (int ${name} = ${last}; ${name} > ${low - 1}; ${name} -= ${dice.pick([1, 2, 3])})`,
        };
      case 5:
      case 6:
        return {
          before: `int ${name} = ${low};`,
          head: `while (${name} < ${end})`,
          step: dice.pick([`${name}++;`, `${name}++;`, `${name} += 2;`]),
        };
      case 7:
        if (this.#style.isAffine) return { ...plain, head: dice.pick([up, ...tilesOf(name, low, end)]) };
        return {
          ...plain,
          head: dice.pick([
            `for (int ${name} = ${low}; ${name} < ${dice.below(6)}; ${name}++)`,
            `for (int ${name} = ${low}; ${name} * ${name} < ${side}; ${name}++)`,
            `for (int ${name} = 1; ${name} < ${end}; ${name} *= 2)`,
            `for (int ${name} = ${low}; ${name} < ${end} && ${this.#values.condition(1, sight)}; ${name}++)`,
            `for (int ${name} = ${low}, up${name} = ${last}; ${name} < up${name}; ${name}++, up${name}--)`,
          ]),
        };
      default:
        return { ...plain, head: up };
    }
  }

  /** What a loop along a side counts to: the number, or the length of what is as long. */
  #endOf(side: Side, high: number, { arrays }: Sight): string {
    const dice = this.#dice;
    const found = arrays.filter(
      ({ sides, isFlat }) => isFlat !== true && (this.#style.isAffine ? sides[0] === side : sides.includes(side)),
    );
    if (dice.chance(this.#style.careless)) return `${side} + 1`;
    if (found.length === 0 || dice.chance(65)) return high === 0 ? side : `${side} - ${high}`;
    const { name, sides } = dice.pick(found);
    const length = `${name}${sides[0] === side ? '' : '[0]'}.length()`;
    return high === 0 ? length : `${length} - ${high}`;
  }

  /** What stands in a loop around others: sums that the inner one works out, rows with names, values handed on. */
  #between(depth: number, sight: Sight, cost: Cost): void {
    const dice = this.#dice;
    let { arrays, written } = sight;
    const sums: Scalar[] = [];
    const now = (): Sight => ({ ...sight, arrays, written, scalars: [...sight.scalars, ...sums] });
    for (let count = dice.pick([0, 1, 1, 2]); count > 0; count--) {
      const type = dice.chance(70) ? 'double' : 'int';
      const sum = { name: this.#scope.newName('s'), type } as const;
      const first = dice.chance(60) ? (type === 'int' ? '0' : '0.0') : this.#values.of(type, 1, now());
      this.#scope.line(`${type} ${sum.name} = ${first};`);
      sums.push(sum);
    }
    const matrices = arrays.filter(({ sides, isFlat }) => sides.length > 1 && isFlat !== true);
    if (matrices.length > 0 && dice.chance(30)) {
      const { name: whole, element, sides } = dice.pick(matrices);
      const row = { name: this.#scope.newName('r'), element, sides: sides.slice(1) };
      const type = `${element}${'[]'.repeat(row.sides.length)}`;
      this.#scope.line(`${type} ${row.name} = ${whole}[${this.#values.subscript(sides[0]!, sight)}];`);
      arrays = [...arrays, row];
      if (written?.has(whole) === true) written = new Set([...written, row.name]);
    }
    const kept = this.#style.isAffine && dice.chance(18) ? this.#values.scalar('double', sight) : null;
    const other = kept === null ? null : this.#values.place('double', now());
    const set = `${kept} = ${this.#values.double(1, now())}; ${other} += ${kept};`;
    if (other !== null) this.#scope.line(`if (${this.#values.condition(1, sight)}) { ${set} }`);
    if (dice.chance(30)) this.#leaf(now(), 1);
    for (let count = dice.chance(85) ? 1 : 2; count > 0; count--) this.#perhaps(depth - 1, now(), cost);
    for (const { name, type } of sums) {
      const place = dice.chance(85) ? this.#values.place(type, { ...sight, arrays, written }) : null;
      if (place !== null) this.#scope.line(`${place} ${dice.pick(['=', '=', '+=', '-='])} ${name};`);
    }
    if (other !== null) this.#scope.line(`${other} -= ${kept};`);
    if (dice.chance(25)) this.#leaf(now(), 1);
  }

  /** A loop inside, under a condition now and then. */
  #perhaps(depth: number, sight: Sight, cost: Cost): void {
    const dice = this.#dice;
    if (!dice.chance(22)) return this.#loop(depth, sight, cost);
    const [{ name, low }] = [dice.pick(sight.counters)];
    const counted = [`${name} > ${low}`, `${name} != ${low + 1}`, `${name} % 3 != 1`, `${name} < ${low + 3}`];
    const condition = dice.chance(60) ? this.#values.condition(1, sight) : dice.pick(counted);
    // What nothing but the nest reads, and keeps what it was where the branch is not taken.
    const kept = this.#kept !== null && dice.chance(40) ? this.#kept : null;
    const place = kept === null ? null : this.#values.place('double', sight);
    this.#scope.block(`if (${condition})`, () => {
      if (kept !== null) this.#scope.line(`${kept} = ${this.#values.double(1, sight)};`);
      if (dice.chance(30)) this.#leaf(sight, 1);
      this.#loop(depth, sight, cost);
      if (dice.chance(30)) this.#leaf(sight, 1);
    });
    if (dice.chance(20)) this.#scope.block(`else if (${this.#values.condition(1, sight)})`, () => this.#leaf(sight, 1));
    if (dice.chance(25)) this.#scope.block('else', () => this.#loop(depth, sight, cost));
    else if (dice.chance(20)) this.#scope.block('else', () => this.#leaf(sight, 1));
    if (place !== null) this.#scope.line(`${place} += ${kept};`);
  }

  #leaf(sight: Sight, depth: number): void {
    const dice = this.#dice;
    if (this.#style.isWild && dice.chance(9)) return this.#wild(sight);
    if (this.#style.rows !== null && dice.chance(8)) return this.#row(sight);
    if (depth > 0 && dice.chance(18)) {
      this.#scope.block(`if (${this.#values.condition(1, sight)})`, () => this.#leaf(sight, depth - 1));
      if (dice.chance(35)) this.#scope.block('else', () => this.#leaf(sight, depth - 1));
      return;
    }
    if (depth > 0 && sight.counters.length > 0 && dice.chance(8)) return this.#guarded(sight, depth);
    const type = this.#values.typeToSet(sight);
    if (this.#style.isAffine && sight.counters.length > 1 && dice.chance(60)) {
      const still = this.#values.place(type, { ...sight, counters: sight.counters.slice(0, -1) });
      if (still !== null)
        return this.#scope.line(`${still} ${dice.pick(['+=', '-='])} ${this.#values.of(type, 1, sight)};`);
    }
    const scalar = dice.chance(40) ? this.#values.scalar(type, sight) : null;
    const place = scalar ?? this.#values.place(type, sight) ?? this.#values.scalar(type, sight);
    if (place === null)
      return this.#scope.line(
        `${this.#values.place('double', sight) ?? this.#values.place('int', sight) ?? 'total'} += 1;`,
      );
    const value = this.#values.of(type, dice.below(3), sight);
    switch (dice.below(12)) {
      case 0: {
        const comparison = dice.pick(['<', '>', '<=']);
        return this.#scope.line(`if (${value} ${comparison} ${place}) ${place} = ${value};`);
      }
      case 1: {
        const other = this.#values.place(type, sight);
        if (other === null || scalar !== null) return this.#scope.line(`${place} -= ${value};`);
        const kept = this.#scope.newName('t');
        this.#scope.line(`${type} ${kept} = ${place};`);
        this.#scope.line(`${place} = ${other};`);
        return this.#scope.line(`${other} = ${kept};`);
      }
      case 2:
        return this.#scope.line(type === 'int' ? `${place}++;` : `${place} *= 0.5;`);
      case 3:
        return this.#scope.line(`${place} = ${place} * ${type === 'int' ? '3' : '0.5'} + ${value};`);
      case 4:
      case 5:
        return this.#scope.line(`${place} = ${value};`);
      case 6:
        return this.#scope.line(`${place} ${type === 'int' ? dice.pick(['^=', '&=', '*=', '|=']) : '-='} ${value};`);
      default:
        return this.#scope.line(`${place} += ${value};`);
    }
  }

  /** Behind a condition that keeps a counter further from the ends, so that subscripts may be further from it. */
  #guarded(sight: Sight, depth: number): void {
    const dice = this.#dice;
    const drawn = dice.below(sight.counters.length);
    const { name, side, low, high } = sight.counters[drawn]!;
    const by = dice.pick([1, 1, 2]);
    const [isLow, isHigh] = dice.pick([
      [true, false],
      [false, true],
      [true, true],
    ]);
    const lows = [`${name} >= ${low + by}`, `${name} > ${low + by - 1}`, `!(${name} < ${low + by})`];
    if (by === 1) lows.push(`${name} != ${low}`);
    const highs = [
      `${name} < ${side} - ${high + by}`,
      `${name} + ${high + by} < ${side}`,
      `${side} - 1 - ${name} >= ${high + by}`,
    ];
    const tests = [...(isLow ? [dice.pick(lows)] : []), ...(isHigh ? [dice.pick(highs)] : [])];
    const counters = sight.counters.with(drawn, {
      ...sight.counters[drawn]!,
      low: isLow ? low + by : low,
      high: isHigh ? high + by : high,
    });
    const inside = { ...sight, counters };
    if (dice.chance(25)) {
      const type = this.#values.typeToSet(sight);
      const [place, guarded] = [this.#values.place(type, sight), this.#values.of(type, 1, inside)];
      if (place !== null)
        return this.#scope.line(`${place} += ${tests.join(' && ')} ? ${guarded} : ${type === 'int' ? '1' : '0.5'};`);
    }
    this.#scope.block(`if (${tests.join(' && ')})`, () => this.#leaf(inside, depth - 1));
    if (dice.chance(35)) this.#scope.block('else', () => this.#leaf(sight, depth - 1));
  }

  /** What keeps a loop from being worked out in another order. */
  #wild(sight: Sight): void {
    const dice = this.#dice;
    const condition = this.#values.condition(1, sight);
    const lists = sight.arrays.filter(({ sides }) => sides.length === 1);
    const list = lists.length === 0 ? null : dice.pick(lists);
    const value = list === null ? '' : this.#values.of(list.element, 1, sight);
    const call = this.#call(sight);
    const { step } = sight.counters.at(-1)!;
    this.#scope.line(
      dice.pick([
        `if (${condition}) break;`,
        `if (${condition}) ${step === null ? 'continue;' : `{ ${step} continue; }`}`,
        `if (${condition} && said++ < 20) yield ${this.#values.of('double', 1, sight)};`,
        `if (${condition} && said++ > 30) throw "stop";`,
        ...(this.#returns === null ? [] : [`if (${condition}) return ${this.#values.of(this.#returns, 1, sight)};`]),
        ...(call === null ? [] : [`${call};`, `if (${condition}) ${call};`]),
        ...(list === null
          ? []
          : [
              `if (${list.name}.length() < 9) ${list.name}.push(${value});`,
              `if (${list.name}.length() > 4) ${list.name}.pop();`,
              `${list.name}.fill(${value});`,
              `${list.name} = ${list.name}.copy();`,
            ]),
      ]),
    );
  }

  /** A row is replaced, shared, swapped or resized. */
  #row(sight: Sight): void {
    const dice = this.#dice;
    const matrices = sight.arrays.filter(({ sides, isFlat }) => sides.length === 2 && isFlat !== true);
    if (matrices.length === 0) return this.#scope.line('total += 1.0;');
    const { name, element, sides } = dice.pick(matrices);
    const [one, other] = [this.#values.subscript(sides[0]!, sight), this.#values.subscript(sides[0]!, sight)];
    const kept = this.#scope.newName('t');
    const length = sides[1]!;
    const item = element === 'int' ? '7' : '0.5';
    const ways: { readonly [Habit in Exclude<RowHabit, 'any'>]: readonly (readonly string[])[] } = {
      set: [
        [
          `${element}[] ${kept} = ${name}[${one}];`,
          `${name}[${one}] = ${name}[${other}];`,
          `${name}[${other}] = ${kept};`,
        ],
        [`${name}[${one}] = ${name}[${other}];`],
        [`${name}[${one}] = ${name}[${other}].copy();`],
        [`${name}[${one}] = new ${element}[${length}${dice.chance(30) ? ' - 1' : ''}];`],
        ...(dice.chance(20) ? [[`${name}[${one}] = null;`]] : []),
      ],
      resized: [
        [`${name}[${one}].push(${item});`],
        [`if (${name}[${one}].length() > 1) ${name}[${one}].pop();`],
        [`${name}[${one}].insert(0, ${item});`],
      ],
      made: [[`${name} = ${name}.copy();`], [`${name} = [${name}[${one}], new ${element}[${length}]];`]],
    };
    const { rows } = this.#style;
    const habits = rows === null || rows === 'any' ? Object.values(ways).flat() : ways[rows];
    for (const line of dice.pick(habits)) this.#scope.line(line);
  }
}

/** Loops that count to the lesser of two ints that stay the same. */
function tilesOf(name: string, low: number, end: string): readonly string[] {
  return [`Math.min(${low + 5}, ${end})`, `(${low} + 5).min(${end})`, `Math.min(${end}, 64.0)`].map(
    (least) => `for (int ${name} = ${low}; ${name} < ${least}; ${name}++)`,
  );
}
