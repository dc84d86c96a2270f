// Loop nests of the kinds that programs are known to have: products of matrices, stencils and sweeps of them, shortest
// paths, triangles, tiles, sums that the next nest works with. Each is drawn with loops in any order and direction, now
// and then with a bound, an operator or a guard that is another than it should be.

import type { Dice } from '../random-text.ts';
import type { Cost } from './nest-loops.ts';
import type { ElementType, NestArray, Side, Sight } from './nest-values.ts';
import type { Scope } from './scope.ts';

/** What a nest works on: arrays of one type of element, whose names may be those of the same one. */
export interface ShapeArrays {
  readonly element: ElementType;
  /** Of the sides p and q. */
  readonly matrices: readonly [string, string, string];
  readonly p: Side;
  readonly q: Side;
  /** One as long as p, two as long as q. */
  readonly vectors: readonly [string, string, string];
}

/** What writes a nest of one kind. */
export type Shape = (write: ShapeWriter, arrays: ShapeArrays) => void;

/** Limits of the numbers. */
const [least, greatest] = ['-9223372036854775807', '9223372036854775807'];

/** How often a sweep is made. */
const times = 3;

export class ShapeWriter {
  readonly dice: Dice;
  readonly scope: Scope;
  readonly costs: Cost[] = [];
  readonly #sides: Side[] = [];
  #times = 1;
  /** Arrays that are as long as a side, whose lengths may be what a loop counts to. */
  readonly long: Record<Side, readonly string[]> = { n: [], m: [] };

  /** What a function returns whose loops are left now and then, hand something out or fail; null where none does. */
  readonly #wild: ElementType | 'void' | null;

  /** What the function gives, if it gives anything. */
  readonly #returns: ElementType | null;

  constructor(scope: Scope, wild: ElementType | 'void' | null, returns: ElementType | null) {
    this.scope = scope;
    this.dice = scope.dice;
    this.#wild = wild;
    this.#returns = returns;
  }

  line(text: string): void {
    this.scope.line(text);
  }

  name(prefix: string): string {
    return this.scope.newName(prefix);
  }

  /** A loop along a side; seldom down, further than one, or one too far: so many times of a hundred. */
  loop(counter: string, side: Side, body: () => void, from = '0', to: string = side, odd = 20): void {
    const { dice } = this;
    const limit = to === side && dice.chance(15) ? this.lengthOf(side) : to;
    const up = `for (int ${counter} = ${from}; ${counter} < ${limit}; ${counter}++)`;
    const head = !dice.chance(odd)
      ? up
      : dice.pick([
          up,
          `for (int ${counter} = ${from}; ${counter} <= ${to} - 1; ${counter}++)`,
          `for (int ${counter} = ${to} - 1; ${counter} >= ${from}; ${counter}--)`,
          `for (int ${counter} = ${to} - 1; ${counter} >= ${from}; ${counter}--)`,
          `for (int ${counter} = ${from}; ${counter} < ${to}; ${counter} += ${dice.pick([2, 3])})`,
          `for (int ${counter} = ${from}; ${counter} + 1 <= ${to}; ${counter}++)`,
          `for (int ${counter} = ${to} - 1; ${counter} - ${from} > -1; ${counter}--)`,
          `for (int ${counter} = ${from}; ${to} > 2 + ${counter} - 2; ${counter}++)`,
          ...(dice.chance(15) ? [`for (int ${counter} = ${from}; ${counter} <= ${to}; ${counter}++)`] : []),
        ]);
    this.#along(side, () =>
      this.scope.block(head, () => {
        if (this.#wild !== null && dice.chance(10)) this.line(wayOut(dice, this.#wild, counter));
        if (!dice.chance(8)) return body();
        const condition = `${counter} ${dice.pick(['> 0', '!= 2', '% 2 == 0', '< 3'])}`;
        if (dice.chance(70)) return this.scope.block(`if (${condition})`, body);
        this.line(`if (!(${condition})) continue;`);
        body();
      }),
    );
  }

