// The package that this command belongs to: its folder and its version.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The path of a file of the package. */
export function packagePath(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, path);
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}

/**
 * `npm start` changes to the package's root: back to where it was called, so that paths mean what they meant
 * there. The start of another package is that package's own affair.
 */
export function leavePackageRoot(): void {
  const { npm_lifecycle_event: event, npm_package_json: starting, INIT_CWD: folder } = process.env;
  if (event !== 'start' || folder === undefined) return;
  if (starting !== undefined && relative(starting, packagePath('package.json')) !== '') return;
  try {
    process.chdir(folder);
  } catch {
    // The folder is gone: the root is as good as any.
  }
}
