// Random programs about loop nests: functions that work on matrices and rows, called with sides of 0 to 9 and around
// 64, with arrays of their own or the same one twice, with rows that are shared, missing or of other lengths. What
// arrays hold is shown to the last bit.

import type { Dice } from '../random-text.ts';
import { borderShapes } from './border-shapes.ts';
import { Nests } from './nest-loops.ts';
import type { Cost, NestStyle, RowHabit } from './nest-loops.ts';
import { areAlike, elementAt, helperTexts } from './nest-values.ts';
import type { ElementType, NestArray, Scalar, Side, Sight } from './nest-values.ts';
import type { Shape } from './nest-shapes.ts';
import { Scope } from './scope.ts';

export function drawNests(dice: Dice): string {
  return new Program(dice, null).text();
}

/** Programs whose nests look around each place. */
export function drawBorders(dice: Dice): string {
  return new Program(dice, borderShapes).text();
}

interface Kernel {
  readonly name: string;
  readonly arrays: readonly NestArray[];
  readonly returns: ElementType | null;
  readonly isRecursive: boolean;
  readonly costs: readonly Cost[];
}

/** The reference would not follow many more. */
const mostIterations = 9000;

/** So many ways to run a program; in the first of them all is as it was made. */
const modes = 4;

const sidesOf: readonly (readonly Side[])[] = [
  ['n'],
  ['m'],
  ['n'],
  ['n', 'n'],
  ['n', 'm'],
  ['n', 'm'],
  ['m', 'n'],
  ['n', 'n'],
  ['n', 'n', 'm'],
];

class Program {
  readonly #dice: Dice;
  readonly #scope: Scope;
  readonly #style: NestStyle;
  /** Those that the runs make, of which some are globals or fields of a struct. */
  readonly #arrays: readonly NestArray[];
  readonly #kernels: Kernel[] = [];
  /** Of what a run does, once for each time that it does it. */
  readonly #costs: Cost[];
  /** So many iterations may still be made. */
  #left = mostIterations;

