// Random programs that stress loops, well typed and sure to end: nests that count up, down and towards each other, over
// arrays that are shared, replaced and resized meanwhile, with errors, clauses and calls in them.

import { describe, preamble, ProgramWriter } from './program-writer.ts';
import type { Dice } from '../fuzz/random-text.ts';
import { elementKinds, Values } from './random-values.ts';
import type { Kind, Variable } from './random-values.ts';

export function randomProgram(dice: Dice): string {
  return new Generator(dice).program();
}

/** What holds at a place in the program. */
interface Place {
  /** How many loops are around it. */
  readonly nest: number;
  /** Whether the innermost loop may be gone on with from anywhere. */
  readonly mayContinue: boolean;
  /** Whether a loop around ends only because no array grows. */
  readonly mayGrow: boolean;
  /** Nothing is handed out and no array resized, so that much can be known about it. */
  readonly isCalm: boolean;
  readonly depth: number;
}

interface Callable {
  readonly name: string;
  readonly parameters: readonly Kind[];
  readonly isCalm: boolean;
}

const outermost: Place = { nest: 0, mayContinue: false, mayGrow: true, isCalm: false, depth: 4 };
const mutable = (one: Variable): boolean => !one.isFixed;
const kinds: readonly Kind[] = [
  'int',
  'int',
  'int',
  'double',
  'boolean',
  'string',
  'P',
  'int[]',
  'int[]',
  'int[]',
  'double[]',
  'boolean[]',
  'string[]',
  'P[]',
  'int[][]',
  'int[][]',
];
class Generator {
  readonly #dice: Dice;
  readonly #values: Values;
  readonly #writer = new ProgramWriter(preamble);
  /** Functions that may be called, with the kinds of their parameters. */
  readonly #functions: Callable[] = [];
  #isCalm = false;
  #isMain = false;
  #recursion: string | null = null;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#values = new Values(
      this.#dice,
      () => this.#writer.variables,
      () => (this.#dice.chance(50) ? this.#call() : null),
    );
  }

  program(): string {
    if (this.#values.hasLongText) this.#writer.line('string far = "ab1;x\u017Ey".repeat(10000);');
    for (const kind of ['int', 'int[]', 'int[]', 'int[][]', 'double[]', 'P', 'P[]', 'string'] as const)
      if (this.#dice.chance(70)) this.#declare(kind, 'g');
    this.#writer.line(`string globals() { return \`\${trace} ${describe(this.#writer.variables)}\`; }`);
    for (let count = this.#dice.below(2) + 2; count > 0; count--) this.#function(count === 1 && this.#dice.chance(40));
    this.#isMain = true;
    this.#writer.block('main()', () => {
      for (const kind of ['int[]', 'int', 'int[][]'] as const) this.#declare(kind);
      for (const one of this.#functions) this.#tryOut(one);
      for (let count = this.#dice.below(2) + 1; count > 0; count--) {
        this.#writer.line('fuel = 60;');
        if (this.#dice.chance(90)) this.#try(outermost);
        else this.#statement(outermost);
        this.#show();
      }
    });
    return this.#writer.text;
  }

  #declare(kind: Kind, prefix = 'v'): void {
    const isSmall = kind === 'int' && this.#dice.chance(60);
    const isOther = this.#writer.isInside && this.#dice.chance(50);
    const value = isSmall
      ? String(this.#dice.below(12))
      : isOther
        ? this.#values.value(kind, 2)
        : this.#values.fresh(kind);
    this.#writer.line(`${kind} ${this.#writer.add(kind, prefix, isSmall, isSmall)} = ${value};`);
  }

  #function(isRecursive: boolean): void {
    const name = this.#writer.newName('f');
    const isCalm = this.#dice.chance(60);
    this.#isCalm = isCalm;
    const parameters: readonly Kind[] = [
      'int[]',
      'int',
      ...Array.from({ length: this.#dice.below(3) }, () => this.#dice.pick(kinds)),
    ];
    this.#writer.scoped(() => {
      const names = parameters.map((kind) => `${kind} ${this.#writer.add(kind, 'p')}`);
      this.#recursion = isRecursive
        ? `${name}(${parameters.map((kind, at) => names[at]!.slice(kind.length + 1)).join(', ')})`
        : null;
      this.#writer.block(`int ${name}(${names.join(', ')})`, () => {
        this.#writer.line('if (fuel <= 0) return 1;');
        this.#writer.line('fuel -= 1;');
        if (isRecursive) this.#writer.line(`if (fuel % 3 == 0) return 2;`);
        for (let count = this.#dice.below(2) + 1; count > 0; count--) this.#loop({ ...outermost, depth: 3, isCalm });
        this.#writer.line(`return ${this.#values.int(2)};`);
      });
    });
    this.#recursion = null;
    this.#isCalm = false;
    this.#functions.push({ name, parameters, isCalm });
  }

  #call(): string | null {
    if (this.#recursion !== null && this.#dice.chance(40)) return this.#recursion;
    const functions = this.#functions.filter(({ isCalm }) => isCalm || !this.#isCalm);
    if (functions.length === 0) return null;
    const { name, parameters } = this.#dice.pick(functions);
    const operands = parameters.map((kind) => this.#values.name(kind) ?? this.#values.fresh(kind));
    return `${name}(${operands.join(', ')})`;
  }

  /** Calls a function with many things: its loops are to meet null, nothing, little and much. */
  #tryOut({ name, parameters }: Callable): void {
    const dice = this.#dice;
    for (let count = 0; count < 10; count++) {
      const operands = parameters.map((kind) => {
        if (kind === 'int') return dice.chance(85) ? String(dice.below(13) - 2) : this.#values.constant();
        if (kind !== 'double' && kind !== 'boolean' && dice.chance(10)) return 'null';
        return dice.chance(40) ? (this.#values.name(kind) ?? this.#values.fresh(kind)) : this.#values.fresh(kind);
      });
      this.#writer.line('fuel = 20;');
      this.#writer.line(`try { yield ${name}(${operands.join(', ')}); } catch (e) { yield e; }`);
      if (count % 3 === 0) this.#show();
    }
  }

  /** Everything in sight, as text. */
  #show(): void {
    const seen = this.#writer.variables.filter(({ name }) => !name.startsWith('g')).slice(-8);
    this.#writer.line(`yield \`\${globals()} ${describe(seen)}\`;`);
  }

  #body(place: Place): void {
    const inside = { ...place, depth: place.depth - 1 };
    for (let count = this.#dice.below(place.nest > 1 ? 3 : 4) + 1; count > 0; count--) this.#statement(inside);
  }

  #try(place: Place): void {
    this.#writer.line('try {');
    this.#writer.inside(() => this.#body(place));
    const clause = this.#dice.chance(25) ? '} catch (IndexOutOfBoundsError e)' : '} catch (e)';
    this.#writer.block(clause, () => this.#caught(place));
  }

  #caught({ nest, mayContinue, isCalm }: Place): void {
    this.#writer.line(`trace = trace * 31 + e.length() + ${this.#values.name('int') ?? '1'};`);
    if (!isCalm && nest < 2) this.#show();
    if (!isCalm) this.#writer.line(nest < 2 ? 'yield e;' : 'say(e.length());');
    if (nest > 0 && this.#dice.chance(25))
      this.#writer.line(mayContinue && this.#dice.chance(50) ? 'continue;' : 'break;');
  }

  #statement(place: Place): void {
    const { nest, depth } = place;
    if (depth > 0 && nest < 3 && this.#dice.chance(nest === 0 ? 60 : 35)) return this.#loop(place);
    const dice = this.#dice;
    const values = this.#values;
    if (depth > 0 && nest > 0 && dice.chance(6)) return this.#try(place);
    switch (dice.below(19)) {
      case 0:
        return this.#declare(dice.pick(kinds));
      case 1:
      case 2: {
        const name = values.name('int', mutable);
        return name === null
          ? this.#declare('int')
          : this.#writer.line(`${name} ${dice.pick(['=', '+=', '-=', '^=', '*='])} ${values.int(3)};`);
      }
      case 3:
        return this.#assign();
      case 4:
      case 5:
        if (depth <= 0) return this.#store('int[]');
        this.#writer.block(`if (${values.condition(1)})`, () => this.#body(place));
        if (dice.chance(40)) this.#writer.block('else', () => this.#body(place));
        return;
      case 6:
        return depth <= 0 ? this.#store('int[]') : dice.chance(50) ? this.#try(place) : this.#grow(place);
      case 7:
        return this.#grow(place);
      case 8:
        return this.#leave(place);
      case 9: {
        const call = this.#call();
        return call === null ? this.#store('int[]') : this.#writer.line(`${call};`);
      }
      case 10: {
        const name = values.name('string', mutable);
        return name === null
          ? this.#store('string[]')
          : this.#writer.line(
              nest > 1
                ? `if (${name}.length() < 50) ${name} += ${values.string(2)};`
                : `${name} = ${name} + ${values.string(2)};`,
            );
      }
      case 11: {
        const struct = values.struct(2);
        if (struct === null) return this.#store('int[][]');
        return this.#writer.line(
          dice.pick([
            `${struct}.x += ${values.int(2)};`,
            `${struct}.xs = ${values.value('int[]', 2)};`,
            `${struct}.x++;`,
            `${struct}.d = ${values.double(2)};`,
          ]),
        );
      }
      case 12:
        return this.#store(dice.pick(['double[]', 'boolean[]', 'string[]', 'P[]', 'int[][]']));
      case 13:
        return this.#swap();
      case 14:
        if (place.isCalm) return this.#writer.line(`trace = trace * 31 + ${values.int(2)};`);
        return this.#writer.line(
          dice.chance(50)
            ? `say(${values.int(2)});`
            : `if (${values.condition(1)} && said++ < 60) yield ${values.int(1)};`,
        );
      default:
        return this.#store('int[]');
    }
  }

  #assign(): void {
    const kind = this.#dice.pick(kinds);
    const name = this.#values.name(kind, mutable);
    // Texts only grow by short pieces.
    this.#writer.line(name === null ? 'fuel += 0;' : `${name} = ${this.#values.value(kind, 2)};`);
  }

  #store(kind: Kind): void {
    const array = this.#values.array(kind, 2);
    if (array === null) return this.#declare(kind);
    const element = elementKinds[kind]!;
    const place = `${array}[${this.#values.index(array, 1)}]`;
    if (element === 'int' && this.#dice.chance(40))
      return this.#writer.line(
        this.#dice.pick([
          `${place}++;`,
          `${place}--;`,
          `${place} += ${this.#values.int(2)};`,
          `${place} *= ${this.#values.int(1)};`,
          `${place} /= ${this.#values.int(1)};`,
        ]),
      );
    const value = kind === 'int[][]' && this.#dice.chance(7) ? 'null' : this.#values.value(element, 2);
    this.#writer.line(`${place} = ${value};`);
  }

  #swap(): void {
    const kind = this.#dice.pick(['int[]', 'int[][]', 'double[]', 'P[]'] as const);
    const [a, b] = [this.#values.name(kind, mutable), this.#values.name(kind, mutable)];
    if (a === null || b === null) return this.#store('int[]');
    const name = this.#writer.add(kind);
    this.#writer.line(`${kind} ${name} = ${a};`);
    this.#writer.line(`${a} = ${b};`);
    this.#writer.line(`${b} = ${name};`);
  }

  #grow({ mayGrow, nest, isCalm }: Place): void {
    if (isCalm) return this.#store(this.#dice.pick(['int[]', 'double[]', 'int[][]']));
    const dice = this.#dice;
    const kind = dice.pick(['int[]', 'int[]', 'double[]', 'boolean[]', 'string[]', 'P[]', 'int[][]'] as const);
    const array = this.#values.array(kind, 2);
    if (array === null) return this.#declare(kind);
    const element = this.#values.value(elementKinds[kind]!, 2);
    const less = [
      `${array}.pop();`,
      `${array}.clear();`,
      `${array}.removeAt(${this.#values.index(array, 1)});`,
      `${array}.reverse();`,
    ];
    if (!mayGrow || dice.chance(30)) return this.#writer.line(dice.pick(less));
    const more = dice.chance(70)
      ? `${array}.push(${element});`
      : `${array}.insert(${this.#values.index(array, 1)}, ${element});`;
    this.#writer.line(nest > 0 ? `if (${array}.length() < 40) ${more}` : more);
  }

  #leave({ nest, mayContinue, isCalm }: Place): void {
    const exits = [
      ...(nest > 0 ? ['break;', 'break;'] : []),
      ...(mayContinue ? ['continue;', 'continue;'] : []),
      'throw "stop";',
      this.#isMain ? (isCalm ? 'trace++;' : 'say(7);') : `return ${this.#values.int(1)};`,
    ];
    this.#writer.line(`if (${this.#values.condition(2)}) ${this.#dice.pick(exits)}`);
  }

  /** A limit that does not move as long as no array grows. */
  #limit(isBounded: boolean): string {
    const [dice, values] = [this.#dice, this.#values];
    if (isBounded && dice.chance(8))
      return dice.pick(['9223372036854775807', '4611686018427387905', '2305843009213693953', '4294967297']);
    const array = values.array(dice.pick(['int[]', 'int[]', 'double[]', 'boolean[]', 'int[][]', 'P[]'] as const), 2);
    const text = values.name('string');
    // Texts grow.
    if (isBounded && text !== null && dice.chance(25))
      return `${text}.length()${dice.chance(25) ? ` ${dice.pick(['-', '+'])} ${dice.below(3)}` : ''}`;
    if (array !== null && dice.chance(55))
      return `${array}.length()${dice.chance(25) ? ` ${dice.pick(['-', '+'])} ${dice.below(3)}` : ''}`;
    return dice.chance(30) ? String(dice.below(10)) : values.small();
  }

  #loop(outside: Place): void {
    const wasCalm = this.#isCalm;
    this.#isCalm ||= this.#dice.chance(65);
    if (this.#dice.chance(12)) this.#writeAlong();
    else this.#writeLoop({ ...outside, isCalm: this.#isCalm });
    this.#isCalm = wasCalm;
  }

  /** A loop with a second variable that moves along with the counted one, mostly by the same amount each iteration. */
  #writeAlong(): void {
    const dice = this.#dice;
    const values = this.#values;
    const array = (): string => values.array('int[]', 1) ?? '[1, 2, 3, 4, 5, 6, 7, 8]';
    const rows = (): string => values.array('int[][]', 1) ?? '[[1, 2, 3], [4, 5, 6, 7, 8]]';
    const first = dice.pick(['0', '0', '1', '3', '7', '-1', values.small(), '9223372036854775806']);
    const at = this.#writer.add('int', 'at', true);
    this.#writer.line(`int ${at} = ${first};`);
    const step = dice.pick([1, 1, 1, 2, -1, -2]);
    const [begin, end] = step > 0 ? ['0', String(dice.below(9))] : [String(dice.below(9)), '0'];
    const inStep = dice.chance(20) ? `, ${at} ${dice.pick(['+=', '-='])} ${dice.below(4)}` : '';
    this.#writer.scoped(() => {
      const i = this.#writer.add('int', 'i', true);
      const moves = [
        `${at}++;`,
        `${at}--;`,
        `${at} += 2;`,
        `${at} = ${at} + ${step};`,
        `if (${values.condition(1)}) ${at}++;`,
        `if (${values.condition(1)}) break;`,
        `if (${values.condition(1)}) continue;`,
        `trace += ${at};`,
      ];
      const uses = [
        `${array()}[${at}++] = ${i};`,
        `trace += ${array()}[${at}--];`,
        `trace = trace * 3 + ${array()}[${at}];`,
        `${array()}[${at}] += ${array()}[${i}];`,
        `trace += ${array()}[pick(${at}, ${i})];`,
        `int k${at} = ${at} + 1; trace ^= ${array()}[k${at}];`,
        `trace += ${array()}[++${at}];`,
        `trace += ${rows()}[bump(${dice.below(2)})][${i}];`,
        `${rows()}[pick(0, ${i}) & 1][${at}] = ${i};`,
        `trace += ${array()}[bump(${i})];`,
      ];
      this.#writer.block(
        `for (int ${i} = ${begin}; ${i} ${step > 0 ? '<' : '>='} ` +
          `${dice.chance(50) ? end : step > 0 ? `${array()}.length()` : end}; ${i} += ${step}${inStep})`,
        () => {
          for (let count = dice.below(3) + 1; count > 0; count--)
            this.#writer.line(
              dice.chance(35)
                ? dice.pick(moves.slice(0, 4))
                : dice.chance(12)
                  ? dice.pick(moves)
                  : dice.pick(uses.splice(dice.below(uses.length), 1)),
            );
        },
      );
    });
  }

  #writeLoop(place: Place): void {
    const dice = this.#dice;
    const values = this.#values;
    const isBounded = dice.chance(35);
    const iterations = isBounded ? this.#writer.add('int', 'iterations', true) : '';
    if (isBounded) this.#writer.line(`int ${iterations} = ${dice.chance(85) ? dice.below(14) + 2 : dice.below(40)};`);
    const inside: Place = { ...place, nest: place.nest + 1, mayContinue: true, mayGrow: place.mayGrow && isBounded };
    const body = (at: Place = inside): void => {
      if (isBounded) this.#writer.line(`if (--${iterations} < 0) break;`);
      this.#body(at);
    };
    const isLong = place.nest === 0 && dice.chance(4);
    const step = dice.pick([1, 1, 1, 2, 3]);
    const i = (): string => this.#writer.add('int', 'i', !isBounded || dice.chance(70));
    switch (dice.below(isBounded ? 11 : 8)) {
      case 0:
      case 1:
      case 2: {
        const limit = isLong ? '3000' : this.#limit(isBounded);
        const first = dice.chance(70) ? '0' : dice.chance(50) ? values.small() : String(dice.below(5) - 2);
        return this.#writer.scoped(() => {
          const name = i();
          const next =
            step === 1
              ? dice.pick([`${name}++`, `++${name}`, `${name} += 1`, `${name} = ${name} + 1`])
              : `${name} += ${step}`;
          const condition = dice.chance(15) ? `${limit} > ${name}` : `${name} ${dice.pick(['<', '<', '<='])} ${limit}`;
          const more = dice.chance(12) ? ` && ${values.condition(1)}` : '';
          this.#writer.block(`for (int ${name} = ${first}; ${condition}${more}; ${next}${this.#moreSteps()})`, body);
        });
      }
      case 3: {
        const first = `${this.#limit(isBounded)} - ${dice.below(2)}`;
        return this.#writer.scoped(() => {
          const name = i();
          const next = step === 1 ? dice.pick([`${name}--`, `${name} -= 1`]) : `${name} -= ${step}`;
          this.#writer.block(
            `for (int ${name} = ${first}; ${name} ${dice.pick(['>=', '>'])} ${dice.below(4) - 1}; ` +
              `${next}${this.#moreSteps()})`,
            body,
          );
        });
      }
      case 4: {
        const last = `${this.#limit(isBounded)} - 1`;
        return this.#writer.scoped(() => {
          const [a, b] = [i(), i()];
          this.#writer.block(
            `for (int ${a} = ${dice.below(2)}, ${b} = ${last}; ${a} ${dice.pick(['<', '<', '<='])} ${b}; ` +
              `${a}++, ${b}--)`,
            body,
          );
        });
      }
      case 5: {
        const limit = this.#limit(isBounded);
        const name = this.#writer.add('int', 'i', true);
        this.#writer.line(`int ${name} = ${dice.below(2)};`);
        const more = dice.chance(20) ? ` && ${values.condition(1)}` : '';
        return this.#writer.block(`while (${name} < ${limit}${more})`, () => {
          body({ ...inside, mayContinue: isBounded });
          this.#writer.line(`${name} += ${step};`);
        });
      }
      case 6: {
        const limit = this.#limit(isBounded);
        const name = this.#writer.add('int', 'i', true);
        this.#writer.line(`int ${name} = ${dice.below(4) - 1};`);
        return this.#writer.block(
          'do',
          () => {
            body({ ...inside, mayContinue: isBounded });
            this.#writer.line(`${name} += ${step};`);
          },
          `} while (${name} < ${limit});`,
        );
      }
      case 7: {
        const kind = dice.pick(['int[]', 'int[]', 'double[]', 'boolean[]', 'string[]', 'P[]', 'int[][]'] as const);
        const array = values.array(kind, 2);
        if (array === null) return this.#declare(kind);
        return this.#writer.scoped(() => {
          const name = this.#writer.add(elementKinds[kind]!);
          this.#writer.block(`foreach (${elementKinds[kind]!} ${name} in ${array})`, body);
        });
      }
      case 8: {
        const edge = dice.pick(['9223372036854775807', '9223372036854775806', '9223372036854775800']);
        return this.#writer.scoped(() => {
          const name = this.#writer.add('int', 'i', true, false);
          const first = `${edge} - ${dice.below(9)}`;
          const isUp = dice.chance(60);
          const head = isUp
            ? `int ${name} = ${first}; ${name} ${dice.pick(['<', '<='])} ${edge}; ${name} += ${step}`
            : `int ${name} = -${first.replace(' -', ' +')}; ${name} ${dice.pick(['>', '>='])} ` +
              `-${edge}${dice.chance(30) ? ' - 1' : ''}; ${name} -= ${step}`;
          this.#writer.block(`for (${head})`, body);
        });
      }
      case 9: {
        const by = values.name('int') ?? '2';
        const limit = dice.chance(30) ? values.int(1) : this.#limit(isBounded);
        const first = values.small();
        return this.#writer.scoped(() => {
          const name = i();
          this.#writer.block(
            `for (int ${name} = ${first}; ${name} ${dice.pick(['<', '<=', '>'])} ${limit}; ${name} += ${by})`,
            body,
          );
        });
      }
      default:
        return this.#writer.block(`while (${values.condition(2)})`, body);
    }
  }

  /** What a loop does besides in its step. */
  #moreSteps(): string {
    if (this.#dice.chance(80)) return '';
    const name = this.#values.name('int', mutable);
    const array = this.#values.array('int[]', 1);
    const counter = this.#writer.variables.at(-1)!.name;
    return name === null
      ? ''
      : `, ${name} += ${array === null || this.#dice.chance(50) ? this.#values.int(2) : `${array}[${counter}]`}`;
  }
}
