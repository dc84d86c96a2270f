// Types of Arrow as plain data, and the names that columns of such types have in plans and messages: those of DuckDB,
// so that one table says what becomes of a column of a file and of one of a stream.

import type * as Arrow from 'apache-arrow';
import type { FileColumn } from '../plan/parameters.ts';

type Unit = 's' | 'ms' | 'us' | 'ns';

export type Kind =
  | { readonly kind: 'null' | 'boolean' | 'uuid' }
  | { readonly kind: 'int'; readonly bits: number; readonly isSigned: boolean }
  | { readonly kind: 'float'; readonly bits: number }
  | { readonly kind: 'decimal'; readonly bits: number; readonly precision: number; readonly scale: number }
  | { readonly kind: 'date'; readonly unit: 'days' | 'ms' }
  | { readonly kind: 'time'; readonly unit: Unit }
  | { readonly kind: 'timestamp'; readonly unit: Unit; readonly isZoned: boolean }
  | { readonly kind: 'text' | 'view' }
  /** The layout is that of texts, or one of as many bytes for each. */
  | { readonly kind: 'binary'; readonly layout: 'text' | 'view' | number }
  | { readonly kind: 'list'; readonly element: Kind }
  | { readonly kind: 'array'; readonly length: number; readonly element: Kind }
  | { readonly kind: 'struct'; readonly fields: readonly NamedKind[] }
  | { readonly kind: 'map'; readonly key: Kind; readonly value: Kind }
  | { readonly kind: 'dictionary'; readonly values: Kind }
  /** What no parameter takes. */
  | { readonly kind: 'other'; readonly name: string };

export interface NamedKind {
  readonly name: string;
  readonly kind: Kind;
}

const units: readonly Unit[] = ['s', 'ms', 'us', 'ns'];

export function kindsOf({ DataType, DateUnit }: typeof Arrow, schema: Arrow.Schema): readonly NamedKind[] {
  const named = (field: Arrow.Field): NamedKind => ({
    name: field.name,
    kind: kindOf(field.type as Arrow.DataType, field.metadata),
  });
  const kindOf = (type: Arrow.DataType, metadata: ReadonlyMap<string, string>): Kind => {
    if (DataType.isDictionary(type))
      return { kind: 'dictionary', values: kindOf(type.dictionary as Arrow.DataType, metadata) };
    if (DataType.isNull(type)) return { kind: 'null' };
    if (DataType.isBool(type)) return { kind: 'boolean' };
    if (DataType.isInt(type)) return { kind: 'int', bits: type.bitWidth, isSigned: type.isSigned };
    if (DataType.isFloat(type)) return { kind: 'float', bits: 16 << type.precision };
    if (DataType.isDecimal(type)) {
      const { bitWidth, precision, scale } = type;
      return { kind: 'decimal', bits: bitWidth, precision, scale };
    }
    if (DataType.isDate(type)) return { kind: 'date', unit: type.unit === DateUnit.DAY ? 'days' : 'ms' };
    if (DataType.isTime(type)) return { kind: 'time', unit: units[type.unit]! };
    if (DataType.isTimestamp(type))
      return { kind: 'timestamp', unit: units[type.unit]!, isZoned: (type.timezone ?? '') !== '' };
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return { kind: 'text' };
    if (DataType.isUtf8View(type)) return { kind: 'view' };
    if (DataType.isFixedSizeBinary(type) && type.byteWidth === 16 && metadata.get(extension) === 'arrow.uuid')
      return { kind: 'uuid' };
    if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return { kind: 'binary', layout: 'text' };
    if (DataType.isBinaryView(type)) return { kind: 'binary', layout: 'view' };
    if (DataType.isFixedSizeBinary(type)) return { kind: 'binary', layout: type.byteWidth };
    if (DataType.isMap(type)) {
      const [key, value] = type.children[0]!.type.children as readonly Arrow.Field[];
      return { kind: 'map', key: named(key!).kind, value: named(value!).kind };
    }
    if (DataType.isList(type) || DataType.isLargeList(type))
      return { kind: 'list', element: named(type.children[0]!).kind };
    if (DataType.isFixedSizeList(type))
      return { kind: 'array', length: type.listSize, element: named(type.children[0]!).kind };
    if (DataType.isStruct(type)) return { kind: 'struct', fields: type.children.map(named) };
    return { kind: 'other', name: (type as { toString(): string }).toString() };
  };
  return schema.fields.map(named);
}

const extension = 'ARROW:extension:name';

/** The columns as plans name them. */
export function columnsOf(kinds: readonly NamedKind[]): readonly FileColumn[] {
  return kinds.map(({ name, kind }) => ({ name, type: nameOf(kind) }));
}

const ints: Readonly<Record<number, string>> = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' };
const timestamps: Readonly<Record<Unit, string>> = {
  s: 'TIMESTAMP_S',
  ms: 'TIMESTAMP_MS',
  us: 'TIMESTAMP',
  ns: 'TIMESTAMP_NS',
};

function nameOf(kind: Kind): string {
  switch (kind.kind) {
    case 'null':
      return 'NULL';
    case 'boolean':
      return 'BOOLEAN';
    case 'uuid':
      return 'UUID';
    case 'int':
      return `${kind.isSigned ? '' : 'U'}${ints[kind.bits]!}`;
    case 'float':
      return kind.bits === 64 ? 'DOUBLE' : 'FLOAT';
    case 'decimal':
      return `DECIMAL(${kind.precision},${kind.scale})`;
    case 'date':
      return 'DATE';
    case 'time':
      return 'TIME';
    case 'timestamp':
      if (!kind.isZoned) return timestamps[kind.unit];
      return kind.unit === 'ns' ? 'TIMESTAMP_NS WITH TIME ZONE' : 'TIMESTAMP WITH TIME ZONE';
    case 'text':
    case 'view':
      return 'VARCHAR';
    case 'list':
      return `${nameOf(kind.element)}[]`;
    case 'array':
      return `${nameOf(kind.element)}[${kind.length}]`;
    case 'struct':
      return `STRUCT(${kind.fields.map((field) => `"${field.name}" ${nameOf(field.kind)}`).join(', ')})`;
    case 'map':
      return `MAP(${nameOf(kind.key)}, ${nameOf(kind.value)})`;
    case 'dictionary':
      return nameOf(kind.values);
    case 'binary':
      return 'BLOB';
    case 'other':
      return kind.name;
  }
}