  constructor(dice: Dice, kind: readonly Shape[] | null) {
    this.#dice = dice;
    this.#scope = new Scope(dice);
    const isAffine = dice.chance(85);
    const isWild = dice.chance(isAffine ? 4 : 30);
    const shapes = dice.pick([0, 60, 100, 100]);
    this.#style = {
      kind,
      careless: dice.pick(isAffine ? [0, 0, 0, 0, 2, 5] : [0, 0, 3, 10, 20]),
      isSquare: dice.chance(50),
      isAffine,
      isWild,
      shapes: kind === null ? shapes : 100,
      rows: dice.chance(isAffine ? 65 : 55) ? null : dice.pick(['set', 'set', 'resized', 'resized', 'made', 'any']),
    };
    const names = 'abcdgxyvw';
    const flat = dice.chance(30) ? 70 : 0;
    this.#arrays = Array.from({ length: dice.below(5) + 2 }, (_, at): NestArray => {
      const name = at === 0 && dice.chance(20) ? 'shared' : names[at]!;
      const element = at > 0 && dice.chance(40) ? 'int' : 'double';
      const sides = at === 0 ? dice.pick(sidesOf.slice(3)) : dice.pick(sidesOf);
      return { name, element, sides, ...(sides.length === 2 && dice.chance(flat) ? { isFlat: true } : {}) };
    });
    // They are filled and shown.
    this.#costs = this.#arrays.flatMap(costOf);
  }

  text(): string {
    const scope = this.#scope;
    scope.line('int said = 0;');
    scope.line('double total = 0.0;');
    scope.line('int count = 0;');
    scope.line('type Box { double s; int t; }');
    scope.line('type Kept { double[][] reals; int[][] ints; }');
    for (const element of ['int', 'double'])
      for (const [kind, brackets] of [
        ['Rows', '[]'],
        ['Matrices', '[][]'],
      ]) {
        const type = `${element}${brackets}`;
        scope.line(`type ${element === 'int' ? 'Int' : 'Double'}${kind} { ${type} now; ${type} next; }`);
      }
    for (const text of helperTexts) scope.line(text);
    for (const array of this.#arrays) if (array.name === 'shared') scope.line(`${typeOf(array)} shared = null;`);
    for (let left = this.#dice.pick(this.#style.isAffine ? [2, 3, 3] : [1, 1, 2, 3]); left > 0; left--) this.#kernel();
    this.#run();
    scope.block('main()', () => {
      const asked = Array.from({ length: modes }, (_, mode) => mode);
      const more = Array.from({ length: this.#dice.below(3) }, () => this.#dice.below(modes));
      for (const mode of [...asked, ...more]) scope.line(`run(${this.#sizes()}, ${mode});`);
    });
    return scope.text;
  }

  /** A function of nests, with values of its own besides. */
  #kernel(): void {
    const scope = this.#scope;
    const dice = this.#dice;
    const given = this.#arrays.filter(({ name }) => name !== 'shared' && dice.chance(80));
    const kernel: Omit<Kernel, 'costs'> = {
      name: scope.newName('kernel'),
      arrays: given,
      returns: dice.chance(50) ? dice.pick(['double', 'double', 'int']) : null,
      isRecursive: dice.chance(15),
    };
    const parameters = ['int n', 'int m', ...given.map((array) => `${typeOf(array)} ${array.name}`), 'Box box'];
    if (kernel.isRecursive) parameters.push('int left');
    const called = [...this.#kernels];
    const call = (sight: Sight): string | null =>
      called.length === 0
        ? null
        : callOf(dice.pick(called), 'n', 'm', (array) => sameKind(array, sight) ?? 'null', '0');
    const nests = new Nests(scope, this.#style, call, kernel.returns);
    scope.block(`${kernel.returns ?? 'void'} ${kernel.name}(${parameters.join(', ')})`, () => {
      const own = { name: scope.newName('s'), type: 'double' } as const;
      scope.line(`double ${own.name} = 0.5;`);
      const any: readonly Scalar[] = [
        { name: 'total', type: 'double' },
        { name: 'count', type: 'int' },
        { name: 'box.s', type: 'double' },
        { name: 'box.t', type: 'int' },
        own,
      ];
      const scalars = any.filter((scalar) => !this.#style.isAffine || scalar === own || dice.chance(2));
      let arrays = [...this.#arrays.filter(({ name }) => name === 'shared'), ...given];
      if (arrays.length === 0 || dice.chance(20)) {
        const local = { name: scope.newName('z'), element: 'double', sides: dice.pick(sidesOf.slice(0, -1)) } as const;
        scope.line(`${typeOf(local)} ${local.name} = ${newOf(local)};`);
        arrays = [...arrays, local];
      }
      const sight: Sight = { arrays, counters: [], scalars: scalars.filter(() => dice.chance(60)), written: null };
      if (kernel.isRecursive) {
        const self = callOf(kernel, 'n', dice.pick(['m', 'm', 'n']), ({ name }) => name, 'left - 1');
        scope.line(`if (left > 0) ${self};`);
      }
      for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left--) nests.nest(sight);
      if (kernel.returns !== null)
        scope.line(
          `return ${kernel.returns === 'double' ? own.name : (sight.scalars.find(({ type }) => type === 'int')?.name ?? '1')};`,
        );
    });
    const costs = Array.from({ length: kernel.isRecursive ? 3 : 1 }, () => nests.costs).flat();
    this.#costs.push(...costs);
    this.#kernels.push({ ...kernel, costs });
  }

  /** Makes the arrays, does something to them, calls the functions and shows what is left. */
  #run(): void {
    const scope = this.#scope;
    const dice = this.#dice;
    const arrays = this.#arrays;
    scope.block('void run(int n, int m, int mode)', () => {
      for (const array of arrays) {
        const declared = array.name === 'shared' ? '' : `${typeOf(array)} `;
        scope.line(`${declared}${array.name} = ${newOf(array)};`);
        this.#fill(array);
      }
      scope.line('Box box = { s: 0.25, t: 3 };');
      const isKept = this.#keep();
      scope.line('total = 1.5;');
      for (let mode = 1; mode < modes; mode++) this.#spoil(mode);
      for (const kernel of this.#kernels) {
        const call = callOf(kernel, dice.chance(4) ? 'n + 1' : 'n', 'm', (array) => this.#argument(array), '2');
        if (dice.chance(35)) this.#again(kernel, call);
        else scope.line(`try { ${kernel.returns === null ? '' : 'yield '}${call}; } catch (e) { yield e; }`);
        if (dice.chance(60))
          scope.line(`yield \`\${total} \${count} \${box.s} \${box.t} \${${arrays.at(-1)!.name}}\`;`);
      }
      if (isKept) scope.line('yield kept[0];');
      for (const array of arrays) this.#show(array);
    });
  }

  /** Has matrices in structs, so that they lie on the heap. */
  #keep(): boolean {
    const matrixOf = (type: string): string | null =>
      this.#arrays.find((array) => typeOf(array) === type)?.name ?? null;
    const [reals, ints] = [matrixOf('double[][]'), matrixOf('int[][]')];
    if ((reals === null && ints === null) || !this.#dice.chance(35)) return false;
    this.#scope.line(`Kept[] kept = [{ reals: ${reals ?? 'null'}, ints: ${ints ?? 'null'} }];`);
    return true;
  }

  /** Calls a kernel again and again, and has two of its arrays change places in between perhaps. */
  #again(kernel: Kernel, call: string): void {
    const scope = this.#scope;
    const dice = this.#dice;
    const times = dice.pick([1, 2, 3, 3, 4]);
    for (let more = 1; more < times; more++) this.#costs.push(...kernel.costs);
    const [turn, held, got] = [scope.newName('turn'), scope.newName('held'), scope.newName('got')];
    const one = dice.pick(this.#arrays);
    const alike = this.#arrays.filter((other) => other !== one && areAlike(one, other));
    const isKept = kernel.returns !== null && dice.chance(60);
    if (isKept) scope.line(`${kernel.returns} ${got} = 1;`);
    scope.line('try {');
    scope.inside(() =>
      scope.block(`for (int ${turn} = 0; ${turn} < ${times}; ${turn}++)`, () => {
        scope.line(isKept ? `${got} = ${call};` : `${call};`);
        if (isKept && dice.chance(40)) scope.line(`total += ${got};`);
        if (alike.length === 0 || !dice.chance(70)) return;
        const other = dice.pick(alike);
        scope.line(`${typeOf(one)} ${held} = ${one.name};`);
        scope.line(`${one.name} = ${other.name};`);
        scope.line(`${other.name} = ${held};`);
      }),
    );
    scope.block('} catch (e)', () => scope.line('yield e;'));
    if (isKept) scope.line(`yield ${got};`);
  }

  /** Mostly the array that is meant, or another of its kind, or a row of one. */
  #argument(array: NestArray): string {
    const dice = this.#dice;
    if (!dice.chance(25)) return array.name;
    const dimensions = array.isFlat === true ? 1 : array.sides.length;
    const rows = this.#arrays.filter(
      ({ element, sides, isFlat }) => element === array.element && sides.length === dimensions + 1 && isFlat !== true,
    );
    if (rows.length > 0 && dice.chance(40)) return `${dice.pick(rows).name}[${dice.pick(['0', 'n / 2'])}]`;
    return sameKind(array, { arrays: this.#arrays, counters: [], scalars: [], written: null }, dice) ?? array.name;
  }

  #fill(array: NestArray): void {
    const { element, sides } = array;
    const scope = this.#scope;
    const dice = this.#dice;
    const [a, b, c] = [dice.below(9) + 1, dice.below(9) + 1, dice.below(9)];
    const counters = ['i', 'j', 'k'].slice(0, sides.length);
    const place = elementAt(array, counters);
    const sum =
      counters.length === 1 ? `i * ${a} + ${c}` : `i * ${a} + j * ${b} + ${c}${counters.length > 2 ? ' + k' : ''}`;
    const heads = counters.map((counter, at) => `for (int ${counter} = 0; ${counter} < ${sides[at]!}; ${counter}++)`);
    // Sums of some of the doubles are rounded, which shows the order in which they are added.
    const value =
      element === 'int'
        ? `(${sum}) % 11 - ${dice.below(4)}`
        : `((${sum}) % 13 - ${dice.below(7)}) * ${dice.pick(['0.25', '0.3'])}`;
    scope.line(`${heads.join(' ')} ${place} = ${value};`);
    if (!dice.chance(30)) return;
    const special = dice.pick(
      element === 'int'
        ? ['9223372036854775807', '4294967295', '0']
        : ['0.0 / 0.0', '-0.0', '1.0 / 0.0', '-1.0 / 0.0', '1e300', '5e-324'],
    );
    scope.line(`${heads.join(' ')} if ((${sum}) % 5 == 2) ${place} = ${special};`);
  }

  /** In one mode an array is another, or shorter, or its rows are not what they were. */
  #spoil(mode: number): void {
    const scope = this.#scope;
    const dice = this.#dice;
    const matrices = this.#arrays.filter(({ sides, isFlat }) => sides.length === 2 && isFlat !== true);
    const isOfRows = this.#style.rows !== null && matrices.length > 0 && dice.chance(60);
    const array = dice.pick(isOfRows ? matrices : this.#arrays);
    const { name, element, sides } = array;
    const other = sameKind(array, { arrays: this.#arrays, counters: [], scalars: [], written: null }, dice);
    const last = elementAt(
      array,
      sides.map((side) => `${side} - 1`),
    );
    const taken = dice.below(2) + 1;
    const shorter =
      array.isFlat === true
        ? `new ${element}[${sides.join(' * ')} - ${taken}]`
        : `new ${element}[${sides[0]!} - ${taken}]${sides
            .slice(1)
            .map((side) => `[${side}]`)
            .join('')}`;
    const narrower =
      array.isFlat === true
        ? `new ${element}[${sides[0]!} * (${sides[1]!} - 1)]`
        : `new ${element}${sides.map((side, at) => (at === sides.length - 1 ? `[${side} - 1]` : `[${side}]`)).join('')}`;
    const calm = [
      ...(other === null ? [] : [`${name} = ${other};`, `${name} = ${other};`]),
      `${name} = ${shorter};`,
      `${name} = ${narrower};`,
      `${last} = ${element === 'int' ? '-1' : '0.0 / 0.0'};`,
      `${name} = null;`,
    ];
    const onRows =
      array.isFlat === true || sides.length === 1
        ? []
        : sides.length === 2
          ? this.#rowsSpoilt(array, other)
          : this.#planesSpoilt(array);
    const spoilt = onRows.length > 0 && dice.chance(60) ? onRows : calm;
    if (dice.chance(70)) scope.line(`if (mode == ${mode} && n > 1 && m > 1) ${dice.pick(spoilt)}`);
  }

  #planesSpoilt({ name, element, sides }: NestArray): readonly string[] {
    if (this.#style.rows === null) return [];
    const [first, second, third] = sides as readonly [Side, Side, Side];
    return [
      `${name}[${first} - 1] = ${name}[0];`,
      `${name}[${first} / 2][${second} - 1] = ${name}[0][0];`,
      `${name}[${first} - 1] = new ${element}[${second} - 1][${third}];`,
      `${name}[${first} / 2][1] = new ${element}[${third} - 1];`,
      `${name}[0][${second} / 2] = null;`,
      `${name}[${first} - 1] = null;`,
    ];
  }

  #rowsSpoilt(array: NestArray, other: string | null): readonly string[] {
    const { name, element, sides } = array;
    const { rows } = this.#style;
    if (rows === null) return [];
    const [first, last] = [sides[0]!, sides[1]!];
    const ways: { readonly [Habit in Exclude<RowHabit, 'any'>]: readonly string[] } = {
      set: [
        `${name}[${first} - 1] = ${name}[0];`,
        `${name}[0] = ${name}[${first} / 2];`,
        `${name}[${first} / 2] = new ${element}[${last} / 2];`,
        `${name}[1] = new ${element}[1];`,
        `${name}[${first} - 1] = new ${element}[${last} - 1];`,
        `${name}[${first} / 2] = null;`,
        ...(other === null
          ? []
          : [
              `${name}[0] = ${other}[0];`,
              `${name}[1] = ${other}[${first} / 2];`,
              `${name}[${first} - 1] = ${other}[1];`,
            ]),
      ],
      resized: [
        `${name}[0].push(${element === 'int' ? '7' : '0.5'});`,
        `${name}[${first} - 1].pop();`,
        `${name}[${first} / 2].clear();`,
        `${name}[1].clear();`,
      ],
      made: [
        `${name} = [${name}[0], new ${element}[${last} - 1], ${name}[1]];`,
        `${name} = [new ${element}[${last}], new ${element}[${last} - 1], new ${element}[${last}]];`,
        `${name} = Json.parse("[[1, 2, 3], [4], [5, 6, 7, 8], [], [9, 1, 2]]") as ${typeOf(array)};`,
        `${name} = ${name}.copy();`,
        `${name} = ${name}.concat(${name});`,
        `${name}.reverse();`,
      ],
    };
    return rows === 'any' ? Object.values(ways).flat() : ways[rows];
  }

  /** As a text, or as a number that every bit changes, worked out here: a function would be given all arrays. */
  #show({ name, element, sides: { length }, isFlat }: NestArray): void {
    const scope = this.#scope;
    const sides = Array.from({ length: isFlat === true ? 1 : length });
    if (this.#dice.chance(50)) return scope.line(`yield ${name};`);
    const hash = scope.newName('h');
    const bits = element === 'int' ? '' : '.toBits()';
    scope.line(`int ${hash} = 7;`);
    const loops = sides.map((_, at) => {
      const row = `${name}${'ijk'.slice(0, at).replace(/./g, '[$&]')}`;
      const counter = 'ijk'[at]!;
      return `for (int ${counter} = 0; ${counter} < ${row}.length(); ${counter}++)`;
    });
    const place = `${name}${'ijk'.slice(0, sides.length).replace(/./g, '[$&]')}`;
    scope.line(`try { ${loops.join(' ')} ${hash} = ${hash} * 31 + ${place}${bits}; } catch (e) { yield e; }`);
    scope.line(`yield ${hash};`);
  }

  /** Both sides, long ones seldom, as long as the nests do not take too long for them. */
  #sizes(): string {
    const dice = this.#dice;
    const small = (): number =>
      this.#style.isAffine
        ? dice.pick([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9])
        : dice.pick([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9]);
    const large = (): number => dice.below(8) + 58;
    // Nests of three loops are too long for large ones.
    const middle = (): number => dice.below(13) + 10;
    const draw = (): readonly [number, number] => {
      if (dice.chance(12)) return [middle(), middle()];
      if (!dice.chance(25)) return [small(), small()];
      return dice.pick([
        [large(), dice.below(4)],
        [dice.below(4), large()],
        [large(), large()],
      ]);
    };
    for (let tries = 0; tries < 8; tries++) {
      const [n, m] = this.#style.isSquare ? ([draw()[0]].flatMap((side) => [side, side]) as [number, number]) : draw();
      const work = this.#costs.reduce((sum, cost) => sum + n ** cost.n * m ** cost.m, 0);
      if (work > this.#left) continue;
      this.#left -= work;
      return `${n}, ${m}`;
    }
    return '1, 1';
  }
}

function typeOf({ element, sides, isFlat }: NestArray): string {
  return `${element}${'[]'.repeat(isFlat === true ? 1 : sides.length)}`;
}

function newOf({ element, sides, isFlat }: NestArray): string {
  if (isFlat === true) return `new ${element}[${sides.join(' * ')}]`;
  return `new ${element}${sides.map((side) => `[${side}]`).join('')}`;
}

function costOf({ sides }: NestArray): readonly Cost[] {
  const cost = { n: sides.filter((side) => side === 'n').length, m: sides.filter((side) => side === 'm').length };
  return [cost, cost];
}

function callOf(
  { name, arrays, isRecursive }: Omit<Kernel, 'costs'>,
  n: string,
  m: string,
  argument: (array: NestArray) => string,
  left: string,
): string {
  const given = [n, m, ...arrays.map(argument), 'box', ...(isRecursive ? [left] : [])];
  return `${name}(${given.join(', ')})`;
}

/** An array in sight of the same type. */
function sameKind(array: NestArray, sight: Sight, dice?: Dice): string | null {
  const found = sight.arrays.filter((one) => areAlike(one, array));
  if (found.length === 0) return null;
  return (dice === undefined ? found[0]! : dice.pick(found)).name;
}
