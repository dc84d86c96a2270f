// Imported files from memory: for tests, browsers, and editors.

import { nearestFile } from './language/nearest-name.ts';
import { resolvePath } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';

/** A reader of texts by path: `memoryReader({ 'lib/geometry.slu': '…' })`. Paths have forward slashes. */
export function memoryReader(files: Readonly<Record<string, string>>): SourceReader {
  const texts = new Map(entriesOf(files).map(([path, text]) => [resolvePath(path, ''), text]));
  return {
    read(path, importer) {
      const name = resolvePath(path, importer);
      const text = texts.get(name);
      if (text !== undefined) return { name, identity: name, text };
      return { reason: 'there is no such file', nearest: nearestPath(path, name, texts.keys()) };
    },
    identify: (name) => resolvePath(name, ''),
  };
}

/** Throws TypeError for what are no texts by path. */
function entriesOf(files: Readonly<Record<string, string>>): [string, string][] {
  let entries: [string, string][] | null = null;
  let cause: unknown;
  try {
    if (typeof files === 'object' && files !== null && !Array.isArray(files)) entries = Object.entries(files);
  } catch (error) {
    cause = error;
  }
  if (entries?.every(([, text]) => typeof text === 'string') === true) return entries;
  throw new TypeError('memoryReader takes an object with a text for each path', { cause });
}

/** The path with another last part: a file in the folder to which it leads. */
function nearestPath(path: string, name: string, names: Iterable<string>): string | null {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const inFolder = [...names].filter((other) => other.startsWith(folder) && !other.includes('/', folder.length));
  const nearest = nearestFile(
    name.slice(folder.length),
    inFolder.map((other) => other.slice(folder.length)),
  );
  return nearest === null ? null : path.slice(0, path.lastIndexOf('/') + 1) + nearest;
}
