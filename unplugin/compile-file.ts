// A script that a bundler loads, compiled with what it imports.

import { realpathSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { FileFault } from '../src/cli/exit.ts';
import { fileReader } from '../src/cli/file-reader.ts';
import { decodeScript, readBytes } from '../src/cli/files.ts';
import { compile } from '../src/index.ts';
import type { CompileResult, SourceReader } from '../src/index.ts';

export interface CompiledFile extends CompileResult {
  /** Paths of the files that it imports, in the end: those of a script with errors too, as far as they were read. */
  readonly imports: readonly string[];
}

/**
 * Rejects with Error where the file cannot be read. Scripts have names below `root`, so that no path of this machine is
 * in what is built.
 */
export async function compileFile(path: string, root: string): Promise<CompiledFile> {
  const read: string[] = [];
  const result = await compile(nameBelow(root, path), textOf(path), { reader: readerBelow(root, read) });
  return { ...result, imports: read.map((name) => realpathSync(name)) };
}

function textOf(path: string): string {
  try {
    return decodeScript(basename(path), readBytes(path));
  } catch (error) {
    // The fault of the command line is no more than its sentence here.
    throw error instanceof FileFault ? new Error(error.message) : error;
  }
}

function readerBelow(root: string, read: string[]): SourceReader {
  const reader = fileReader(read);
  return {
    read(path, importer) {
      const found = reader.read(path, resolve(root, importer));
      return 'text' in found ? { ...found, name: nameBelow(root, found.name) } : found;
    },
    identify: (name) => reader.identify(resolve(root, name)),
  };
}

function nameBelow(root: string, path: string): string {
  return relative(root, path).replaceAll('\\', '/');
}
