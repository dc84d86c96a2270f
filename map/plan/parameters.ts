// What fills the parameters of a function: columns by name, `x_valid`, and arguments that are given.

import type { ExportParameter, Manifest } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { quote, shellWord } from '../../src/language/quoted-text.ts';
import { MapError } from '../errors.ts';
import { carriersOf, conversionOf } from './conversions.ts';
import type { Argument, InputColumn, InputFormat, NullRule, Taken } from './plan.ts';
import { describeType, meant, nameInWords } from './types.ts';

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

/** A function as far as its parameters go. */
export interface Called {
  readonly name: string;
  readonly parameters: readonly ExportParameter[];
}

/** Columns that a function can take; `what` says where they are. */
export interface Source {
  readonly format: InputFormat;
  readonly columns: readonly FileColumn[];
  readonly what: string;
}

export const validSuffix = '_valid';

/** Throws MapError where an option names a parameter that no function has, or that has two types. */
export function checkNames(functions: readonly Called[], { columns, nulls, given }: Naming): void {
  const filled = functions.filter(({ name }) => name !== 'init' && name !== 'finish');
  for (const [option, names, takers] of [
    ['--column', columns.keys(), filled],
    ['--null', nulls.keys(), filled],
    ['-a', given, functions],
  ] as const) {
    const parameters = takers.flatMap((fn) => fn.parameters.map(({ name }) => name));
    for (const name of names)
      if (!parameters.includes(name))
        throw new MapError(
          `${option} ${name}: ${takers.map((fn) => fn.name).join(', ')} has no such parameter` +
            meant(name, parameters),
        );
  }
  for (const name of given) {
    const types = new Set(
      functions.flatMap(({ parameters }) =>
        parameters.filter((parameter) => parameter.name === name).map(({ type }) => JSON.stringify(type)),
      ),
    );
    if (types.size > 1)
      throw new MapError(`-a ${name}: functions of the script take it as different types, and it has one`);
  }
}

/** Fills parameters by columns and what is given. `isBatch`: they are arrays. */
export function readParameters(
  manifest: Manifest,
  fn: Called,
  isBatch: boolean,
  { format, columns, what }: Source,
  { columns: renamed, nulls, given }: Naming,
): Taken {
  const names = columns.map(({ name }) => name);
  const parameters = fn.parameters.map(({ name }) => name);
  const inputs: InputColumn[] = [];
  const call: Argument[] = [];
  let isCut = false;
  for (const [at, parameter] of fn.parameters.entries()) {
    const { name, required } = parameter;
    if (parameter.variadic) throw new MapError(`${fn.name} takes any number of ${name}, and columns have names`);
    const type = isBatch ? elementOf(manifest, fn, name, parameter.type) : parameter.type;
    const isValid = type === 'boolean' && name.endsWith(validSuffix) && isColumnOf(name, inputs);
    const column = columns.find((one) => one.name === (renamed.get(name) ?? name));
    if (isCut && (isValid || column !== undefined || given.has(name)))
      throw new MapError(`${fn.name}: give ${fn.parameters[at - 1]!.name} with -a, since ${name} stands behind it`);
    if (isValid)
      call.push({ kind: 'valid', at: inputs.findIndex((input) => `${input.parameter}${validSuffix}` === name) });
    else if (given.has(name)) call.push({ kind: 'given', name, type: parameter.type });
    else if (column?.isAmbiguous === true)
      throw new MapError(`${what} has several columns ${column.name}, and ${fn.name} takes one of them`);
    else if (column !== undefined) {
      call.push({ kind: 'column', at: inputs.length });
      inputs.push(inputOf(manifest, fn, name, type, format, column, nulls.get(name), parameters));
    } else if (required)
      throw new MapError(
        `${fn.name} takes ${describeType(manifest, type)} ${name}, and ${what} has no column ` +
          `${renamed.get(name) ?? name}${meantColumn(name, renamed.get(name) ?? name, names)}; ` +
          `it has ${names.join(', ')}${format === 'csv' ? ' in its first line' : ''}; ` +
          inPlace(manifest, fn, name, type),
      );
    else isCut = true;
  }
  return { inputs, call };
}

/** What else may fill a parameter: a value for all records, or the fields of a struct, each from its own column. */
function inPlace({ structs }: Manifest, { name: fn }: Called, name: string, type: TypeDescriptor): string {
  if (typeof type === 'string' || 'array' in type) return `-a ${name}=VALUE gives one value for all records`;
  const fields = structs[type.struct]!.fields.map((field) => `${describeType({ structs }, field.type)} ${field.name}`);
  return `each column is a parameter of its own: ${fn}(${fields.join(', ')})`;
}

/** The end of a sentence about a column that there is not: a name that differs by more than a slip is given in full. */
function meantColumn(parameter: string, wanted: string, names: readonly string[]): string {
  const slip = meant(wanted, names);
  const other = slip === '' ? nameInWords(wanted, names) : null;
  return other === null ? slip : `: did you mean --column ${parameter}=${shellWord(quote(other))}?`;
}

/** Parameters that no column fills. */
export function readGiven(manifest: Manifest, fn: Called, { given }: Naming): readonly Argument[] {
  const call: Argument[] = [];
  let isCut = false;
  for (const [at, { name, type, required, variadic }] of fn.parameters.entries()) {
    if (variadic) throw new MapError(`${fn.name} takes any number of ${name}, and arguments have names`);
    const isGiven = given.has(name);
    if (isCut && isGiven)
      throw new MapError(`${fn.name}: give ${fn.parameters[at - 1]!.name} with -a, since ${name} stands behind it`);
    if (isGiven) call.push({ kind: 'given', name, type });
    else if (required)
      throw new MapError(
        `${fn.name} takes ${describeType(manifest, type)} ${name}, and no record: -a ${name}=VALUE gives its value`,
      );
    else isCut = true;
  }
  return call;
}

function isColumnOf(name: string, inputs: readonly InputColumn[]): boolean {
  return inputs.some(({ parameter }) => `${parameter}${validSuffix}` === name);
}

function elementOf(manifest: Manifest, fn: Called, name: string, type: TypeDescriptor): TypeDescriptor {
  if (typeof type === 'object' && 'array' in type) return type.array;
  // An argument that is given may be anything.
  if (typeof type === 'string') return type;
  throw new MapError(`${fn.name} takes columns as arrays, and ${name} is ${describeType(manifest, type)}`);
}

function inputOf(
  manifest: Manifest,
  fn: Called,
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
      `the column ${column.name} is ${column.type}, and ${fn.name} takes ${describeType(manifest, type)} ${name}: ` +
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
    textSql: `CAST(${quoted} AS VARCHAR)`,
    mostly: null,
    unitSql: conversion.unitSql === null ? null : conversion.unitSql(quoted),
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
