// What an embedder gives as options, by own properties alone: whatever a package has put on Object.prototype is no
// option.

import { nearestName } from '../../src/language/nearest-name.ts';
import { HostError } from '../errors/errors.ts';
import { createObject, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isArray, ownKeys } from './untampered.ts';

/**
 * A copy without a prototype. Throws HostError for what is no plain object, and for a getter: both may mean something
 * that is not read.
 */
export function ownOptions<Options extends object>(given: Options | undefined, what = 'the options'): Options {
  const options = createObject(null) as Record<PropertyKey, unknown>;
  if (given === undefined) return options as Options;
  if (!isPlain(given)) throw new HostError(`${what} must be a plain object`);
  const names = ownKeys(given);
  for (let at = 0; at < names.length; at++) {
    const descriptor = getOwnPropertyDescriptor(given, names[at]!)!;
    if (!hasOwn(descriptor, 'value'))
      throw new HostError(`${what} must be a plain object: ${String(names[at])} is a getter`);
    options[names[at]!] = descriptor.value;
  }
  return options as Options;
}

/** Nothing stands above it but the root of all objects, of whatever realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isArray(value)) return false;
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}

/** Has every name that options may have. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: unknown };

/**
 * Throws HostError for a name that is none of these: what it was to limit or to deny would count for nothing without a
 * word.
 */
export function checkOptionNames<Options extends object>(options: Options, names: OptionNames<Options>): void {
  const known = Object.keys(names);
  for (const name of Object.keys(options)) {
    if (hasOwn(names, name)) continue;
    const near = nearestName(name, known);
    throw new HostError(
      `there is no option ${name}: ${near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
}
