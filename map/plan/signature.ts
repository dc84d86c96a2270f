// Reads from the manifest of a script what it does with records: `map` or `mapBatch`, its parameters, what it gives.

import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { MapError } from '../errors.ts';
import { carriersOf, conversionOf } from './conversions.ts';
import type { Argument, InputColumn, InputFormat, NullRule, OutputColumn, Shape, Work } from './plan.ts';

/** A column as a file has it. */
export interface FileColumn {
  readonly name: string;
  readonly type: string;
  /** The file has several of this name. */
  readonly isAmbiguous?: boolean;
}

export interface Naming {
  /** Columns by parameter, where their names differ. */
  readonly columns: ReadonlyMap<string, string>;
  readonly nulls: ReadonlyMap<string, NullRule>;
  /** Names of the arguments that are given. */
  readonly given: ReadonlySet<string>;
}

const validSuffix = '_valid';

/** Throws MapError for a script that has no function for records, or one that the columns do not fit. */
export function readWork(
  manifest: Manifest,
  format: InputFormat,
  columns: readonly FileColumn[],
  naming: Naming,
): Work {
  const { fn, shape } = findFunction(manifest);
  const result = resultOf(manifest, fn, shape);
  const { inputs, call } = readParameters(manifest, fn, shape, format, columns, naming);
  return { shape, inputs, call, outputs: outputsOf(manifest, result, shape), result };
}

/** The exported function that takes records. */
export function findFunction(manifest: Manifest): { readonly fn: ManifestExport; readonly shape: Shape } {
  const found = (manifest.exports ?? []).filter(({ name }) => name === 'map' || name === 'mapBatch');
  const [fn, other] = found;
  if (fn === undefined) {
    const near = nearestName(
      'map',
      (manifest.exports ?? []).map(({ name }) => name),
    );
    throw new MapError(
      `${manifest.name} exports neither map nor mapBatch: ` +
        (near === null
          ? 'export Out map(double price) { … } takes a record'
          : `did you mean map, where it has ${near}?`),
    );
  }
  if (other !== undefined) throw new MapError(`${manifest.name} exports both map and mapBatch: one of them is enough`);
  return { fn, shape: fn.name === 'mapBatch' ? 'batch' : fn.returns === null ? 'yields' : 'record' };
}

/** The struct that the function gives. */
function resultOf(manifest: Manifest, fn: ManifestExport, shape: Shape): number {
  const given =
    shape === 'yields' ? (fn.outputs?.yields ?? manifest.yields ?? []).filter((type) => type !== null) : [fn.returns];
  const [type] = given;
  if (given.length === 1 && typeof type === 'object' && type !== null && 'struct' in type) return type.struct;
  const what = shape === 'yields' ? 'yields' : 'returns';
  throw new MapError(
    `${fn.name} ${what} ${given.length === 0 ? 'nothing' : given.map((one) => describe(manifest, one!)).join(' and ')}: ` +
      `it ${what} a struct, with a field for each column that is written`,
  );
}

function readParameters(
  manifest: Manifest,
  fn: ManifestExport,
  shape: Shape,
  format: InputFormat,
  columns: readonly FileColumn[],
  { columns: renamed, nulls, given }: Naming,
): Pick<Work, 'inputs' | 'call'> {
  const names = columns.map(({ name }) => name);
  const parameters = fn.parameters.map(({ name }) => name);
  for (const [option, used] of [
    ['--column', renamed.keys()],
    ['--null', nulls.keys()],
    ['-a', given],
  ] as const)
    for (const name of used)
      if (!parameters.includes(name))
        throw new MapError(`${option} ${name}: ${fn.name} has no such parameter${meant(name, parameters)}`);
  const inputs: InputColumn[] = [];
  const call: Argument[] = [];
  let isCut = false;
  for (const [at, parameter] of fn.parameters.entries()) {
    const { name, required } = parameter;
    if (parameter.variadic) throw new MapError(`${fn.name} takes any number of ${name}, and columns have names`);
    const type = shape === 'batch' ? elementOf(manifest, fn, name, parameter.type) : parameter.type;
    const isValid = type === 'boolean' && name.endsWith(validSuffix) && isColumnOf(name, inputs);
    const column = columns.find((one) => one.name === (renamed.get(name) ?? name));
    if (isCut && (isValid || column !== undefined || given.has(name)))
      throw new MapError(`${fn.name}: give ${fn.parameters[at - 1]!.name} with -a, since ${name} stands behind it`);
    if (isValid)
      call.push({ kind: 'valid', at: inputs.findIndex((input) => `${input.parameter}${validSuffix}` === name) });
    else if (given.has(name)) call.push({ kind: 'given', name, type: parameter.type });
    else if (column?.isAmbiguous === true)
      throw new MapError(`the input has several columns ${column.name}, and ${fn.name} takes one of them`);
    else if (column !== undefined) {
      call.push({ kind: 'column', at: inputs.length });
      inputs.push(inputOf(manifest, fn, name, type, format, column, nulls.get(name), parameters));
    } else if (required)
      throw new MapError(
        `${fn.name} takes ${describe(manifest, type)} ${name}, and the input has no column ` +
          `${renamed.get(name) ?? name}${meant(renamed.get(name) ?? name, names)}; ` +
          `it has ${names.join(', ')}${format === 'csv' ? ' in its first line' : ''}; ` +
          `-a ${name}=VALUE gives one value for all records`,
      );
    else isCut = true;
  }
  return { inputs, call };
}

