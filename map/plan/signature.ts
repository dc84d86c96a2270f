// What the function of a script that maps does with the records: its parameters, and what it gives.

import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { MapError } from '../errors.ts';
import type { MapFunction } from './functions.ts';
import { readParameters, validSuffix } from './parameters.ts';
import type { Naming, Source } from './parameters.ts';
import type { OutputColumn, Shape, Work, WorkPlan } from './plan.ts';
import { describeType } from './types.ts';

/** Throws MapError for a function that the columns do not fit, or that gives no struct. */
export function readWork(manifest: Manifest, { fn, shape }: MapFunction, source: Source, naming: Naming): Work {
  const result = resultOf(manifest, fn, shape);
  const { inputs, call } = readParameters(manifest, fn, shape === 'batch', source, naming);
  return { shape, inputs, call, outputs: outputsOf(manifest, result, shape === 'batch'), result };
}

/** The struct that the function gives. */
function resultOf(manifest: Manifest, fn: ManifestExport, shape: Shape): number {
  const given =
    shape === 'yields' ? (fn.outputs?.yields ?? manifest.yields ?? []).filter((type) => type !== null) : [fn.returns];
  const [type] = given;
  if (given.length === 1 && typeof type === 'object' && type !== null && 'struct' in type) return type.struct;
  const what = shape === 'yields' ? 'yields' : 'returns';
  throw new MapError(
    `${fn.name} ${what} ${given.length === 0 ? 'nothing' : given.map((one) => describeType(manifest, one!)).join(' and ')}: ` +
      `it ${what} a struct, with a field for each column that is written`,
  );
}

/** The columns that the fields of a struct become. `isBatch`: they are arrays. */
export function outputsOf({ structs, name }: Manifest, result: number, isBatch: boolean): readonly OutputColumn[] {
  const { fields, name: struct } = structs[result]!;
  const types = new Map(fields.map((field) => [field.name, field.type]));
  const typeOf = (field: string, type: TypeDescriptor): TypeDescriptor => {
    if (!isBatch) return type;
    if (typeof type === 'object' && 'array' in type) return type.array;
    throw new MapError(`${name}: mapBatch gives columns, and the field ${field} of ${struct} is no array`);
  };
  const isValidOf = (field: string): boolean =>
    field.endsWith(validSuffix) && types.has(field.slice(0, -validSuffix.length));
  const outputs = fields
    .filter((field) => !isValidOf(field.name))
    .map((field): OutputColumn => {
      const type = typeOf(field.name, field.type);
      const valid = `${field.name}${validSuffix}`;
      return {
        name: field.name,
        type,
        carrier: typeof type === 'string' ? type : 'json',
        valid: types.has(valid) ? valid : null,
      };
    });
  for (const { name: column, valid } of outputs)
    if (valid !== null && typeOf(valid, types.get(valid)!) !== 'boolean')
      throw new MapError(`${name}: ${valid} of ${struct} says whether there is a ${column}, and is a boolean`);
  return outputs;
}

/** Throws MapError for columns that cannot be written to one file, or not be read again to be summed up. */
export function checkFileColumns({ map, fold }: WorkPlan): void {
  const mapped = map?.work.outputs ?? [];
  for (const outputs of [mapped, fold?.work.outputs ?? []]) {
    const seen = new Map<string, string>();
    for (const { name } of outputs) {
      const other = seen.get(name.toLowerCase());
      if (other !== undefined)
        throw new MapError(`the columns ${other} and ${name} have one name but for its case: one needs another name`);
      seen.set(name.toLowerCase(), name);
    }
  }
  const numbered = mapped.find(({ name }) => name.toLowerCase() === 'file_row_number');
  if (fold !== null && numbered !== undefined)
    throw new MapError(`map gives a column ${numbered.name}, which is what its rows are numbered by: rename it`);
}