  /** Sets the elements of an array to numbers of both signs, of which doubles are rounded when they are added. */
  fill(name: string, element: ElementType, sides: readonly Side[]): void {
    const counters = sides.map(() => this.name('k'));
    const heads = counters.map((counter, at) => `for (int ${counter} = 0; ${counter} < ${sides[at]!}; ${counter}++)`);
    const sum = counters.map((counter) => `${counter} * ${this.dice.below(6) + 1}`).join(' + ');
    const value = `((${sum}) % 7 - ${this.dice.below(6) + 1})`;
    const place = `${name}${counters.map((counter) => `[${counter}]`).join('')}`;
    this.line(`${heads.join(' ')} ${place} = ${value}${element === 'int' ? '' : ' * 0.3'};`);
    const count = (wanted: Side): number => sides.filter((side) => side === wanted).length;
    this.costs.push({ n: count('n'), m: count('m') });
  }

  /** An array with the rows of a matrix one behind another, set to numbers by their places. */
  flatMatrix(name: string, { p, q, element }: ShapeArrays, numberAt: (place: string) => string): void {
    const k = this.name('k');
    this.line(`${element}[] ${name} = new ${element}[${p} * ${q}];`);
    this.line(`for (int ${k} = 0; ${k} < ${p} * ${q}; ${k}++) ${name}[${k}] = ${numberAt(k)};`);
  }

  /** The side, by the length of something that is as long and may be missing. */
  lengthOf(side: Side): string {
    const measured = this.long[side];
    return measured.length === 0 ? side : `${this.dice.pick(measured)}.length()`;
  }

  /** Loops in any order. */
  loops(
    ...heads: readonly (readonly [counter: string, side: Side, from?: string, to?: string])[]
  ): (body: () => void) => void {
    const left = [...heads];
    const ordered: typeof left = [];
    while (left.length > 0) ordered.push(...left.splice(this.dice.chance(60) ? 0 : this.dice.below(left.length), 1));
    return (body) => {
      const write = (at: number): void => {
        const head = ordered[at];
        if (head === undefined) return body();
        const [counter, side, from, to] = head;
        this.loop(counter, side, () => write(at + 1), from, to);
      };
      write(0);
    };
  }

  /** A block, of a loop or not, along a side. */
  block(head: string, side: Side | null, body: () => void): void {
    if (side === null) this.scope.block(head, body);
    else this.#along(side, () => this.scope.block(head, body));
  }

  /** Makes all that again a few times. */
  again(body: () => void): void {
    const counter = this.name('t');
    this.#timed(times, `for (int ${counter} = 0; ${counter} < ${times}; ${counter}++)`, body);
  }

  /**
   * Steps that may be none, or one, and are counted in some way, seldom up to the limit, or go on until something is
   * so: `ends` are conditions besides that of their number, and `places` are set or read where they are left.
   */
  steps(limit: string, body: (counter: string) => void, places: readonly string[], ends: readonly string[] = []): void {
    const { dice } = this;
    const counter = this.name('t');
    const most = dice.pick([0, 1, 2, 3, 3, 4, 5]);
    if (dice.chance(45)) return this.#until(counter, most, () => body(counter), { places, ends });
    const up = `for (int ${counter} = 0; ${counter} < ${most}; ${counter}++)`;
    const head = dice.pick([
      up,
      up,
      `for (int ${counter} = 1; ${counter} <= ${most}; ${counter}++)`,
      `for (int ${counter} = ${most}; ${counter} > 0; ${counter}--)`,
      `for (int ${counter} = 0; ${counter} < ${most * 2}; ${counter} += 2)`,
      `for (int ${counter} = 0; ${most} > ${counter}; ${counter}++)`,
      `for (int ${counter} = 0; ${counter} < ${limit}; ${counter}++)`,
      `for (int ${counter} = 0; ${counter} < ${limit}; ${counter}++)`,
      `for (int ${counter} = 0; ${counter} < ${limit}; ${counter}++)`,
      `for (int ${counter} = 0; ${most + 1} > ${counter} + 1; ${counter}++)`,
      `for (int ${counter} = ${greatest} - 4; ${counter} + 1 < ${greatest}; ${counter}++)`,
      `for (int ${counter} = ${least}; ${counter} < ${least} + ${most}; ${counter}++)`,
      `for (int ${counter} = ${greatest} - 4; ${counter} < ${greatest}; ${counter} += ${dice.pick([1, 2])})`,
    ]);
    this.#timed(5, head, () => body(counter));
  }

