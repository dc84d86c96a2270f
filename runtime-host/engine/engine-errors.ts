// What engines throw where the stack, an array or a string has no more room.

import { textOf } from '../errors/failures.ts';
import { isInstance } from '../primordials/untampered.ts';

export function isStackOverflow(error: unknown): error is Error {
  // Firefox has its own class for it, InternalError.
  return (
    isInstance(error, Error) &&
    (isInstance(error, RangeError) || textOf(error, 'name') === 'InternalError') &&
    /call stack|too much recursion/i.test(textOf(error, 'message'))
  );
}

const memoryMessages =
  /requested new array is too large|invalid string length|invalid (typed )?array length|allocation failed|out of memory/i;

export function isOutOfMemory(error: unknown): error is Error {
  return (
    (isInstance(error, RangeError) || isInstance(error, WebAssembly.RuntimeError)) &&
    memoryMessages.test(textOf(error, 'message'))
  );
}
