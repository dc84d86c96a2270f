// Reads an embedder's options, through own properties only: what a package has added to Object.prototype is no option.
// Each option is read once; if reading throws, as a proxy may, the thrown value becomes the cause of the error.

import { nearestName } from '../../src/language/nearest-name.ts';
import { HostError, unreadable } from '../errors/errors.ts';
import { createObject, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isArray, ownKeys } from './untampered.ts';

/** Runs code that reads an embedder's value. Throws HostError, and no other error. */
export function readOption<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw HostError.is(cause) ? cause : new HostError(`${what}: ${unreadable}`, { cause });
  }
}

/**
 * A copy without a prototype. Throws HostError for anything but a plain object, and for a getter: both may hold options
 * that would not be read.
 */
export function ownOptions<Options extends object>(given: Options | undefined, what = 'the options'): Options {
  const options = createObject(null) as Record<PropertyKey, unknown>;
  if (given === undefined) return options as Options;
  return readOption(what, () => {
    if (!isPlain(given)) throw new HostError(`${what} must be a plain object`);
    const names = ownKeys(given);
    for (let at = 0; at < names.length; at++) {
      const descriptor = getOwnPropertyDescriptor(given, names[at]!);
      if (descriptor === undefined || !hasOwn(descriptor, 'value'))
        throw new HostError(`${what} must be a plain object: ${String(names[at])} is a getter`);
      options[names[at]!] = descriptor.value;
    }
    return options as Options;
  });
}

/** Whether only Object.prototype, of any realm, is in the prototype chain. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isArray(value)) return false;
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}

/** A type with every name that the options may have. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: unknown };

/** Throws HostError for an unknown name: a misspelt limit or denial would silently have no effect. */
export function checkOptionNames<Options extends object>(options: Options, names: OptionNames<Options>): void {
  const known = Object.keys(names);
  for (const name of Object.keys(options)) {
    if (hasOwn(names, name)) continue;
    const near = nearestName(name, known);
    const hint = near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`;
    throw new HostError(`there is no option ${name}: ${hint}`);
  }
}

/** A test for the values of an option, and its description. */
export interface OptionKind {
  readonly takes: (value: unknown) => boolean;
  readonly what: string;
}

export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isFlag: OptionKind = { takes: (value) => typeof value === 'boolean', what: 'true or false' };
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isArray(value);

/** Throws HostError for an option of the wrong type, which would otherwise have another meaning. */
export function checkOptionKinds<Options extends object>(
  options: Options,
  kinds: { readonly [Name in keyof Options]?: OptionKind },
): void {
  for (const [name, { takes, what }] of Object.entries(kinds) as [keyof Options & string, OptionKind][]) {
    const value = options[name];
    if (value !== undefined && !readOption(`the option ${name}`, () => takes(value)))
      throw new HostError(`the option ${name} is ${what}`);
  }
}

/** An option's list after reading. Throws HostError. */
export function listOption<Item>(
  name: string,
  value: unknown,
  isItem: (item: unknown) => item is Item,
  what: string,
): readonly Item[] {
  return readOption(`the option ${name}`, () => {
    const items = isArray(value) ? Array.from(value as readonly unknown[]) : null;
    if (items === null || !items.every(isItem)) throw new HostError(`the option ${name} is ${what}`);
    return items;
  });
}

/** An option's object after reading. Throws HostError. */
export function recordOption<Item>(
  name: string,
  value: object | undefined,
  isItem: (item: unknown) => item is Item,
  what: string,
): Readonly<Record<string, Item>> {
  if (value !== undefined && !isObject(value)) throw new HostError(`the option ${name} is ${what}`);
  const items = ownOptions(value, `the option ${name}`) as Readonly<Record<string, Item>>;
  if (!Object.values(items).every(isItem)) throw new HostError(`the option ${name} is ${what}`);
  return items;
}
