// The texts of the errors that compiled code raises itself. A module holds none of them: when it raises such an error,
// it asks the host for the text by the number of a row and up to three numbers, which the text shows in that order.
// Rows are numbered from 0 and keep their numbers. The prelude has a constant for each row, called by its name and
// `Message` (tools/prelude-source.ts).

import { errorIdOf } from '../language/errors.ts';
import type { ErrorTypeName } from '../language/errors.ts';

export interface ErrorMessage {
  readonly name: string;
  /** The id of the error type that goes with it. */
  readonly error: number;
  /**
   * `{int}` stands for a number, `{double}` for the bits of one, and `{use}` for what the location table says about the
   * place of that number.
   */
  readonly text: string;
}

function row(name: string, errorType: ErrorTypeName, text: string): ErrorMessage {
  return { name, error: errorIdOf(errorType), text };
}

export const errorMessages: readonly ErrorMessage[] = [
  row('useOfNull', 'NullAccessError', 'cannot use {use} of null'), // 0
  row('indexOutOfBounds', 'IndexOutOfBoundsError', 'index {int} is out of bounds for length {int}'), // 1
  row('rangeOutOfBounds', 'IndexOutOfBoundsError', 'range {int} to {int} is out of bounds for length {int}'), // 2
  row('divisionByZero', 'DivisionByZeroError', 'division by zero'), // 3
  row('doubleBeyondInt', 'ArithmeticError', '{double} does not fit into an int'), // 4
  row('callsTooDeep', 'StackOverflowError', 'calls are nested too deep'), // 5
  row('endlessStruct', 'CastError', 'a struct that holds itself has no end'), // 6
  row('valueTooDeep', 'TypeError', 'nested deeper than {int}'), // 7
  row('negativeLength', 'IndexOutOfBoundsError', 'an array cannot have {int} elements'), // 8
  row('arrayTooLong', 'MemoryLimitError', 'an array of {int} elements is larger than the engine takes'), // 9
  row('totalTooBig', 'MemoryLimitError', 'arrays of {int} times {int} elements are larger than the engine takes'), // 10
  row('stringTooLong', 'MemoryLimitError', 'a string of {int} characters is longer than the engine takes'), // 11
  row('tooManyKeys', 'MemoryLimitError', 'a json object of more than {int} keys is larger than the engine takes'), // 12
  row('popOfEmptyArray', 'IndexOutOfBoundsError', 'pop() on an empty array'), // 13
  row('minOfEmptyArray', 'IndexOutOfBoundsError', 'min() of an empty array'), // 14
  row('maxOfEmptyArray', 'IndexOutOfBoundsError', 'max() of an empty array'), // 15
  row('digitsOutOfRange', 'IndexOutOfBoundsError', 'toFixed() takes 0 to 20 digits, not {int}'), // 16
  row('joinOfNull', 'NullAccessError', 'cannot use an element that join() takes of null'), // 17
  row('sortOfNull', 'NullAccessError', 'cannot use an element that sort() takes of null'), // 18
];