  /** Steps that are left in the middle of one, at its beginning or its end, or go on while a condition holds. */
  #until(
    counter: string,
    most: number,
    body: () => void,
    { places, ends }: { readonly places: readonly string[]; readonly ends: readonly string[] },
  ): void {
    const { dice } = this;
    const level = this.name('level');
    this.line(`int ${counter} = 0;`);
    this.line(`double ${level} = ${dice.pick(['1.0', '0.0', '9.0'])};`);
    // So in one of the first steps, in each of them, or never.
    const isOver = [
      `${level} < 2.0`,
      `${level} > ${dice.pick(['0.75', '2.0', '3.0'])}`,
      `${level} > 1e9 || ${counter} == ${dice.pick([1, 2, 3])}`,
      ...ends,
      ...ends,
    ];
    const end = `${counter} >= ${most}`;
    const ways = [
      'break;',
      'break;',
      `{ ${level} = ${counter}; break; }`,
      `{ yield ${counter}; break; }`,
      `{ yield \`\${${counter}} \${${level}}\`; ${this.#back(counter)} }`,
      this.#back(counter),
      `throw "over";`,
      ...places.flatMap((place) => [`{ ${place} = ${counter}; break; }`, `{ yield ${place}; break; }`]),
    ];
    const leave = (condition: string): void => this.line(`if (${condition}) ${dice.pick(ways)}`);
    // An element that is set right in front of a way out, and behind it, and may be what it looks at.
    const place = places.length > 0 && dice.chance(35) ? dice.pick(places) : null;
    const step = (counts = true): void => {
      body();
      this.line(`${level} = ${level} * 0.5 + ${counter};`);
      if (place !== null) this.line(`${place} += ${counter} + 1;`);
      // What the head counts is read behind it: in an odd step it is not what it was one step before.
      if (!counts) leave(`${level} > 1e9 || ${counter} == ${dice.pick([1, 1, 3])}`);
      else if (dice.chance(60) || place !== null)
        leave(dice.pick(place === null ? isOver : [...isOver, `${place} > 2`]));
      if (place !== null) this.line(`${place} -= 2;`);
      if (counts) this.line(`${counter}++;`);
    };
    const endless = (): void => {
      if (dice.chance(50)) leave(end);
      const isFirst = dice.chance(40);
      if (isFirst) leave(dice.pick(isOver));
      step();
      leave(`${counter} >= ${most + 1}`);
    };
    const isNotOver = `!(${dice.pick(isOver)}) && !(${end})`;
    const [head, inside] = dice.pick([
      [`while (${isNotOver})`, step],
      [`while (${counter} < ${most})`, step],
      ['while (true)', endless],
      [`for (; ${isNotOver}; ${level} += 0.25)`, step],
      [`for (int more = 0; more < ${most}; more++)`, step],
      [`for (; ${counter} < ${most}; ${counter}++)`, () => step(false)],
      [`for (; ${counter} < ${most}; ${counter}++)`, () => step(false)],
      [`for (; ${counter} < ${most}; ${counter}++)`, () => step(false)],
    ]);
    if (dice.chance(80)) this.#timed(6, head, inside);
    else this.#timed(6, 'do', step, ` while (${isNotOver});`);
    this.line(`yield \`\${${counter}} \${${level}}${place === null ? '' : ` \${${place}}`}\`;`);
  }

  #back(counter: string): string {
    const value = this.#returns === null ? '' : this.#returns === 'int' ? ` ${counter}` : ` ${counter} + 0.5`;
    return `return${value};`;
  }

  #timed(most: number, head: string, body: () => void, behind?: string): void {
    const before = this.#times;
    this.#times *= most;
    if (behind === undefined) this.scope.block(head, body);
    else {
      this.line(`${head} {`);
      this.scope.inside(body);
      this.line(`}${behind}`);
    }
    this.#times = before;
  }

  /** The first, but for one time in so many another. */
  mostly(first: string, ...others: readonly string[]): string {
    return this.dice.chance(85) ? first : this.dice.pick([first, ...others]);
  }

  /** A statement, behind a condition perhaps. */
  guarded(statement: string, counter: string): void {
    const { dice } = this;
    this.line(
      dice.chance(88) ? statement : `if (${counter} ${dice.pick(['> 0', '!= 2', '% 2 == 0', '< 5'])}) ${statement}`,
    );
  }

  #along(side: Side, write: () => void): void {
    this.#sides.push(side);
    const count = (wanted: Side): number => this.#sides.filter((one) => one === wanted).length;
    for (let time = 0; time < this.#times; time++) this.costs.push({ n: count('n'), m: count('m') });
    write();
    this.#sides.pop();
  }
}

