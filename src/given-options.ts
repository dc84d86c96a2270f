// Looks at what callers hand over as options. What they get wrong is told as a TypeError, and nothing counts but own
// properties.

import { nearestName } from './language/nearest-name.ts';

/** Every option by its name. */
export type NamesOf<Options> = { readonly [Name in keyof Options]-?: true };

/** What somebody has given is read once; what reading it throws, as a proxy may, is the cause of one error. */
export function readGiven<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new TypeError(`${what}: it cannot be read, since reading it throws an error`, { cause });
  }
}

/** The own properties, and nothing that stands above them. */
export function ownPart<Part extends object>(given: Part, what: string): Part {
  return readGiven(what, () => Object.assign(Object.create(null) as Part, given));
}

/** An option that is misspelt would count for nothing. */
export function ownOptions<Options extends object>(given: Options, names: NamesOf<Options>): Options {
  const isArray = readGiven('the options', () => Array.isArray(given));
  if (typeof given !== 'object' || given === null || isArray)
    throw new TypeError(`the options are an object, not ${isArray ? 'an array' : kindOf(given)}`);
  const options = ownPart(given, 'the options');
  needNames(options, names, 'option');
  return options;
}

export function needNames(given: object, names: object, what: string): void {
  const known = Object.keys(names);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw new TypeError(
      `there is no ${what} ${name}: ${near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
}

/** In the words of JavaScript. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
