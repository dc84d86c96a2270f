// The engine's functions as they were when the host was loaded. Code that decides about permissions calls these, so
// that a host program or package that changes a prototype later does not change a decision.

const uncurry = <This, Values extends readonly unknown[], Result>(method: (this: This, ...values: Values) => Result) =>
  Function.prototype.call.bind(method) as unknown as (self: This, ...values: Values) => Result;

export const sliceText: (text: string, from: number, to?: number) => string = uncurry(String.prototype.slice);
export const unitAt: (text: string, at: number) => number = uncurry(String.prototype.charCodeAt);
export const indexInText: (text: string, sub: string) => number = uncurry<string, [string], number>(
  String.prototype.indexOf,
);
export const lastIndexInText: (text: string, sub: string) => number = uncurry<string, [string], number>(
  String.prototype.lastIndexOf,
);
export const { isArray } = Array;
export const { isSafeInteger } = Number;
export const { floor, max, min, round } = Math;
/** Milliseconds since an unspecified moment. */
export const timeNow: () => number = performance.now.bind(performance);
export const { freeze, create: createObject, hasOwn } = Object;
export const { apply: applyTo, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Reflect;
const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]) as (type: unknown, value: unknown) => boolean;
const then = uncurry(Promise.prototype.then) as (
  promise: Promise<unknown>,
  done: () => void,
  failed: (error: unknown) => void,
) => unknown;

/** Like `instanceof`, but false if the test throws, as for a proxy. */
export function isInstance<Value>(value: unknown, type: abstract new (...values: never[]) => Value): value is Value {
  try {
    return hasInstance(type, value);
  } catch {
    return false;
  }
}

/** Ignores a value that nobody waits for: if it is a promise, of any realm, its rejection must not end the process. */
export function disregard(value: unknown, failed: (error: unknown) => void = () => {}): void {
  try {
    if (typeof value === 'object') then(value as Promise<unknown>, () => {}, failed);
  } catch {
    // It is no promise.
  }
}

/** The own properties of an object, without a prototype. */
export function ownProperties<Properties extends object>(given: Properties): Properties {
  const properties = createObject(null) as Record<PropertyKey, unknown>;
  const names = ownKeys(given);
  for (let at = 0; at < names.length; at++) properties[names[at]!] = ownData(given, names[at]!);
  return properties as Properties;
}

/** A property of an object or of its classes, except those of Object.prototype. */
export function partOf(object: object, name: string): unknown {
  for (let holder: object | null = object; holder !== null;) {
    const above = getPrototypeOf(holder);
    if (above === null && holder !== object) return undefined;
    if (hasOwn(holder, name)) return (object as Readonly<Record<string, unknown>>)[name];
    holder = above;
  }
  return undefined;
}

/** Appends to a list, even if a prototype has a property for that index. */
export function append<Value>(list: Value[], value: Value): void {
  defineProperty(list, list.length, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** An own property that is no getter; undefined otherwise. */
export function ownData(object: object, name: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(object, name);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/** Whether a text begins with another. */
export function beginsWith(text: string, start: string): boolean {
  return sliceText(text, 0, start.length) === start;
}

/** The text with the letters A to Z in lower case, and no others. */
export function lowerAscii(text: string): string {
  let lower = '';
  for (let at = 0; at < text.length; at++) {
    const unit = unitAt(text, at);
    lower += unit >= 65 && unit <= 90 ? letters[unit - 65]! : sliceText(text, at, at + 1);
  }
  return lower;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
