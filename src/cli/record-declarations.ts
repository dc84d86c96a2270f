// The records of `sluice map` for TypeScript, as lines of NDJSON have them: what a script takes, what it writes, and
// the rows of its summary. Groups of --by stand in front of a row's fields, and are not known from the script.

import type { Manifest } from '../../runtime-host/api/node.ts';
import type { ManifestExport, ManifestStruct } from '../abi/manifest.ts';
import type { TypeDescriptor } from '../abi/values.ts';
import { memberName } from './type-declarations.ts';

interface Column {
  readonly name: string;
  readonly type: TypeDescriptor;
  /** It may be left out: the script, or the command line, has a value for it. */
  readonly isOptional: boolean;
}

interface RecordType {
  /** Behind the name of the script. */
  readonly suffix: string;
  readonly about: string;
  readonly columns: readonly Column[];
}

/** Interfaces for the records of a script; none for one that `sluice map` does not run. */
export function declareRecords(manifest: Manifest, typeName: string): readonly string[] {
  const { structs, exports = [] } = manifest;
  const taken = new Set([typeName, 'Json', ...structs.flatMap(({ name }) => [name, `${name}Input`])]);
  const prefix = typeName.replace(/Script$/, '');
  return recordTypes(structs, exports).map(({ suffix, about, columns }) => {
    let name = `${prefix}${suffix}`;
    for (let number = 2; taken.has(name); number++) name = `${prefix}${suffix}${number}`;
    const members = columns.map(
      (column) =>
        `  readonly ${memberName(column.name)}${column.isOptional ? '?' : ''}: ${typeOf(column.type, structs)}` +
        `${isNumber(column.type) ? ' | null' : ''};\n`,
    );
    return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}`;
  });
}

function recordTypes(structs: readonly ManifestStruct[], exports: readonly ManifestExport[]): readonly RecordType[] {
  const find = (name: string): ManifestExport | undefined => exports.find((fn) => fn.name === name);
  const [map, batch, step, finish] = ['map', 'mapBatch', 'step', 'finish'].map(find);
  const mapped = map ?? batch;
  const isBatch = map === undefined;
  // Of columns that are taken in arrays, what is no array is an argument.
  const taken = mapped === undefined ? step?.parameters.slice(1) : isBatch ? arraysOf(mapped) : mapped.parameters;
  if (taken === undefined || (mapped === undefined && finish === undefined)) return [];
  const input = taken.map(({ name, type, required }) => ({ name, type, isOptional: !required }));
  const found: RecordType[] = [
    { suffix: 'Record', about: 'What `sluice map` takes: a line of NDJSON.', columns: withoutMarks(input) },
  ];
  const output = mapped === undefined ? null : givenBy(mapped, structs);
  if (output !== null) {
    const columns = isBatch ? elementsOf(output) : output;
    found.push({ suffix: 'Output', about: 'What `sluice map` writes, as NDJSON.', columns: withoutMarks(columns) });
  }
  const summary = finish === undefined ? null : givenBy(finish, structs);
  if (summary !== null) {
    const about = 'A row of the summary, as NDJSON; the columns of --by stand in front.';
    found.push({ suffix: 'Summary', about, columns: withoutMarks(summary) });
  }
  return found;
}

/** `price_valid` says whether there is a price, and is no column. */
function withoutMarks(columns: readonly Column[]): readonly Column[] {
  const names = new Set(columns.map(({ name }) => name));
  return columns.filter(({ name }) => !name.endsWith('_valid') || !names.has(name.slice(0, -'_valid'.length)));
}

function arraysOf({ parameters }: ManifestExport): ManifestExport['parameters'] {
  return parameters.flatMap((parameter) => {
    const { type } = parameter;
    return typeof type === 'object' && 'array' in type ? [{ ...parameter, type: type.array }] : [];
  });
}

/** The fields of the struct that a function returns or yields; null for something else. */
function givenBy({ returns, outputs }: ManifestExport, structs: readonly ManifestStruct[]): readonly Column[] | null {
  const yielded = outputs?.yields.find((type) => type !== null) ?? null;
  const type = returns ?? yielded;
  if (typeof type !== 'object' || type === null || !('struct' in type)) return null;
  return structs[type.struct]!.fields.map((field) => ({ ...field, isOptional: false }));
}

function elementsOf(columns: readonly Column[]): readonly Column[] {
  return columns.map((column) => {
    const { type } = column;
    return typeof type === 'object' && 'array' in type ? { ...column, type: type.array } : column;
  });
}

function isNumber(type: TypeDescriptor): boolean {
  return type === 'int' || type === 'double' || type === 'boolean';
}

/** A value as JSON has it. `around`: structs that it is in, in which they may be again. */
function typeOf(type: TypeDescriptor, structs: readonly ManifestStruct[], around: readonly number[] = []): string {
  if (type === 'int' || type === 'double') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'string') return 'string | null';
  if (type === 'json') return 'unknown';
  if ('array' in type) return `readonly (${typeOf(type.array, structs, around)})[] | null`;
  if (around.includes(type.struct)) return 'unknown';
  const inner = [...around, type.struct];
  const fields = structs[type.struct]!.fields.map(
    (field) => `readonly ${memberName(field.name)}: ${typeOf(field.type, structs, inner)}`,
  );
  return `{ ${fields.join('; ')} } | null`;
}
