// Whether a value that a module has written is of its declared type. In modules that Sluice made it always is; a plugin
// may rely on it for other modules too.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { decode, whole } from './codec.ts';
import type { Form, ScalarType } from './codec.ts';

interface Parameter {
  readonly type: TypeDescriptor;
  readonly nullable: boolean;
}

/** Thrown for a value of another type; only guards catch it. */
export const wrong = Symbol('of another type');

/** A form that only checks: it makes no values. */
export function guard(
  isScalar: (type: ScalarType, value: unknown) => boolean,
  rest: Pick<Form<null>, 'array' | 'field' | 'isStruct'>,
): Form<null> {
  const mismatch = (): never => {
    throw wrong;
  };
  return {
    ...rest,
    scalar: (type, value) => (isScalar(type, value) ? null : mismatch()),
    compose: () => null,
    nothing: null,
    mismatch,
    tooDeep: mismatch,
  };
}

/** Whether a value is of the type, or a null that the type allows. */
export function isOf(
  type: TypeDescriptor,
  value: unknown,
  structs: readonly ManifestStruct[],
  form: Form<null>,
): boolean {
  try {
    decode(type, value, structs, form, whole(''));
    return true;
  } catch (error) {
    if (error !== wrong) throw error;
    return false;
  }
}

/**
 * Whether the value is the typed array for such numbers, which needs no check of its elements; null for other elements.
 */
export function numbers(element: TypeDescriptor, value: unknown): boolean | null {
  return element === 'double'
    ? value instanceof Float64Array
    : element === 'int'
      ? value instanceof BigInt64Array
      : null;
}

/** The array itself, or `elements` if it must be decoded element by element. */
export function arrayOf(
  isNumbers: boolean | null,
  elements: ArrayLike<unknown> | null,
): ReturnType<Form<null>['array']> {
  if (isNumbers === true) return { whole: null };
  if (isNumbers === false || elements === null) throw wrong;
  return { elements };
}

const scriptValues = guard(
  (type, value) =>
    type === 'json' ||
    (type === 'int'
      ? typeof value === 'bigint'
      : type === 'string'
        ? value === null || typeof value === 'string'
        : typeof value === (type === 'double' ? 'number' : type)),
  {
    array: (type, value) => arrayOf(numbers(type.array, value), Array.isArray(value) ? value : null),
    isStruct: (_struct, value): value is object =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value),
    field: ({ fields }, at, value) => {
      const { name } = fields[at]!;
      if (!Object.hasOwn(value, name)) throw wrong;
      return (value as Readonly<Record<string, unknown>>)[name];
    },
  },
);

/** Whether a value that a module has written is of the type, or a null that the type allows. */
export function isScriptValue(type: TypeDescriptor, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  return isOf(type, value, structs, scriptValues);
}

/** Whether a function of a plugin can be called with these arguments. */
export function areArguments(
  { structs }: { readonly structs: readonly ManifestStruct[] },
  { parameters }: { readonly parameters: readonly Parameter[] },
  values: readonly ScriptValue[],
): boolean {
  return (
    values.length === parameters.length &&
    parameters.every((parameter, at) => isArgument(parameter, values[at]!, structs))
  );
}

export function isArgument(
  { type, nullable }: Parameter,
  value: ScriptValue,
  structs: readonly ManifestStruct[],
): boolean {
  return value === null ? nullable || type === 'json' : isScriptValue(type, value, structs);
}

/** Whether the type is that of a number or boolean, which is never null. */
function isNumber(type: TypeDescriptor): boolean {
  return type === 'int' || type === 'double' || type === 'boolean';
}

/** Whether an argument is an operand of the wasm call. */
export function isWired({ type, nullable }: Parameter): boolean {
  return isNumber(type) || (type === 'string' && !nullable);
}

/** Throws if reading the value throws. */
export function isThenable(value: unknown): boolean {
  if (value instanceof Promise) return true;
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
