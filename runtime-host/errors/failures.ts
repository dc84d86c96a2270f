// How a host function fails: with an error of the language, whose words are the host's own and safe to show to a
// script. Whatever else is thrown in a host function is a secret of the host's, and never reaches the script.

/** The errors that a host function can raise in a script. */
export type FailureType =
  | 'FileError'
  | 'NetworkError'
  | 'SecurityError'
  | 'PluginError'
  | 'QuotaExceededError'
  | 'MemoryLimitError'
  | 'TimeoutError';

/** Becomes an error of the language. No Error: it needs no stack of the host's. */
export class Failure {
  readonly type: FailureType;
  readonly message: string;
  /** Nothing in the script can catch it: a plugin ran into a trap, or a limit was reached again. */
  readonly endsRun: boolean;

  constructor(type: FailureType, message: string, endsRun = false) {
    this.type = type;
    this.message = message;
    this.endsRun = endsRun;
  }
}

/** A value, or the promise of one where it cannot be had at once. */
export type Awaitable<Value> = Value | Promise<Value>;

/** A promise that the engine takes: it may have nobody who waits for it. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** Goes on with a value at once if it is there, so that what need not wait does not. */
export function proceed<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A text that an error of somebody else's has; empty where it cannot be had. */
export function textOf(error: object, name: 'name' | 'message' | 'stack'): string {
  try {
    return String((error as Readonly<Record<string, unknown>>)[name]);
  } catch {
    return '';
  }
}

/** Whatever was thrown, in words for the host's operator: even what cannot be made a text. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'something that has no text';
  }
}
