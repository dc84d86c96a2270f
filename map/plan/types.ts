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

/** The end of a sentence about a name that there is not. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === null ? '' : `: did you mean ${near}?`;
}
