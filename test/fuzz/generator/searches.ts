// Random programs about loops around loops that end by what they find: how often a number can be squared, how long a
// sequence is, where a root lies. The inner loops are in the loop or in functions; what stands around them sets what
// they read, leaves the loop, fails, and is seen, in many ways.

import type { Dice } from '../random-text.ts';
import { bitLoop } from './bit-loops.ts';

export function drawSearches(dice: Dice): string {
  return new Searches(dice).program();
}

/** What an iteration of an inner loop does with its numbers: z, w and c are doubles, v and k ints. */
const updates = [
  'z = z * z + c;',
  'z = z * z - w * w + c; w = 2.0 * z * w + c;',
  'z = z * 0.5 + w;',
  'w = z * w - c;',
  'z = (z + c / (z * z + 1.0)) * 0.5;',
  'z = Math.sqrt(z * z + 1.0) * 0.75;',
  'z = z > 3.0 ? z - 2.5 : z * 1.5;',
  'v = v % 2 == 0 ? v / 2 : 3 * v + 1;',
  'if (v % 2 == 0) v = v / 2; else v = 3 * v + 1;',
  'v = v * 31 + k;',
  'v = (v ^ (v >> 7)) * 5;',
  'v = v * 7 % 1009;',
  'w = w * 1.25 + z; z = z - w * 0.125;',
  'u = z + w; z = z * 0.75 + u * 0.5;',
];
const ends = ['z > 4.0', 'z * z + w * w > 9.0', 'v == 1', 'v % 5 == 3', 'w < -2.0', 'v > 1000000', 'k == 5', 'z != z'];
const numbers = ['0.0', '0.25', '-0.5', '1.5', 'c', '0.1 * x', '1.0 * x / 7.0', 'c * x - 1.0', '-0.0'];
const ints = ['x', 'x + 1', '7', '27', 'x * x', '0', '-x', 'x % 6'];
const limits = ['9', '12', '20', '50', 'n', 'x + 9', 'n + x'];

