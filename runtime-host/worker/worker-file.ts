// Errors about the file of a worker or process, if it is not the right one.

import { HostError } from '../errors/errors.ts';

const wanted = 'that of sluice-host/worker, of the same version as the host';
/** For long names such as data URLs. */
const longestName = 200;

/** `file` is the option workerUrl, or empty without one. */
function which(file: string): string {
  if (file === '') return `its file must be ${wanted}`;
  const name = file.length > longestName ? `${file.slice(0, longestName)}…` : file;
  return `its file is ${name}, as the option workerUrl says, and must be ${wanted}`;
}

export function otherVersion(file = '', what = 'worker'): HostError {
  return new HostError(`the ${what} speaks otherwise than this host: ${which(file)}`);
}

export function silent(file: string, what = 'worker'): HostError {
  return new HostError(`the ${what} does not begin: ${which(file)}`);
}

/** A file other than ours has ended before its first message. */
export function failedToStart(file: string, how: string, what = 'worker'): HostError {
  return new HostError(`the ${what} failed before it began (${how}): ${which(file)}`);
}