/** The arrays in sight with which a nest can be drawn; null where there are none. */
export function arraysFor(sight: Sight, isSquare: boolean, write: ShapeWriter): ShapeArrays | null {
  const { dice } = write;
  for (const { name, sides, isFlat } of sight.arrays)
    if (isFlat !== true) write.long[sides[0]!] = [...write.long[sides[0]!], name];
  const whole = sight.arrays.filter(({ sides, isFlat }) => sides.length === 2 && isFlat !== true);
  if (whole.length === 0) return null;
  const first = dice.pick(whole);
  const { element, sides } = first;
  const [p, q] = sides as readonly [Side, Side];
  const own = (dimensions: readonly Side[]): string => {
    const name = write.name('own');
    write.line(
      `${element}${'[]'.repeat(dimensions.length)} ${name} = new ${element}${dimensions.map((side) => `[${side}]`).join('')};`,
    );
    // In an array of zeros nobody sees which of them is where, nor in which order they are added.
    if (dice.chance(70)) write.fill(name, element, dimensions);
    return name;
  };
  const fits = (one: NestArray, wanted: readonly Side[]): boolean =>
    one.element === element &&
    one.isFlat !== true &&
    one.sides.length === wanted.length &&
    (isSquare || one.sides.every((side, at) => side === wanted[at]));
  const taken = new Set([first.name]);
  const another = (wanted: readonly Side[]): string => {
    const found = sight.arrays.filter((one) => fits(one, wanted));
    const fresh = found.filter(({ name }) => !taken.has(name));
    const chosen =
      fresh.length > 0 && dice.chance(85)
        ? dice.pick(fresh)
        : found.length > 0 && dice.chance(40)
          ? dice.pick(found)
          : null;
    const name = chosen?.name ?? own(wanted);
    taken.add(name);
    return name;
  };
  return {
    element,
    matrices: [first.name, another([p, q]), another([p, q])],
    p,
    q,
    vectors: [another([p]), another([q]), another([q])],
  };
}

function wayOut(dice: Dice, returns: ElementType | 'void', counter: string): string {
  const at = dice.below(6);
  const value = returns === 'void' ? '' : returns === 'int' ? ` ${counter}` : ` ${counter} + 0.5`;
  return dice.pick([
    `if (${counter} == ${at}) break;`,
    `if (${counter} == ${at}) continue;`,
    `if (${counter} == ${at} && said++ < 20) yield ${counter};`,
    `if (${counter} > ${at} && said++ > 30) throw "stop";`,
    `if (${counter} == ${at}) return${value};`,
  ]);
}
