// Imported files from memory: for tests, browsers, and editors.

import { nearestName } from './language/nearest-name.ts';
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
      return { reason: 'there is no such file', nearest: nearestName(name, texts.keys()) };
    },
    identify: (name) => resolvePath(name, ''),
  };
}
