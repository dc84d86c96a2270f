// What is stored into a value through one of its names, and how it is read through another: numbers beyond 32 bits,
// which show in shifts and masks where somebody took them for small, and other lengths.

import { closedValue, storedValue } from './closed-values.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';

type Choice = () => string;

/** A statement that changes what the place holds, in place; null for what cannot be changed. */
export function storeInto(scope: Scope, place: string, type: string, index: string): string | null {
  const choices = storesInto(scope, place, type, index);
  return choices.length === 0 ? null : scope.dice.pick(choices)();
}

function storesInto(scope: Scope, place: string, type: string, index: string): readonly Choice[] {
  if (isPrimitive(type) || type === 'string') return [];
  if (type === 'json') return jsonStores.map((store) => () => store(place, storedValue(scope, 'int')));
  if (isArray(type)) return arrayStores(scope, place, elementOf(type), index);
  return scope.struct(type)!.fields.map((field) => () => {
    const isInside = scope.dice.chance(50) && isArray(field.type) && isPrimitive(elementOf(field.type));
    return isInside
      ? `${place}.${field.name}[0] = ${storedValue(scope, elementOf(field.type))};`
      : assignmentTo(scope, `${place}.${field.name}`, field.type);
  });
}

const jsonStores: readonly ((json: string, value: string) => string)[] = [
  (json, value) => `${json}.i = ${value};`,
  (json, value) => `${json}["i"] = ${value};`,
  (json, value) => `${json}.setInt("i", ${value});`,
  (json, value) => `${json}.k = ${value};`,
  (json) => `${json}.remove("i");`,
  (json, value) => `if (${json}.isArray()) ${json}.push(${value});`,
  (json, value) => `if (${json}.isArray() && ${json}.size() > 0) ${json}[0] = ${value};`,
  (json, value) => `if (${json}.has("l")) ${json}.l[0] = ${value};`,
  (json, value) => `if (${json}.has("o") && ${json}.o.isObject()) ${json}.o.i = ${value};`,
];

function arrayStores(scope: Scope, place: string, element: string, index: string): readonly Choice[] {
  const { dice } = scope;
  const value = (): string => storedValue(scope, element);
  const at = (): string => dice.pick(['0', '0', '1', index, `${place}.length() - 1`]);
  const calm: readonly Choice[] = [
    () => `${place}[${at()}] = ${value()};`,
    () => `${place}[0] = ${value()};`,
    () => `${place}.fill(${value()});`,
    () => `${place}.reverse();`,
  ];
  const inner = (): string => storeInto(scope, `${place}[${at()}]`, element, index) ?? `${place}[0] = ${value()};`;
  const onInts: readonly Choice[] = [
    () => `${place}[0] += ${value()};`,
    () => `${place}[1] *= ${value()};`,
    () => `${place}[0]++;`,
    () => `${place}[${at()}] = ${place}[0] - ${value()};`,
    () => `${place}.sort();`,
  ];
  const onNumbers =
    element === 'int'
      ? onInts
      : element === 'double'
        ? [(): string => `${place}[0] -= 1e18;`, (): string => `${place}.sort();`]
        : [];
  const resizing: readonly Choice[] = [
    () => `${place}.push(${value()});`,
    () => `${place}.push(${value()});`,
    () => `${place}.insert(0, ${value()});`,
    () => `${place}.pop();`,
    () => `${place}.removeAt(0);`,
    () => `${place}.clear();`,
  ];
  return [...calm, inner, inner, inner, inner, ...onNumbers, ...(dice.chance(60) ? [] : resizing)];
}

/** Another value for a place of any type. */
export function assignmentTo(scope: Scope, place: string, type: string): string {
  return `${place} = ${scope.dice.chance(50) ? storedValue(scope, type) : closedValue(scope, type)};`;
}

/**
 * Expressions over an int in which it shows whether more than 32 bits of it are there, or which only small ones pass.
 */
const uses: readonly ((value: string) => string)[] = [
  ...Array.from({ length: 8 }, () => (x: string) => `(${x} >>> 7) & 0xffffffff`),
  (x) => `(${x} >>> 3) & 0xffff`,
  (x) => `${x} >> 33`,
  (x) => `${x} * 3`,
  (x) => `${x} % 1000`,
  (x) => `${x} / 7`,
  (x) => `${x} & 0xffffffffff`,
  (x) => `${x} << 3`,
  (x) => `${x} + 1`,
  (x) => `-${x}`,
  (x) => x,
  (x) => `(${x} * 31 + 7) & 0xffffffff`,
  (x) => `(${x} ^ (${x} >>> 16)) & 0xffffffff`,
  (x) => `[4, 5, 6][${x} & 1]`,
  (x) => `[4, 5, 6][${x}]`,
];

/** A statement that adds what is read of a place to `sum`, an int; it may fail. */
export function readOf(scope: Scope, place: string, type: string, sum: string, index: string): string {
  return scope.dice.pick(readsOf(scope, place, type, sum, index))();
}

function readsOf(scope: Scope, place: string, type: string, sum: string, index: string): readonly Choice[] {
  const { dice } = scope;
  const add = (value: string): string => `${sum} ${dice.pick(['+=', '^=', '+='])} ${dice.pick(uses)(value)};`;
  if (type === 'int') return [() => add(place)];
  if (type === 'double') return [() => `if (${place} > 2.0) ${sum} += 3;`, () => `${sum} ^= ${place}.toBits();`];
  if (type === 'boolean') return [() => `if (${place}) ${sum} += 5;`];
  if (type === 'string')
    return [
      () => `${sum} += ${place}.length();`,
      () => `${sum} = ${sum} * 7 + ${place}.indexOf("b");`,
      () => `if (${place} < "b") ${sum}++;`,
    ];
  if (type === 'json')
    return [
      () => `${sum} += ${place}.size();`,
      () => add(`${place}.getInt("i", 0)`),
      () => add(`${place}.getInt("k", 9)`),
      () => `${sum} ^= Json.stringify(${place}, false).length();`,
      () => `foreach (json x in ${place}.getJSON("l", [])) ${sum} += \`\${x}\`.length();`,
    ];
  const struct = scope.struct(type);
  const isSame = (part: string): string => `if (${part} == ${part}) ${sum}++;`;
  if (struct !== null)
    return struct.fields.map(
      (field) => () =>
        dice.chance(90)
          ? readOf(scope, `${place}.${field.name}`, field.type, sum, index)
          : isSame(`${place}.${field.name}`),
    );
  const element = elementOf(type);
  const x = scope.newName('x');
  const at = (): string => dice.pick(['0', '0', '1', index, `${place}.length() - 1`, `${place}.length() - 1`]);
  const every = (part: string): string => (dice.chance(90) ? readOf(scope, part, element, sum, index) : isSame(part));
  return [
    () => every(`${place}[${at()}]`),
    () => every(`${place}[0]`),
    () => `for (int ${x} = 0; ${x} < ${place}.length(); ${x}++) ${every(`${place}[${x}]`)}`,
    () => `foreach (${element} ${x} in ${place}) ${every(x)}`,
    () => `${sum} += ${place}.length();`,
  ];
}