function isColumnOf(name: string, inputs: readonly InputColumn[]): boolean {
  return inputs.some(({ parameter }) => `${parameter}${validSuffix}` === name);
}

function elementOf(manifest: Manifest, fn: ManifestExport, name: string, type: TypeDescriptor): TypeDescriptor {
  if (typeof type === 'object' && 'array' in type) return type.array;
  // An argument that is given may be anything.
  if (typeof type === 'string') return type;
  throw new MapError(`${fn.name} takes columns as arrays, and ${name} is ${describe(manifest, type)}`);
}

function inputOf(
  manifest: Manifest,
  fn: ManifestExport,
  name: string,
  type: TypeDescriptor,
  format: InputFormat,
  column: FileColumn,
  rule: NullRule | undefined,
  parameters: readonly string[],
): InputColumn {
  const conversion = conversionOf(format, column.type, type);
  if (conversion === null) {
    const can = [...new Set(carriersOf(format, column.type))];
    throw new MapError(
      `the column ${column.name} is ${column.type}, and ${fn.name} takes ${describe(manifest, type)} ${name}: ` +
        (can.length === 0 ? 'no parameter can take such a column' : `it can be ${can.join(' or ')}`),
    );
  }
  const quoted = `"${column.name.replaceAll('"', '""')}"`;
  const isNumber = type === 'int' || type === 'double' || type === 'boolean';
  if (rule !== undefined && rule.kind === 'value') checkNullValue(name, type, rule.text);
  return {
    parameter: name,
    column: column.name,
    columnType: column.type,
    type,
    carrier: conversion.carrier,
    sql: conversion.sql(quoted),
    misfitSql: conversion.misfitSql === null ? null : `(${quoted} IS NOT NULL AND (${conversion.misfitSql(quoted)}))`,
    conversion: conversion.note,
    takesNull: !isNumber || parameters.includes(`${name}${validSuffix}`),
    nulls: rule ?? { kind: 'error' },
  };
}

const literals: Readonly<Record<string, RegExp>> = {
  int: /^-?\d{1,18}$/,
  double: /^-?\d{1,300}(\.\d+)?([eE][-+]?\d{1,2})?$/,
  boolean: /^(true|false)$/,
};

function checkNullValue(name: string, type: TypeDescriptor, text: string): void {
  if (type === 'string') return;
  if (typeof type !== 'string' || literals[type]?.test(text) !== true)
    throw new MapError(
      `--null ${name}=${text}: ${name} is ${typeof type === 'string' ? type : 'no number or text'}, ` +
        'and null becomes such a value, or --null NAME=skip leaves the record out',
    );
}

/** The columns that the fields of a struct become. */
function outputsOf({ structs, name }: Manifest, result: number, shape: Shape): readonly OutputColumn[] {
  const { fields, name: struct } = structs[result]!;
  const types = new Map(fields.map((field) => [field.name, field.type]));
  const typeOf = (field: string, type: TypeDescriptor): TypeDescriptor => {
    if (shape !== 'batch') return type;
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

function describe({ structs }: Pick<Manifest, 'structs'>, type: TypeDescriptor): string {
  if (typeof type === 'string') return type;
  return 'array' in type ? `${describe({ structs }, type.array)}[]` : structs[type.struct]!.name;
}

function meant(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === null ? '' : `: did you mean ${near}?`;
}
