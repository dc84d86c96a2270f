// What the compiler needs of each row of messages.ts: the name by which the prelude knows it, and the error that it
// raises.

import { errorIdOf } from '../language/errors.ts';
import type { ErrorTypeName } from '../language/errors.ts';
import type { messageTexts } from './messages.ts';

export interface RaisedError {
  /** The prelude has a constant of this name and `Message` for the number of the row (tools/prelude-source.ts). */
  readonly name: string;
  /** The id of the error type. */
  readonly error: number;
}

function row(name: string, errorType: ErrorTypeName): RaisedError {
  return { name, error: errorIdOf(errorType) };
}

type OnePerText<Texts extends readonly string[]> = { readonly [Row in keyof Texts]: RaisedError };

/** In the order of the texts; a row that is missing or too much is a mistake of types. */
export const raisedErrors: OnePerText<typeof messageTexts> = [
  row('useOfNull', 'NullAccessError'), // 0
  row('indexOutOfBounds', 'IndexOutOfBoundsError'), // 1
  row('rangeOutOfBounds', 'IndexOutOfBoundsError'), // 2
  row('divisionByZero', 'DivisionByZeroError'), // 3
  row('doubleBeyondInt', 'ArithmeticError'), // 4
  row('callsTooDeep', 'StackOverflowError'), // 5
  row('endlessStruct', 'CastError'), // 6
  row('valueTooDeep', 'TypeError'), // 7
  row('negativeLength', 'IndexOutOfBoundsError'), // 8
  row('arrayTooLong', 'MemoryLimitError'), // 9
  row('totalTooBig', 'MemoryLimitError'), // 10
  row('stringTooLong', 'MemoryLimitError'), // 11
  row('tooManyKeys', 'MemoryLimitError'), // 12
  row('popOfEmptyArray', 'IndexOutOfBoundsError'), // 13
  row('minOfEmptyArray', 'IndexOutOfBoundsError'), // 14
  row('maxOfEmptyArray', 'IndexOutOfBoundsError'), // 15
  row('digitsOutOfRange', 'IndexOutOfBoundsError'), // 16
  row('joinOfNull', 'NullAccessError'), // 17
  row('sortOfNull', 'NullAccessError'), // 18
  row('noRoom', 'MemoryLimitError'), // 19
];
