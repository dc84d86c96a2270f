// The run-time error types of the language. The id travels through wasm; ids are never reused. What each means is in
// raised-when.ts.

export interface ErrorType<Name extends string = string> {
  readonly id: number;
  readonly name: Name;
  /** Guard errors pass through `catch (e)` and end the run. */
  readonly guard: boolean;
}

function error<Name extends string>(id: number, name: Name): ErrorType<Name> {
  return { id, name, guard: false };
}
function guard<Name extends string>(id: number, name: Name): ErrorType<Name> {
  return { id, name, guard: true };
}

const table = [
  error(0, 'Error'),
  error(1, 'NullAccessError'),
  error(2, 'IndexOutOfBoundsError'),
  error(3, 'DivisionByZeroError'),
  error(4, 'ArithmeticError'),
  error(5, 'CastError'),
  error(6, 'TypeError'),
  error(7, 'KeyNotFoundError'),
  error(8, 'ParseError'),
  error(9, 'FileError'),
  error(10, 'NetworkError'),
  error(11, 'SecurityError'),
  error(12, 'PluginError'),
  guard(13, 'QuotaExceededError'),
  guard(14, 'TimeoutError'),
  guard(15, 'MemoryLimitError'),
  guard(16, 'StackOverflowError'),
];

export type ErrorTypeName = (typeof table)[number]['name'];

export const errorTypes: readonly ErrorType<ErrorTypeName>[] = table;

const byName: ReadonlyMap<string, ErrorType<ErrorTypeName>> = new Map(errorTypes.map((type) => [type.name, type]));
const byId: ReadonlyMap<number, ErrorType> = new Map(errorTypes.map((type) => [type.id, type]));

export function findErrorType(name: string): ErrorType<ErrorTypeName> | undefined {
  return byName.get(name);
}

export function errorIdOf(name: ErrorTypeName): number {
  return findErrorType(name)!.id;
}

/** The error type of an id that came out of a module. */
export function errorTypeOf(id: number): ErrorType | undefined {
  return byId.get(id);
}
