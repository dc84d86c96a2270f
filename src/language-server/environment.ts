// What the server needs of the machine that it runs on. Node has a disk, processes and workers; a browser has none of
// them, and knows the documents that are open.

import type { FormatOptions } from '../formatter/options.ts';
import type { SourceReader } from '../source-reader.ts';

/** Files that are not open in the editor. Names are paths with forward slashes. */
export interface WorkspaceFiles {
  /** Imported files. */
  readonly reader: SourceReader;
  /** The text of a file by its name; null if there is none, or none that could be a script. */
  readonly read: (name: string) => string | null;
  /** Changes whenever the content of a file does; null where there is no file. */
  readonly stamp: (name: string) => string | null;
  /** The scripts in a folder and those below it, by name. */
  readonly listScripts: (folder: string) => Promise<readonly string[]>;
}

/** What a function of a script became in the compiled module. */
export interface FunctionCost {
  /** As the script declares it; `main` for statements at top level too. */
  readonly name: string;
  /** Of its code, with what was inlined into it. */
  readonly wasmBytes: number;
  /** Of the code of all functions of the script and of what it imports, from 0 to 1. */
  readonly share: number;
}

/** A script as it stands in its window, with what it imports. */
export interface CostTask {
  readonly name: string;
  readonly text: string;
  readonly reader: SourceReader;
  readonly plugins: readonly unknown[];
}

export interface Environment {
  readonly files: WorkspaceFiles;
  /** Reads the declarations of plugins in a process of their own; rejects with what is wrong. Absent in browsers. */
  readonly loadPlugins?: (paths: readonly string[]) => Promise<readonly unknown[]>;
  /** Plugins that whoever started the server has chosen. */
  readonly plugins?: readonly string[];
  /** Compiles aside and measures; null where the script does not compile. Absent in browsers. */
  readonly measureCosts?: (task: CostTask, signal: AbortSignal) => Promise<readonly FunctionCost[] | null>;
  /** What `.editorconfig` says of a file, by its name. Absent in browsers. */
  readonly formatOptions?: (name: string) => Promise<FormatOptions>;
  readonly version: string;
}

/** Nothing but what is open: for workers of browsers. */
export const noFiles: WorkspaceFiles = {
  reader: {
    read: () => ({ reason: 'no document of this name is open', nearest: null }),
    identify: (name) => name,
  },
  read: () => null,
  stamp: () => null,
  listScripts: async () => [],
};
