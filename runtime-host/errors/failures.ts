// How a host function fails: with an error of the language whose message the host wrote, and which is safe to show to a
// script. Any other thrown value may hold secrets of the host and never reaches the script.

/** The errors that a host function can raise in a script. */
export type FailureType =
  | 'FileError'
  | 'NetworkError'
  | 'SecurityError'
  | 'PluginError'
  | 'QuotaExceededError'
  | 'MemoryLimitError'
  | 'TimeoutError';

/** Becomes an error of the language. It does not extend Error, since it needs no stack of the host. */
export class Failure {
  readonly type: FailureType;
  readonly message: string;
  /** No clause of the script can catch it: a plugin has trapped, or a limit was reached again. */
  readonly endsRun: boolean;

  constructor(type: FailureType, message: string, endsRun = false) {
    this.type = type;
    this.message = message;
    this.endsRun = endsRun;
  }
}

/** A value, or a promise if it is not available at once. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Marks a promise as handled: if it rejects and nobody waits for it, the engine must not report it. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** Continues at once with a value that is no promise, so that no needless turn is taken. */
export function proceed<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A property of an error of somebody else, as text; empty if it cannot be read. */
export function textOf(error: object, name: 'name' | 'message' | 'stack'): string {
  try {
    return String((error as Readonly<Record<string, unknown>>)[name]);
  } catch {
    return '';
  }
}

/** A description of a thrown value for the host's operator, even for one that cannot be converted to text. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'something that has no text';
  }
}
