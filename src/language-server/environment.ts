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
  /** Where the function is written: UTF-16 offset of its name. */
  readonly offset: number;
  /** Of the code section, with what was inlined into it. */
  readonly wasmBytes: number;
  /** Of all fuel that a run used, from 0 to 1; null if no run has been measured. */
  readonly fuelShare: number | null;
}

/** What costs are asked of: a file with the texts that are open, so that unsaved ones count. */
export interface CostTask {
  readonly name: string;
  readonly text: string;
  readonly openTexts: Readonly<Record<string, string>>;
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
