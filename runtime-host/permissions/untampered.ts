// Functions of the engine as they were when the host was loaded. What decides about permissions calls these, so that a
// host program which changes a prototype later, or a package that does, changes no decision.

const uncurry = <This, Values extends readonly unknown[], Result>(method: (this: This, ...values: Values) => Result) =>
  Function.prototype.call.bind(method) as unknown as (self: This, ...values: Values) => Result;

export const sliceText: (text: string, from: number, to?: number) => string = uncurry(String.prototype.slice);
export const unitAt: (text: string, at: number) => number = uncurry(String.prototype.charCodeAt);
export const lastIndexInText: (text: string, sub: string) => number = uncurry(String.prototype.lastIndexOf) as (text: string, sub: string) => number;
export const { isArray } = Array;
export const { isSafeInteger } = Number;
export const { freeze, create: createObject } = Object;
export const { ownKeys, getOwnPropertyDescriptor } = Reflect;

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
