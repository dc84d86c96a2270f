// The run-time error types of the language. The id travels through wasm; ids are never reused.

export interface ErrorType<Name extends string = string> {
  readonly id: number;
  readonly name: Name;
  /** Guard errors pass through `catch (e)` and end the run. */
  readonly guard: boolean;
  readonly raisedWhen: string;
}

function error<Name extends string>(id: number, name: Name, raisedWhen: string): ErrorType<Name> {
  return { id, name, guard: false, raisedWhen };
}
function guard<Name extends string>(id: number, name: Name, raisedWhen: string): ErrorType<Name> {
  return { id, name, guard: true, raisedWhen };
}

const table = [
  error(0, 'Error', 'A script throws.'),
  error(1, 'NullAccessError', 'Property, index or method on null.'),
  error(2, 'IndexOutOfBoundsError', 'An index below 0 or not below the length; pop() on an empty array.'),
  error(3, 'DivisionByZeroError', 'int / or % by zero.'),
  error(4, 'ArithmeticError', 'A double that is NaN or beyond int becomes an int.'),
  error(5, 'CastError', 'A cast with `as` fails; a struct that holds itself becomes json.'),
  error(6, 'TypeError', 'A json value of the wrong kind.'),
  error(7, 'KeyNotFoundError', 'A json key is missing and there is no default.'),
  error(8, 'ParseError', 'Malformed JSON text.'),
  error(9, 'FileError', 'The file system says no.'),
  error(10, 'NetworkError', 'Connection, DNS, TLS, timeout, or a status outside 200-299.'),
  error(11, 'SecurityError', 'A permission request is denied, or a constraint of the grant is violated.'),
  error(12, 'PluginError', 'A plugin function threw something of its own.'),
  guard(13, 'QuotaExceededError', 'The fuel or output limit is hit.'),
  guard(14, 'TimeoutError', 'The time limit is hit.'),
  guard(15, 'MemoryLimitError', 'The memory limit is hit, or something is larger than the engine takes.'),
  guard(16, 'StackOverflowError', 'Calls are nested deeper than the limit.'),
];

export type ErrorTypeName = (typeof table)[number]['name'];

export const errorTypes: readonly ErrorType<ErrorTypeName>[] = table;

const byName: ReadonlyMap<string, ErrorType> = new Map(errorTypes.map((type) => [type.name, type]));
const byId: ReadonlyMap<number, ErrorType> = new Map(errorTypes.map((type) => [type.id, type]));

export function findErrorType(name: string): ErrorType | undefined {
  return byName.get(name);
}

export function errorIdOf(name: ErrorTypeName): number {
  return findErrorType(name)!.id;
}

/** The error type of an id that came out of a module. */
export function errorTypeOf(id: number): ErrorType | undefined {
  return byId.get(id);
}
