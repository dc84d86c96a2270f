// Imported files from memory: for tests, browsers, and editors.

import { nearestFile } from './language/nearest-name.ts';
import { resolvePath } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';

/** A reader of texts by path: `memoryReader({ 'lib/geometry.slu': '…' })`. Paths have forward slashes. */
export function memoryReader(files: Readonly<Record<string, string>>): SourceReader {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolvePath(path, ''), text]));
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
