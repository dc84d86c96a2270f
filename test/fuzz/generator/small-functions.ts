// Small functions for generated programs: functions of numbers, which may become part of what calls them, and recursive
// ones that mostly end at once, whose calls may not be made at all.

import type { Dice } from '../random-text.ts';
import { bitLoop } from './bit-loops.ts';
import type { Scope } from './scope.ts';

type NumberType = 'int' | 'double' | 'boolean';

interface Named {
  readonly name: string;
  readonly type: NumberType;
}

const types: readonly NumberType[] = ['int', 'int', 'int', 'double', 'boolean'];

/** It sets its parameters, has locals, branches and ends early, as it is drawn. */
export function numberFunction(scope: Scope): void {
  const { dice } = scope;
  const name = scope.newName('f');
  const parameters = Array.from({ length: dice.below(3) + 1 }, (): Named => ({
    name: scope.newName('p'),
    type: dice.pick(types),
  }));
  const returns = dice.pick(types);
  const globals = scope.variables.flatMap(({ name: global, type, isFixed }): Named[] =>
    !isFixed && isNumber(type) ? [{ name: global, type }] : [],
  );
  const head = `${returns} ${name}(${parameters.map((one) => `${one.type} ${one.name}`).join(', ')})`;
  scope.block(head, () => {
    const seen: Named[] = [...parameters, ...(dice.chance(30) ? globals : [])];
    for (let count = dice.below(4); count > 0; count--) statement(scope, seen, parameters, returns);
    scope.line(`return ${value(dice, returns, seen, 2)};`);
  });
  scope.functions.push({
    name,
    parameters: parameters.map(({ type }) => ({ type, isOptional: false })),
    rest: null,
    returns,
    isRecursive: false,
  });
}

function isNumber(type: string): type is NumberType {
  return type === 'int' || type === 'double' || type === 'boolean';
}

function statement(scope: Scope, seen: Named[], parameters: readonly Named[], returns: NumberType): void {
  const { dice } = scope;
  const target = dice.pick(dice.chance(70) ? parameters : seen);
  const sets = `${target.name} = ${value(dice, target.type, seen, 2)};`;
  switch (dice.below(7)) {
    case 0: {
      const type = dice.pick(types);
      const name = scope.newName('v');
      scope.line(`${type} ${name} = ${value(dice, type, seen, 2)};`);
      seen.push({ name, type });
      return;
    }
    case 1:
      return scope.line(`if (${value(dice, 'boolean', seen, 1)}) return ${value(dice, returns, seen, 1)};`);
    case 2:
      return scope.line(
        target.type === 'int'
          ? `${target.name} ${dice.pick(['+=', '*=', '^=', '-='])} ${value(dice, 'int', seen, 1)};`
          : sets,
      );
    case 3:
      return branch(scope, seen, parameters, returns);
    case 4:
      return scope.line(bits(dice, seen, parameters) ?? sets);
    default:
      return scope.line(sets);
  }
}

/** A loop that goes through the bits of an int; null where there are no two ints to do so. */
function bits(dice: Dice, seen: readonly Named[], parameters: readonly Named[]): string | null {
  const ints = parameters.filter(({ type }) => type === 'int').map(({ name }) => name);
  const x = dice.pick(ints.length < 2 ? [''] : ints);
  if (x === '') return null;
  const others = seen.filter(({ name, type }) => type === 'int' && name !== x).map(({ name }) => name);
  return bitLoop(dice, x, dice.pick(ints.filter((name) => name !== x)), dice.pick(others));
}

/** A branch that returns in some cases only, and goes on in the others; what it declares is its own. */
function branch(scope: Scope, seen: readonly Named[], parameters: readonly Named[], returns: NumberType): void {
  const { dice } = scope;
  const returning = (): void =>
    scope.line(`if (${value(dice, 'boolean', seen, 1)}) return ${value(dice, returns, seen, 1)};`);
  const arm = (): void => {
    if (dice.chance(60)) returning();
    if (dice.chance(60)) statement(scope, [...seen], parameters, returns);
  };
  scope.block(`if (${value(dice, 'boolean', seen, 1)})`, arm);
  if (dice.chance(50)) scope.block('else', arm);
}

