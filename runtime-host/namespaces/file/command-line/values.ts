// The values of the flags for files: how each is read, and the message for an invalid one.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearestName } from '../../../../src/language/nearest-name.ts';
import { quote } from '../../../../src/language/quoted-text.ts';
import { itemsOf } from '../../../permissions/command-line/given-flags.ts';
import type { Complain } from '../../../permissions/command-line/given-flags.ts';
import { realName, realPlace } from './places.ts';

/** The real path of an existing directory; a relative one starts at `baseDir`. */
export function readDirectory(value: string, baseDir: string, complain: Complain): string {
  if (value === '') return complain('takes a directory, and is given nothing');
  const path = resolve(baseDir, value);
  const found = lookUp(path);
  if (found === 'no directory')
    return complain(`takes a directory, and ${quote(value)} is none: allow the one that it is in`);
  if (found === 'hidden') return complain(`takes a directory, and ${quote(value)} cannot be looked at`);
  if (found !== 'missing') return found.realPath;
  const near = nearestDirectory(path);
  return complain(
    'takes a directory that exists, and there is no ' +
      `${quote(value)}${near === null ? '' : `: did you mean ${quote(near)}?`}`,
  );
}

function lookUp(path: string): { readonly realPath: string } | 'no directory' | 'hidden' | 'missing' {
  try {
    return statSync(path).isDirectory() ? { realPath: realpathSync.native(path) } : 'no directory';
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'hidden';
  }
}

export function readDeniedPlaces(value: string, baseDir: string, complain: Complain): readonly string[] {
  return value === '' ? complain('takes a path after =, or nothing at all') : placesOf(value, baseDir);
}

/**
 * The real path and the path of the name itself, also if nothing exists there: so what is made there later is denied
 * too. If the path contains links, the place that they lead to now is denied.
 */
export function placesOf(value: string, baseDir: string): readonly string[] {
  const path = resolve(baseDir, value);
  return [...new Set([realPlace(path), realName(path)])];
}

/** A similar name in the same directory. */
function nearestDirectory(path: string): string | null {
  try {
    const entries = readdirSync(dirname(path), { withFileTypes: true });
    return nearestName(
      basename(path),
      entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    );
  } catch {
    return null;
  }
}

export function readExtensions(value: string, complain: Complain): readonly string[] {
  return itemsOf(value).map((item) => {
    if (/^\.?[^./\\]+$/.test(item)) return item;
    return complain(
      `takes extensions such as txt,csv, ${item === '' ? 'and one of them is empty' : `not ${quote(item)}`}`,
    );
  });
}
