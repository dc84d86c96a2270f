// Random json values, as models.

import type { Model, ModelNumber } from './model.ts';
import { below, pick } from './random.ts';

const ints = [
  0n,
  1n,
  -1n,
  2n ** 30n - 1n,
  2n ** 30n,
  -(2n ** 30n) - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const doubles = [0, -0, 1, 0.5, -1.5, 2 ** 30, 2 ** 53, 2 ** 63, -(2 ** 63), 1e300, 5e-324, 0.1];
const keys = [
  'a',
  'b',
  'c',
  'key',
  'ü',
  '😀',
  '',
  '7',
  '10',
  '2',
  '__proto__',
  'constructor',
  'a b',
  '\n"\\',
  'x'.repeat(40),
];
const texts = ['', 'a', 'text', '😀ü', '"\\\n\u0001', '1', 'null', 'y'.repeat(50)];

/** A number of the kinds where representations change: small and large ints, whole and other doubles. */
export function randomNumber(random: () => number): ModelNumber {
  if (random() < 0.5) return { int: random() < 0.5 ? pick(random, ints) : BigInt(below(random, 20)) };
  return { double: random() < 0.5 ? pick(random, doubles) : below(random, 2000) / 100 };
}

/** Any value, nested up to six deep; `compound` makes it an array or object. */
export function randomModel(random: () => number, depth = 0, compound = false): Model {
  const kind = compound ? 4 + below(random, 2) : below(random, depth > 5 ? 4 : 6);
  if (kind === 0) return pick(random, [null, true, false]);
  if (kind === 1 || kind === 2) return randomNumber(random);
  if (kind === 3) return pick(random, texts);
  const count = random() < 0.1 ? below(random, 20) : below(random, 5);
  const values = Array.from({ length: count }, () => randomModel(random, depth + 1));
  return kind === 4
    ? values
    : { members: new Map(values.map((value, at) => [at < 12 ? pick(random, keys) : `k${at}`, value])) };
}

/** The same value or one that differs in one place: another kind of number, an order, a part more or less. */
export function changed(random: () => number, model: Model): Model {
  const parts = Array.isArray(model) ? (model as readonly Model[]) : isObject(model) ? [...model.members.values()] : [];
  if (parts.length === 0 || random() < 0.2) return changedHere(random, model);
  const at = below(random, parts.length);
  const inside = (value: Model, index: number): Model => (index === at ? changed(random, value) : value);
  if (Array.isArray(model)) return parts.map(inside);
  return {
    members: new Map([...(model as ModelObject).members].map(([key, value], index) => [key, inside(value, index)])),
  };
}

type ModelObject = Extract<Model, { readonly members: ReadonlyMap<string, Model> }>;

export function isObject(model: Model): model is ModelObject {
  return typeof model === 'object' && model !== null && 'members' in model;
}

function changedHere(random: () => number, model: Model): Model {
  if (random() < 0.2) return randomModel(random, 4);
  if (Array.isArray(model))
    return random() < 0.5 ? [...(model as readonly Model[]), null] : (model as readonly Model[]).toReversed();
  if (isObject(model)) {
    const entries = [...model.members];
    return { members: new Map(random() < 0.6 ? entries.toReversed() : [...entries.slice(1), ['new', null]]) };
  }
  if (typeof model !== 'object' || model === null) return model;
  const number = model as ModelNumber;
  if ('int' in number)
    return random() < 0.7 ? { double: Number(number.int) } : { int: BigInt.asIntN(64, number.int + 1n) };
  return Number.isInteger(number.double) && Math.abs(number.double) < 2 ** 63
    ? { int: BigInt(number.double) }
    : { double: -number.double };
}

/** Equality of the language: by content, numbers by their value, keys in any order. */
export function sameModel(a: Model, b: Model): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item: Model, at) => sameModel(item, b[at] as Model));
  if (isObject(a)) {
    if (!isObject(b) || a.members.size !== b.members.size) return false;
    return [...a.members].every(([key, value]) => b.members.has(key) && sameModel(value, b.members.get(key)!));
  }
  if (typeof a !== 'object' || a === null) return a === b;
  if (typeof b !== 'object' || b === null || Array.isArray(b) || isObject(b)) return false;
  const [x, y] = [numberIn(a as ModelNumber), numberIn(b as ModelNumber)];
  // Between bigint and number JavaScript compares the exact values.
  // oxlint-disable-next-line eqeqeq -- an int and a double compare as the numbers that they are.
  return x == y;
}

function numberIn(number: ModelNumber): bigint | number {
  return 'int' in number ? number.int : number.double;
}

/** As kind() says it. */
export function kindOf(model: Model): string {
  if (model === null) return 'null';
  if (typeof model !== 'object') return typeof model;
  if (Array.isArray(model)) return 'array';
  return isObject(model) ? 'object' : 'int' in model ? 'int' : 'double';
}
