// When each run-time error is raised, for documentation and editors. A host, which only needs the types, is smaller
// without these texts.

import type { ErrorTypeName } from './errors.ts';

export const raisedWhen: Readonly<Record<ErrorTypeName, string>> = {
  Error: 'A script throws.',
  NullAccessError: 'Property, index or method on null.',
  IndexOutOfBoundsError: 'An index below 0 or not below the length; pop() on an empty array.',
  DivisionByZeroError: 'int / or % by zero.',
  ArithmeticError: 'A double that is NaN or beyond int becomes an int.',
  CastError: 'A cast with `as` fails; a struct that holds itself becomes json.',
  TypeError: 'A json value of the wrong kind.',
  KeyNotFoundError: 'A json key is missing and there is no default.',
  ParseError: 'Malformed JSON text.',
  FileError: 'The file system says no.',
  NetworkError: 'Connection, DNS, TLS, timeout, or a status outside 200-299.',
  SecurityError: 'A permission request is denied, or a constraint of the grant is violated.',
  PluginError: 'A plugin function threw something of its own.',
  QuotaExceededError: 'The fuel or output limit is hit.',
  TimeoutError: 'The time limit is hit.',
  MemoryLimitError: 'The memory limit is hit, or something is larger than the engine takes.',
  StackOverflowError: 'Calls are nested deeper than the limit.',
};
