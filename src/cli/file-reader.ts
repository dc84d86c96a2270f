// Imported files from the disk, relative to the file that imports them.

import { realpathSync } from 'node:fs';
import { isWasm } from '../../runtime-host/node.ts';
import { resolvePath } from '../source-reader.ts';
import type { SourceReader } from '../source-reader.ts';
import { FileFault } from './exit.ts';
import { decodeScript, readBytes } from './files.ts';

/** Reads imported files; `read` collects the paths of those that were found. */
export function fileReader(read: string[] = []): SourceReader {
  return {
    read(path, importer) {
      const name = resolvePath(path, importer);
      try {
        const bytes = readBytes(name);
        if (isWasm(bytes)) return { reason: 'it is a module that is built already, and an import names a script', nearest: null };
        const text = decodeScript(name, bytes);
        read.push(name);
        return { name, identity: realpathSync(name), text };
      } catch (error) {
        if (error instanceof FileFault) return { reason: error.reason, nearest: null };
        throw error;
      }
    },
    identify(name) {
      try {
        return realpathSync(name);
      } catch {
        return name;
      }
    },
  };
}
