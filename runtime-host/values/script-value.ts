// The JavaScript form of a script's values.

/**
 * int is bigint, double number, `double[]` Float64Array, `int[]` BigInt64Array, a struct an object without prototype.
 * json is plain data: its ints are numbers, and bigints beyond 2^53.
 */
export type ScriptValue =
  | null
  | bigint
  | number
  | boolean
  | string
  | Float64Array
  | BigInt64Array
  | readonly ScriptValue[]
  | ScriptStruct;

/** A struct, or an object of json: plain, without a prototype. */
export interface ScriptStruct {
  readonly [field: string]: ScriptValue;
}