class Searches {
  readonly #dice: Dice;
  readonly #lines: string[] = [
    'int gi = 1;',
    'double gd = 0.25;',
    'int[] seen = new int[9];',
    'int bump(int x) { gi = gi + x & 7; return gi; }',
  ];
  readonly #functions: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  program(): string {
    for (let count = this.#dice.below(3); count > 0; count--) this.#function();
    const kernels = Array.from({ length: this.#dice.below(2) + 1 }, (_, at) => this.#kernel(`kernel${at}`));
    this.#lines.push('main() {');
    for (const kernel of kernels)
      for (const values of [
        '10, 0.5',
        '0, 0.25',
        '1, 2.0',
        '2, -0.75',
        `${this.#dice.below(40)}, ${this.#dice.pick(['0.1', '1.0', '-1.5'])}`,
      ])
        this.#lines.push(`  try { yield ${kernel}(${values}); } catch (e) { yield e; }`, '  yield gi; yield gd;');
    return `${[...this.#lines, '  yield seen;', '}'].join('\n')}\n`;
  }

  #pick(...from: readonly string[]): string {
    return this.#dice.pick(from);
  }

  #some(most: number, from: readonly string[]): readonly string[] {
    return Array.from({ length: this.#dice.below(most) + 1 }, () => this.#dice.pick(from));
  }

  /** An inner loop, which ends by `k` unless `bound` is never reached; `leave` is what an end does. */
  #loop(bound: string, leave: (end: string) => string): readonly string[] {
    const dice = this.#dice;
    if (dice.chance(12)) return this.#divisions();
    if (dice.chance(15)) return [bitLoop(dice, 'v', 'k', this.#pick('gi', 'b', 'b', 'k'))];
    const body = [
      ...this.#some(2, updates),
      ...(dice.chance(60) ? [leave(dice.pick(ends))] : []),
      ...(dice.chance(10) ? ['if (v % 4 == 1) w = w + 0.5;'] : []),
      ...(dice.chance(20) ? this.#some(1, updates) : []),
    ];
    const inside = dice.chance(30) ? body.toReversed() : body;
    const condition = this.#pick(`k < ${bound}`, `k < ${bound}`, `k < ${bound} && z < 9.0`, `v != 1 && k < ${bound}`);
    if (dice.chance(45)) return [`for (k = 0; ${condition}; k++) {`, ...inside, '}'];
    if (dice.chance(30)) return ['do {', ...inside, 'k++;', `} while (${condition});`];
    if (dice.chance(20)) return ['while (true) {', `if (k >= ${bound}) break;`, ...inside, 'k++;', '}'];
    return [`while (${condition}) {`, ...inside, 'k++;', '}'];
  }

  /** Euclid's algorithm, and one that divides by what it has not tested, which may be 0. */
  #divisions(): readonly string[] {
    const first = `k = ${this.#pick('x * 7 + 9', '720', 'x + 1')};`;
    if (this.#dice.chance(40)) return [first, 'while (v > 0) {', 'v = v - 3;', 'k = (k * k + 7) % v;', '}'];
    return [
      first,
      `while (v ${this.#pick('!=', '!=', '>', '>=')} 0) {`,
      this.#pick('int r = k % v;', 'int r = k % v; w = w + 0.5 * (r / v);', 'int r = k - k / v * v;'),
      'k = v; v = r;',
      '}',
    ];
  }

  #state(): readonly string[] {
    const dice = this.#dice;
    return [
      `double z = ${dice.pick(numbers)};`,
      `double w = ${dice.pick(numbers)};`,
      `int v = ${dice.pick(ints)};`,
      'int k = 0;',
      'int b = 3;',
      'double u = 1.0;',
    ];
  }

  /** A function of numbers, which returns in its loop or behind it. */
  #function(): void {
    const dice = this.#dice;
    const name = `find${this.#functions.length}`;
    const returns = this.#pick('int', 'int', 'double', 'boolean');
    const value = (): string =>
      returns === 'int'
        ? this.#pick('k', 'v', '-1', 'k + v')
        : returns === 'double'
          ? this.#pick('z', 'w', '0.5', 'z + w')
          : this.#pick('true', 'false', 'v > 3', 'z < w');
    this.#lines.push(
      `${returns} ${name}(int x, int n, double c) {`,
      ...(dice.chance(10)
        ? [`if (x < 2) return ${returns === 'boolean' ? 'false' : returns === 'int' ? '4' : '0.5'};`]
        : []),
      ...this.#state(),
      ...(dice.chance(10) ? ['gi = gi + 1;'] : []),
      ...this.#loop(this.#dice.pick(limits), (end) =>
        dice.chance(60) ? `if (${end}) return ${value()};` : `if (${end}) break;`,
      ),
      ...(dice.chance(30) ? [`if (${dice.pick(ends)}) return ${value()};`] : []),
      `return ${value()};`,
      '}',
    );
    this.#functions.push(
      returns === 'int'
        ? `${name}(#, n, c)`
        : returns === 'double'
          ? `(${name}(#, n, c) < 0.75 ? 3 : 8)`
          : `(${name}(#, n, c) ? 1 : 2)`,
    );
  }

  #kernel(name: string): string {
    const dice = this.#dice;
    const isCall = this.#functions.length > 0 && dice.chance(50);
    const carried = dice.chance(15);
    // Iterations that nobody comes to may have no end.
    const stop = dice.chance(20) ? dice.below(8) : null;
    const bound = stop === null ? dice.pick(limits) : `(x > ${stop} ? 9000000000000000 : ${dice.pick(['9', '20'])})`;
    const head = this.#pick(
      'for (int x = 0; x < n; x++)',
      'for (int x = 0; x < n; x++)',
      'for (int x = n; x > 0; x -= 2)',
      'for (int x = 1; x < n * 3; x += gi)',
      'for (int x = 0; x < n * 3; x += pace)',
      'for (int x = 0; x < n && sum < 900; x++)',
    );
    const own = this.#state();
    const inner = isCall
      ? [
          this.#pick(
            'int found = @;',
            'sum = sum + @;',
            'int found = sum % 3 + @;',
            'int found = bump(x) + @;',
            'int found = @ * bump(x) + @;',
            'int found = 100 / (x - 4) + @;',
            'int found = 0; if (@ > 3) found = 5;',
            'seen[x & 7] = @;',
          ).replaceAll('@', () => dice.pick(this.#functions).replace('#', this.#pick('x', 'x', 'gi + x'))),
        ]
      : [
          ...(carried ? [] : own),
          ...(dice.chance(15) ? [`if (x % 3 == 1) ${this.#pick('z = 0.75;', 'v = 9;', 'last = x;')}`] : []),
          ...(dice.chance(10)
            ? [
                this.#pick(
                  'w = last * 0.5;',
                  'v = v + sum;',
                  'z = gd;',
                  'v = gi + x;',
                  'v = 100 / (x - 4);',
                  'z = 1.0 * (100 % (x - 2));',
                ),
              ]
            : []),
          ...this.#loop(bound, (end) => (dice.chance(20) ? `if (${end}) { last = k; break; }` : `if (${end}) break;`)),
        ];
    const result = isCall
      ? inner[0]!.startsWith('int')
        ? 'found'
        : 'x'
      : this.#pick('k', 'v', 'k + v', '(u < 1.5 ? k : 2)', '(z < w ? 1 : k)', '(z < 0.5 ? 1 : z > 2.0 ? 4 : 2)');
    const behind = [
      'sum = sum * 3 + @;',
      'sum += @;',
      'if (@ > best) { best = @; last = x; }',
      'seen[x & 7] += @;',
      'seen[@ & 15] = x;',
      'gi = gi + (@ & 1);',
      'gd = gd * 0.5;',
      'if (@ == 7) break;',
      'if (@ % 4 == 1) continue;',
      'if (@ % 11 == 10) throw `${x}`;',
      'yield @;',
      'n = n - 1;',
      'pace = 1 + (@ & 1);',
      ...(head.includes('x++') ? ['x = x + (@ & 1);'] : []),
      'for (int q = 0; q < 3; q++) sum += q * @;',
      'if (x == 5) return sum;',
    ];
    const body = [
      ...inner,
      ...(stop === null || isCall
        ? []
        : [`if (x >= ${stop}${head.includes('x--') || head.includes('-=') ? ' || x < 99' : ''}) break;`]),
      ...this.#some(3, behind).map((line) => line.replaceAll('@', result)),
    ];
    const loop = [`${head} {`, ...body, '}'];
    this.#lines.push(
      `int ${name}(int n, double c) {`,
      'int sum = 0; int best = 0; int last = -1; int pace = 1;',
      ...(carried && !isCall ? own.map((line) => line.replaceAll('x', 'n')) : []),
      ...(dice.chance(25) ? ['for (int y = 0; y < 3; y++) {', ...loop, '}'] : loop),
      'yield last; yield best;',
      ...(carried && !isCall ? ['yield z; yield v; yield k;'] : []),
      'return sum;',
      '}',
    );
    return name;
  }
}
