// The package that this command belongs to: its folder and its version.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of a file of the package. */
export function packagePath(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, path);
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}
