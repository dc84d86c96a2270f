// Where the text of imported files comes from. The compiler itself reads no files: who calls it hands in a reader.

/** The text of a file that was imported. */
export interface FoundSource {
  /** What diagnostics and stacks call the file, and no other; what its own imports are relative to. */
  readonly name: string;
  /** The same for every path to the same file, so that it is read once. */
  readonly identity: string;
  readonly text: string;
}

/** Why there is no text. */
export interface MissingSource {
  /** A part of a sentence: `there is no such file`. */
  readonly reason: string;
  /** A path that was probably meant. */
  readonly nearest: string | null;
}

/**
 * Gives the text of imported files. Synchronous, since an import is known only when the file in front of it has been
 * parsed: whoever loads texts from afar has them all before the compiler begins.
 */
export interface SourceReader {
  /** `path` as the import says it; `importer` is the name of the file that holds the import. */
  read(path: string, importer: string): FoundSource | MissingSource;
  /** The identity of the file that is compiled, by its name: a file that imports it closes a circle. */
  identify(name: string): string;
}

/** The path that an import means: relative to the file that holds it, with `.` and `..` worked out. */
export function resolvePath(path: string, importer: string): string {
  if (path.startsWith('/')) return normalise(path);
  const folder = importer.slice(0, importer.lastIndexOf('/') + 1);
  return normalise(folder + path);
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}