function value(dice: Dice, type: NumberType, seen: readonly Named[], depth: number): string {
  const one = (of: NumberType): string => value(dice, of, seen, depth - 1);
  if (depth <= 0 || dice.chance(15)) {
    const found = seen.filter((named) => named.type === type);
    if (found.length > 0 && dice.chance(80)) return dice.pick(found).name;
    return dice.pick(
      type === 'int'
        ? ['1', '2', '7', '-3', '4294967295']
        : type === 'double'
          ? ['0.5', '-0.0', '2.0']
          : ['true', 'false'],
    );
  }
  if (dice.chance(15)) return `(${one('boolean')} ? ${one(type)} : ${one(type)})`;
  switch (type) {
    case 'int':
      return `(${one('int')} ${dice.pick(['+', '-', '*', '&', '|', '^', '<<', '>>', '>>>'])} ${one('int')})`;
    case 'double':
      return `(${one('double')} ${dice.pick(['+', '-', '*', '/'])} ${one(dice.chance(70) ? 'double' : 'int')})`;
    case 'boolean': {
      const of = dice.pick(['int', 'int', 'double'] as const);
      return dice.chance(60)
        ? `(${one(of)} ${dice.pick(['<', '<=', '>', '>=', '==', '!='])} ${one(of)})`
        : `(${one('boolean')} ${dice.pick(['&&', '||', '==', '!='])} ${one('boolean')})`;
    }
  }
}

/** One that walks a list, or counts down, or two that call each other; the list may end sooner than it thinks. */
export function shortRecursion(scope: Scope): void {
  const { dice } = scope;
  const list = listStruct(scope);
  const [f, g] = [scope.newName('f'), scope.newName('f')];
  const returns = dice.chance(80) ? 'int' : 'void';
  const ends = dice.pick([
    'n <= 0 || n > 9',
    'o == null || n > 9',
    'o.next == null',
    `o.i > ${dice.below(4)}`,
    `n > 9 || o.i == ${dice.below(3)}`,
    `o == null || o.i < ${dice.below(3)} && o.next == null`,
  ]);
  const early = dice.pick(['n', 'n + 1', '0', 'n * 3', ...(ends.startsWith('o == null') ? [] : ['o.i', 'o.i + n'])]);
  const again = (): string => {
    const [callee, given] = [dice.chance(70) ? f : g, dice.pick(['o.next', 'o.next', 'o.next', 'o'])];
    return `${callee}(${given}, n ${dice.pick(['- 1', '+ 1', '- 2'])})`;
  };
  const counted = scope.global('int');
  const besides = counted !== null && dice.chance(40) ? [`${counted} += ${dice.pick(['1', 'n', 'o.i'])};`] : [];
  const stop = 'if (n < -9 || n > 30) throw "far";';
  if (returns === 'void') {
    scope.block(`void ${f}(${list} o, int n)`, () => {
      for (const line of [`if (${ends}) return;`, stop, ...besides, `${again()};`]) scope.line(line);
      if (dice.chance(40)) scope.line(`${again()};`);
    });
    scope.line(`void ${g}(${list} o, int n) { ${stop} ${f}(o, n - 1); }`);
  } else {
    scope.block(`int ${f}(${list} o, int n)`, () => {
      const rest = dice.pick([again(), `${again()} + 1`, `${again()} * 3 + ${again()}`, `o.i + ${again()}`]);
      if (dice.chance(25)) {
        return scope.line(
          dice.chance(50) ? `return ${ends} ? ${early} : ${rest};` : `return !(${ends}) ? ${rest} : ${early};`,
        );
      }
      for (const line of [`if (${ends}) return ${early};`, stop, ...besides, `return ${rest};`]) scope.line(line);
    });
    scope.line(`int ${g}(${list} o, int n) { ${stop} return ${f}(o, n - 1) + 1; }`);
  }
  for (const name of [f, g])
    scope.functions.push({
      name,
      parameters: [
        { type: list, isOptional: false },
        { type: 'int', isOptional: false },
      ],
      rest: null,
      returns,
      isRecursive: false,
    });
}

function listStruct(scope: Scope): string {
  return scope.once('list', () => {
    const name = scope.newName('L');
    scope.head(`type ${name} { int i; ${name} next; }`);
    scope.structs.push({
      name,
      fields: [
        { name: 'i', type: 'int' },
        { name: 'next', type: name },
      ],
    });
    return name;
  });
}
