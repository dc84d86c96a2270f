// Outgoing texts as UTF-8 bytes, whose number is checked before they are encoded.

import type { CallScope } from './call-scope.ts';
import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';

const encoder = new TextEncoder();

/**
 * Continues with the bytes of a text that is written or sent. Throws, or rejects with, a Failure if they are too many.
 */
export function encoded<Result>(
  scope: CallScope,
  text: string,
  next: (bytes: Uint8Array) => Awaitable<Result>,
): Awaitable<Result> {
  // Each character takes at least one byte.
  return proceed(scope.use('writtenBytes', text.length), () => {
    const bytes = encoder.encode(text);
    return proceed(scope.use('writtenBytes', bytes.length - text.length), () => next(bytes));
  });
}
