// What is stored into a value through one of its names, and how it is read through another: numbers beyond 32 bits, which show in
// shifts and masks where somebody took them for small, and other lengths.

import { closedValue, storedValue } from './closed-values.ts';
import { elementOf, isArray, isPrimitive } from './scope.ts';
import type { Scope } from './scope.ts';

/** Statements that change what the place holds, in place; none for what cannot be changed. */
export function storesInto(scope: Scope, place: string, type: string, index: string): readonly string[] {
  const { dice } = scope;
  if (type === 'json') {
    const value = (): string => storedValue(scope, 'int');
    return [`${place}.i = ${value()};`, `${place}["i"] = ${value()};`, `${place}.setInt("i", ${value()});`, `${place}.k = ${value()};`, `${place}.remove("i");`, `if (${place}.isArray()) ${place}.push(${value()});`, `if (${place}.isArray() && ${place}.size() > 0) ${place}[0] = ${value()};`,
      `if (${place}.has("l")) ${place}.l[0] = ${value()};`, `if (${place}.has("o") && ${place}.o.isObject()) ${place}.o.i = ${value()};`];
  }
  if (isArray(type)) return arrayStores(scope, place, elementOf(type), index);
  const struct = scope.struct(type);
  if (struct === null) return [];
  return struct.fields.map((field) => (dice.chance(50) && isArray(field.type) && isPrimitive(elementOf(field.type)) ? `${place}.${field.name}[0] = ${storedValue(scope, elementOf(field.type))};` : `${place}.${field.name} = ${storedValue(scope, field.type)};`));
}

function arrayStores(scope: Scope, place: string, element: string, index: string): readonly string[] {
  const { dice } = scope;
  const value = (): string => storedValue(scope, element);
  const at = dice.pick(['0', '0', '1', index, `${place}.length() - 1`]);
  const calm = [`${place}[${at}] = ${value()};`, `${place}[0] = ${value()};`, `${place}.fill(${value()});`, `${place}.reverse();`];
  const inner = isPrimitive(element) || element === 'string' ? [] : storesInto(scope, `${place}[0]`, element, index).slice(0, 3);
  const onNumbers = element === 'int' ? [`${place}[0] += ${value()};`, `${place}[1] *= ${value()};`, `${place}[0]++;`, `${place}[${at}] = ${place}[0] - ${value()};`, `${place}.sort();`] : element === 'double' ? [`${place}[0] -= 1e18;`, `${place}.sort();`] : [];
  const resizing = [`${place}.push(${value()});`, `${place}.push(${value()});`, `${place}.insert(0, ${value()});`, `${place}.pop();`, `${place}.removeAt(0);`, `${place}.clear();`];
  return [...calm, ...calm, ...inner, ...onNumbers, ...(dice.chance(60) ? [] : resizing)];
}

/** Another value for a place of any type. */
export function assignmentTo(scope: Scope, place: string, type: string): string {
  return `${place} = ${scope.dice.chance(50) ? storedValue(scope, type) : closedValue(scope, type)};`;
}

/** Expressions over an int in which it shows whether more than 32 bits of it are there, or which only small ones pass. */
const uses: readonly ((value: string) => string)[] = [
  (x) => `(${x} >>> 7) & 0xffffffff`, (x) => `(${x} >>> 7) & 0xffffffff`, (x) => `${x} >> 33`, (x) => `${x} * 3`, (x) => `${x} % 1000`, (x) => `${x} / 7`, (x) => `${x} & 0xffffffffff`, (x) => `${x} << 3`, (x) => `${x} + 1`, (x) => `-${x}`, (x) => x,
  (x) => `(${x} * 31 + 7) & 0xffffffff`, (x) => `(${x} ^ (${x} >>> 16)) & 0xffffffff`,
];

/** Statements that add what is read of a place to `sum`, an int; they may fail. */
export function readsOf(scope: Scope, place: string, type: string, sum: string, index: string): readonly string[] {
  const { dice } = scope;
  const add = (value: string): string => `${sum} ${dice.pick(['+=', '^=', '+='])} ${dice.pick(uses)(value)};`;
  if (type === 'int') return [add(place)];
  if (type === 'double') return [`if (${place} > 2.0) ${sum} += 3;`, `${sum} ^= ${place}.toBits();`];
  if (type === 'boolean') return [`if (${place}) ${sum} += 5;`];
  if (type === 'string') return [`${sum} += ${place}.length();`, `${sum} = ${sum} * 7 + ${place}.indexOf("b");`, `if (${place} < "b") ${sum}++;`];
  if (type === 'json') return [`${sum} += ${place}.size();`, add(`${place}.getInt("i", 0)`), add(`${place}.getInt("k", 9)`), `${sum} ^= Json.stringify(${place}, false).length();`, `foreach (json x in ${place}.getJSON("l", [])) ${sum} += x.toText().length();`.replace('x.toText()', '`${x}`')];
  const struct = scope.struct(type);
  if (struct !== null) return struct.fields.flatMap((field) => (isPrimitive(field.type) ? readsOf(scope, `${place}.${field.name}`, field.type, sum, index) : [`if (${place}.${field.name} != null) ${sum} += 11;`]));
  const element = elementOf(type);
  const x = scope.newName('x');
  const at = dice.pick(['0', '0', '1', index, `${place}.length() - 1`]);
  const every = (part: string): string => dice.pick(isPrimitive(element) || element === 'string' ? readsOf(scope, part, element, sum, index) : [`if (${part} != null) ${sum}++;`]);
  return [every(`${place}[${at}]`), every(`${place}[0]`), `for (int ${x} = 0; ${x} < ${place}.length(); ${x}++) ${every(`${place}[${x}]`)}`, `foreach (${element} ${x} in ${place}) ${every(x)}`, `${sum} += ${place}.length();`];
}
