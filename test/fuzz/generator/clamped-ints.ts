// Statements that put an int within bounds by conditions, and perhaps out of them again before it is stored: clamps,
// choices, guards that leave, loops that end behind it, errors in between.

import type { Expressions } from './expressions.ts';

const edges = [1n << 8n, 1n << 8n, 1n << 16n, 1n << 31n, 1n << 32n];

/** Arrays of such ints, which have room below an edge, or none. */
export function clampedInts(expressions: Expressions): void {
  const { scope } = expressions;
  for (let count = scope.dice.below(3) + 1; count > 0; count--) {
    const array = scope.newName('b');
    scope.line(`int[] ${array} = new int[2];`);
    scope.line('try {');
    scope.inside(() =>
      storeClamped(expressions, scope.dice.pick(edges), (value) => `${array}[${scope.dice.below(2)}] = ${value};`),
    );
    scope.block('} catch (e)', () => scope.line('yield e;'));
    scope.line(`yield ${array}[0] + 3 * ${array}[1];`);
  }
}

/** Sets a new variable and stores it; `store` gives the statement. */
function storeClamped(expressions: Expressions, edge: bigint, store: (value: string) => string): void {
  const { scope } = expressions;
  const { dice } = scope;
  const [v, w] = [scope.newName('v'), scope.newName('w')];
  const some = (): string => expressions.exact('int', 1);
  const [low, high] = [dice.pick([0n, 0n, -1n, 1n]), edge - dice.pick([1n, 1n, 0n, 2n])];
  const near = (): bigint => dice.pick([low, high, high + 1n, low - 1n, edge >> 1n]);
  const flag = (): string => dice.pick([`${w} % 3 == 1`, `${w} > ${near()}`, `${v} > ${w}`, `${v} == ${near()}`]);
  const set = (): string =>
    dice.pick([`${v} = ${w};`, `${v}++;`, `${v} -= 2;`, `${v} = ${near()};`, `${v} = ${v} * 3;`, `${v} += ${w};`]);
  const perhapsSet = (): string => (dice.chance(30) ? ` ${set()}` : '');
  const perhapsLeft = (): string => (dice.chance(60) ? ` if (${flag()}) break;` : '');
  const lines: readonly (() => string)[] = [
    set,
    () => `if (${flag()}) ${set()}`,
    () => `if (${flag()}) { ${set()} } else { ${set()} }`,
    () => `while (${v} > ${high}) { ${v} = ${v} / 3;${perhapsLeft()} }`,
    () => `for (int i = 0; i < 3; i++) { if (${flag()}) ${dice.pick(['continue', 'break'])}; ${set()} }`,
    () => `for (int i = 0; i < 3; i++) {${perhapsSet()} if (${v} < ${high}) ${v} += ${dice.pick([1, 7])}; }`,
    () => `for (int i = 0; i < 9; i++) { ${v}++; if (${v} >= ${high}) ${v} = ${low}; }`,
    () => `try { ${set()} if (${flag()}) throw "t"; ${set()} } catch (e) {${perhapsSet()} }`,
    () => `${w} = ${v}++;`,
  ];
  const clamps: readonly (() => readonly string[])[] = [
    () => [`if (${v} < ${low}) ${v} = ${low};`, `if (${v} > ${high}) ${v} = ${high};`],
    () => [`if (${v} > ${high}) ${v} = ${high};`, `if (${v} < ${low}) ${v} = ${low};`],
    () => [`${v} = ${v} < ${low} ? ${low} : ${v} > ${high} ? ${high} : ${v};`],
    () => [`if (${v} < ${low} || ${v} > ${high}) ${v} = ${near()};`],
    () => [`if (!(${v} >= ${low} && ${v} <= ${high})) { ${v} = ${low};${perhapsSet()} }`],
    () => [`if (${v} < ${low}) { ${v} = ${low}; } else if (${high} < ${v}) { ${v} = ${high};${perhapsSet()} }`],
    () => [`while (${v} > ${high}) { ${v} = ${v} / 3;${perhapsLeft()} }`, `if (${v} < ${low}) ${v} = ${low};`],
    // These let some pass.
    () => [`if (${v} >= ${low} && ${v} <= ${high}) ${v} = ${near()};`, `if (${v} < ${low}) ${v} = ${low};`],
    () => [`if (${v} + 1 > ${high} || ${v} < ${low}) ${v} = ${near()};`],
    () => [
      `if (${v} < ${low} || ${v} > ${edge * 4n}) ${v} = ${near()};`,
      `if (${v} > 0 * ${v}++ + ${high}) ${v} = ${low};`,
    ],
    () => [
      `${v} = ${low};`,
      `try { ${v} = ${w}; if (${flag()}) throw "t"; ${v} = ${high}; } catch (e) {${perhapsSet()} }`,
    ],
  ];
  scope.line(`int ${v} = ${dice.pick([some, some, some, () => String(edge * 9n), () => '9223372036854775807'])()};`);
  scope.line(`int ${w} = ${some()};`);
  for (let count = dice.below(2); count > 0; count--) scope.line(dice.pick(lines)());
  for (const clamp of dice.pick(clamps)()) {
    scope.line(clamp);
    if (dice.chance(25)) scope.line(dice.pick(lines)());
  }
  const end = dice.pick([
    () => store(v),
    () => `if (${v} >= ${low} && ${v} <= ${high}) { ${store(v)} }`,
    () => `if (${v} <= ${high}) { ${perhapsSet()} ${store(v)} } else { ${store(String(near()))} }`,
    () => `try { ${store(v)}${perhapsSet()} } catch (e) { ${store(v)} }`,
  ]);
  scope.line(end());
}
