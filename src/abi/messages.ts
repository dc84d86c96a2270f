// What the errors that compiled code raises itself say. A module holds none of these words: where it raises such an
// error it asks the host for the text, by the number of a row here and up to three numbers, which stand in the text in
// that order. Rows are numbered from 0 and keep their numbers; the prelude names them by those, as it does error types.

export interface ErrorMessage {
  /** The error type that goes with it. */
  readonly error: number;
  /**
   * `{int}` stands for a number, `{double}` for the bits of one, and `{use}` for what the location table says is used
   * at the place of that number.
   */
  readonly text: string;
}

function row(error: number, text: string): ErrorMessage {
  return { error, text };
}

export const errorMessages: readonly ErrorMessage[] = [
  row(1, 'cannot use {use} of null'), // 0
  row(2, 'index {int} is out of bounds for length {int}'), // 1
  row(2, 'range {int} to {int} is out of bounds for length {int}'), // 2
  row(3, 'division by zero'), // 3
  row(4, '{double} does not fit into an int'), // 4
  row(16, 'calls are nested too deep'), // 5
  row(5, 'a struct that holds itself has no end'), // 6
  row(6, 'nested deeper than {int}'), // 7
  row(2, 'an array cannot have {int} elements'), // 8
  row(15, 'an array of {int} elements is larger than the engine takes'), // 9
  row(15, 'arrays of {int} times {int} elements are larger than the engine takes'), // 10
  row(15, 'a string of {int} characters is longer than the engine takes'), // 11
  row(15, 'a json object of more than {int} keys is larger than the engine takes'), // 12
  row(2, 'pop() on an empty array'), // 13
  row(2, 'min() of an empty array'), // 14
  row(2, 'max() of an empty array'), // 15
  row(2, 'toFixed() takes 0 to 20 digits, not {int}'), // 16
  row(1, 'cannot use an element that join() takes of null'), // 17
  row(1, 'cannot use an element that sort() takes of null'), // 18
];
