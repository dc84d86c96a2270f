// The texts of the errors that compiled code raises itself. A module holds none of them: when it raises such an error,
// it asks the host for the text by the number of a row and up to three numbers, which the text shows in that order.
// Rows are numbered from 0 and keep their numbers. What only the compiler needs of a row is in raised-errors.ts, since
// each byte here goes to every host.

/**
 * `{int}` stands for a number, `{double}` for the bits of one, and `{use}` for what the location table says about the
 * place of that number.
 */
export const messageTexts = [
  'cannot use {use} of null', // 0
  'index {int} is out of bounds for length {int}', // 1
  'range {int} to {int} is out of bounds for length {int}', // 2
  'division by zero', // 3
  '{double} does not fit into an int', // 4
  'calls are nested too deep', // 5
  'a struct that holds itself has no end', // 6
  'nested deeper than {int}', // 7
  'an array cannot have {int} elements', // 8
  'an array of {int} elements is larger than the engine takes', // 9
  'arrays of {int} times {int} elements are larger than the engine takes', // 10
  'a string of {int} characters is longer than the engine takes', // 11
  'a json object of more than {int} keys is larger than the engine takes', // 12
  'pop() on an empty array', // 13
  'min() of an empty array', // 14
  'max() of an empty array', // 15
  'toFixed() takes 0 to 20 digits, not {int}', // 16
  'cannot use an element that join() takes of null', // 17
  'cannot use an element that sort() takes of null', // 18
  'all arrays together are larger than the engine takes', // 19
] as const;
