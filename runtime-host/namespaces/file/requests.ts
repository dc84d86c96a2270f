// What a script asks for by calling File: a request for each operation.

import { freeze } from '../../primordials/untampered.ts';

type FileOperation = 'Read' | 'Write' | 'Append' | 'Delete' | 'Exists' | 'List' | 'Metadata' | 'CreateDir';

/** A call of the File namespace. */
export class FileRequest<Operation extends FileOperation = FileOperation> {
  readonly kind: `File.${Operation}`;
  /** As the script wrote it. */
  readonly path: string;
  /** Absolute and canonical by its text; links in it have not been followed. */
  readonly resolvedPath: string;

  constructor(operation: Operation, path: string, resolvedPath: string) {
    this.kind = `File.${operation}`;
    this.path = path;
    this.resolvedPath = resolvedPath;
    freeze(this);
  }
}

function fileRequest<Operation extends FileOperation>(operation: Operation) {
  return class extends FileRequest<Operation> {
    constructor(path: string, resolvedPath: string) {
      super(operation, path, resolvedPath);
    }
  };
}

export const requests = {
  Read: fileRequest('Read'),
  Write: fileRequest('Write'),
  Append: fileRequest('Append'),
  Delete: fileRequest('Delete'),
  Exists: fileRequest('Exists'),
  List: fileRequest('List'),
  Metadata: fileRequest('Metadata'),
  CreateDir: fileRequest('CreateDir'),
} as const;

export type AnyFileRequest = InstanceType<(typeof requests)[keyof typeof requests]>;
