// Reads imported files from the disk, relative to the file that imports them.

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWasm } from '../../runtime-host/engine/wasm-bytes.ts';
import type { SourceReader } from '../source-reader.ts';
import { FileFault } from './exit.ts';
import { decodeScript, readBytes } from './files.ts';

/** Reads imported files; `read` collects the paths of those that exist. */
export function fileReader(read: string[] = []): SourceReader {
  return {
    read(path, importer) {
      // Joined by the system's own rules for paths: on Windows the path of the script has backslashes.
      const name = join(dirname(importer), path);
      try {
        const bytes = readBytes(path === '' ? '' : name);
        if (isWasm(bytes))
          return { reason: 'it is a module that is built already, and an import names a script', nearest: null };
        const identity = identityOf(name);
        if (!isScriptName(identity))
          return { reason: 'its name, or that of the file to which it leads, does not end in .slu', nearest: null };
        const text = decodeScript(name, bytes);
        read.push(name);
        return { name, identity, text };
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        const { reason, nearest } = error;
        return {
          reason,
          nearest:
            nearest === null || !isScriptName(nearest) ? null : path.slice(0, path.lastIndexOf('/') + 1) + nearest,
        };
      }
    },
    identify: identityOf,
  };
}

/**
 * Diagnostics show lines of imported files, and a script may come from anybody. So a script must not import a file
 * whose real name is not that of a script, such as a file of passwords or keys.
 */
function isScriptName(name: string): boolean {
  return name.toLowerCase().endsWith('.slu');
}

/** The real path, which is the same through every link; a pipe has none. */
function identityOf(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}
