// Types of the script as people write them.

import type { Manifest } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { nearestName } from '../../src/language/nearest-name.ts';

type Structs = Pick<Manifest, 'structs'>;

export function describeType({ structs }: Structs, type: TypeDescriptor): string {
  if (typeof type === 'string') return type;
  return 'array' in type ? `${describeType({ structs }, type.array)}[]` : structs[type.struct]!.name;
}

/** A struct with its fields. */
export function describeStruct({ structs }: Structs, struct: number): string {
  const { name, fields } = structs[struct]!;
  return `${name} { ${fields.map((field) => `${describeType({ structs }, field.type)} ${field.name};`).join(' ')} }`;
}

/** The only name that has all words of another one, or whose words that one has; null if there is none. */
export function nameInWords(name: string, names: readonly string[]): string | null {
  const wordsOf = (text: string): ReadonlySet<string> =>
    new Set(
      text
        .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu),
    );
  const has = (all: ReadonlySet<string>, some: ReadonlySet<string>): boolean =>
    [...some].every((word) => all.has(word));
  const words = wordsOf(name);
  const found = names.filter((other) => {
    const others = wordsOf(other);
    return words.size > 0 && others.size > 0 && (has(others, words) || has(words, others));
  });
  return found.length === 1 ? found[0]! : null;
}

/** The end of a sentence about a name that there is not. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === null ? '' : `: did you mean ${near}?`;
}
