// The package that this command belongs to: its folder and its version.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** The path of a file of the package. */
export function packagePath(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, path);
}

/** The path of a file of the clone that this package is built in; null where it is installed. */
export function clonePath(path: string): string | null {
  const packages = dirname(packagePath(''));
  return basename(packages) === 'packages' ? join(dirname(packages), path) : null;
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}

/**
 * `npm start` changes to the clone's root: this changes back, so that the caller's paths keep their meaning. It does so
 * for our own `npm start` only.
 */
export function leaveCloneRoot(): void {
  const { npm_lifecycle_event: event, npm_package_json: starting, INIT_CWD: folder } = process.env;
  if (event !== 'start' || folder === undefined) return;
  const own = clonePath('package.json');
  if (own === null || (starting !== undefined && relative(starting, own) !== '')) return;
  try {
    process.chdir(folder);
  } catch {
    // The folder is gone, so the command stays in the root.
  }
}
