// What a value looks like: one function of its type, for every place that shows values as more than text. It takes
// types as manifests have them, so that whoever runs a module needs nothing else. Numbers are a series, structs with
// number fields are lines by name, a text may be a picture, the rest are tables and text.

import type { ManifestStruct, SentType } from '../abi/manifest.ts';
import type { TypeDescriptor } from '../abi/values.ts';

/** Whether one value gives one row or point, or a list of them. */
export type Extent = 'one' | 'many';

/** A column of a table: a field of a struct. */
export interface Column {
  readonly name: string;
  /** Whether its values can be points of a line. */
  readonly isNumber: boolean;
}

/** What values of a type are shown as. */
export type View =
  /** A point of a line, or a whole line. */
  | { readonly kind: 'series'; readonly extent: Extent }
  /** A point, or all points, of several lines. `across` is the column that they go along; null for the order. */
  | {
      readonly kind: 'lines';
      readonly extent: Extent;
      readonly columns: readonly Column[];
      readonly lines: readonly string[];
      readonly across: string | null;
    }
  /** Rows with columns and no number among them; without columns what each row has is seen at its values. */
  | { readonly kind: 'table'; readonly extent: Extent; readonly columns: readonly Column[] }
  /** A text, which may be a picture: `isPicture` says so of each. */
  | { readonly kind: 'svg' }
  | { readonly kind: 'text' };

/** Fields with these names, and numbers in them, are what lines go along. */
const acrossNames: ReadonlySet<string> = new Set([
  'x',
  't',
  'time',
  'step',
  'index',
  'i',
  'n',
  'day',
  'month',
  'year',
  'hour',
]);

/** What values of a type look like; `structs` are those of the manifest that has the type. */
export function viewOf(type: SentType, structs: readonly ManifestStruct[]): View {
  if (type === null) return { kind: 'text' };
  if (typeof type === 'string') {
    switch (type) {
      case 'int':
      case 'double':
        return { kind: 'series', extent: 'one' };
      case 'string':
        return { kind: 'svg' };
      case 'boolean':
      case 'json':
        return { kind: 'text' };
    }
  }
  if ('struct' in type) return viewOfRows(structs[type.struct]!, 'one');
  const { array: element } = type;
  if (isNumber(element)) return { kind: 'series', extent: 'many' };
  if (typeof element === 'object' && 'struct' in element) return viewOfRows(structs[element.struct]!, 'many');
  return typeof element === 'object'
    ? { kind: 'table', extent: 'many', columns: [] }
    : { kind: 'table', extent: 'many', columns: [{ name: 'value', isNumber: false }] };
}

/** Whether a text is to be shown as the picture that it is. */
export function isPicture(text: string): boolean {
  return /^\s*<svg[\s>]/.test(text);
}

function viewOfRows({ fields }: ManifestStruct, extent: Extent): View {
  const columns = fields.map(({ name, type }) => ({ name, isNumber: isNumber(type) }));
  const numbers = columns.filter((column) => column.isNumber).map(({ name }) => name);
  if (numbers.length === 0) return { kind: 'table', extent, columns };
  const across = numbers.length > 1 && acrossNames.has(numbers[0]!) ? numbers[0]! : null;
  return { kind: 'lines', extent, columns, lines: numbers.filter((name) => name !== across), across };
}

function isNumber(type: TypeDescriptor): boolean {
  return type === 'int' || type === 'double';
}
