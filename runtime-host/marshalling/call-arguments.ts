// The arguments of a call, which have positions instead of names; the last parameter may be variadic. They are checked
// against the manifest like those of main.

import type { ExportParameter, Manifest, ManifestExport, ManifestStruct } from '../../src/abi/manifest.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { isArray, isList } from './foreign-values.ts';
import { decodeJavaScript, readList } from './javascript-values.ts';
import type { Target } from './javascript-values.ts';
import { ArgumentError } from '../errors/errors.ts';
import type { CheckedArguments, MarshalledValue } from './marshalled-values.ts';
import { describeType } from './value-writer.ts';

/**
 * The arguments by index of the parameter, undefined if the default applies. Throws ArgumentError for the first one
 * that is too many, missing or of the wrong type.
 */
function checkCall(
  fn: ManifestExport,
  structs: readonly ManifestStruct[],
  values: readonly unknown[],
): CheckedArguments {
  const { name, parameters } = fn;
  const isVariadic = parameters.at(-1)?.variadic === true;
  if (values.length > parameters.length && !isVariadic) throw tooMany(fn, structs, values.length);
  return parameters.map((parameter, index): MarshalledValue | undefined => {
    if (parameter.variadic) return checkRest(fn, structs, parameter, values.slice(index));
    const value = values[index];
    if (value !== undefined)
      return decodeJavaScript(parameter.type, value, structs, { parameter: parameter.name, call: name });
    if (parameter.required)
      throw new ArgumentError(parameter.name, `missing argument ${parameter.name}: call ${describeCall(fn, structs)}`);
    return undefined;
  });
}

/** The checked call of a function by its name. Throws ArgumentError. */
export function checkNamedCall(
  manifest: Manifest,
  name: unknown,
  values: readonly unknown[],
): { readonly described: ManifestExport; readonly checked: CheckedArguments } {
  const described = manifest.exports?.find((fn) => fn.name === name);
  if (described === undefined) throw unknownFunction(name, manifest);
  return { described, checked: checkCall(described, manifest.structs, values) };
}

/** A single array is passed on unchanged, as within the script. */
function checkRest(
  fn: ManifestExport,
  structs: readonly ManifestStruct[],
  { name, type }: ExportParameter,
  rest: readonly unknown[],
): MarshalledValue {
  const element = (type as { readonly array: ExportParameter['type'] }).array;
  const [only] = rest;
  const target: Target = { parameter: name, call: fn.name };
  if (rest.length !== 1 || !isList(only)) return decodeJavaScript(type, rest, structs, target);
  if (typeof element !== 'object' || !('array' in element)) return decodeJavaScript(type, only, structs, target);
  if (!isArray(only)) return decodeJavaScript(type, rest, structs, target);
  // Read once: unless every element is an array, the list itself is one argument.
  const items = readList(only, name, target);
  const isWhole = items.every((item) => item === null || isList(item));
  return decodeJavaScript(type, isWhole ? items : [items], structs, target);
}

/**
 * Whether the values are exactly the wasm values that a direct function takes: then they need no further check. Safe
 * integers for ints become bigints in place.
 */
export function areWireValues(parameters: readonly ExportParameter[], values: unknown[]): boolean {
  if (values.length !== parameters.length) return false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    switch (parameters[index]!.type) {
      case 'double':
        if (typeof value !== 'number') return false;
        break;
      case 'int':
        if (Number.isSafeInteger(value)) values[index] = BigInt(value as number);
        else if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return false;
        break;
      case 'boolean':
        if (typeof value !== 'boolean') return false;
        break;
      case 'string':
      case 'json':
      default:
        return false;
    }
  }
  return true;
}

/** The error for a call of an unknown function. */
function unknownFunction(name: unknown, { name: script, exports = [] }: Manifest): ArgumentError {
  if (typeof name !== 'string')
    return new ArgumentError(
      null,
      `the first argument of a call is the name of a function, not ${name === null ? 'null' : typeof name}`,
    );
  const names = exports.map((fn) => fn.name);
  const nearest = nearestName(name, names);
  if (nearest !== null)
    return new ArgumentError(null, `there is no exported function ${name}: did you mean ${nearest}?`);
  const all =
    names.length === 0
      ? `${script} exports none: write export before a function`
      : `${script} exports ${names.join(', ')}`;
  return new ArgumentError(null, `there is no exported function ${name}: ${all}`);
}

function tooMany(fn: ManifestExport, structs: readonly ManifestStruct[], count: number): ArgumentError {
  const most = fn.parameters.length;
  return new ArgumentError(
    null,
    `${fn.name} takes ${most === 0 ? 'no arguments' : `${most} argument${most === 1 ? '' : 's'}`}, not ${count}: ` +
      `call ${describeCall(fn, structs)}`,
  );
}

/** `integrate(double from, double to, int steps = …)` */
function describeCall({ name, parameters }: ManifestExport, structs: readonly ManifestStruct[]): string {
  const described = parameters.map((parameter) => {
    const type = describeType(parameter.type, structs);
    if (parameter.variadic) return `${type.slice(0, -2)} ...${parameter.name}[]`;
    return `${type} ${parameter.name}${parameter.required ? '' : ' = …'}`;
  });
  return `${name}(${described.join(', ')})`;
}
