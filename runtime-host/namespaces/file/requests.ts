// The requests of File calls: one for each operation.

import { freeze } from '../../primordials/untampered.ts';

type FileOperation = 'Read' | 'Write' | 'Append' | 'Delete' | 'Exists' | 'List' | 'Metadata' | 'CreateDir';

/** A call of the File namespace. */
export class FileRequest<Operation extends FileOperation = FileOperation> {
  readonly kind: `File.${Operation}`;
  /** The script's text. */
  readonly path: string;
  /** Absolute and canonical as a text; links in it have not been followed. */
  readonly resolvedPath: string;

  constructor(operation: Operation, path: string, resolvedPath: string) {
    this.kind = `File.${operation}`;
    this.path = path;
    this.resolvedPath = resolvedPath;
    freeze(this);
  }
}

/** A class for an operation. Its type is that of what it makes: in what is published it stands once. */
function fileRequest<Operation extends FileOperation>(
  operation: Operation,
): new (path: string, resolvedPath: string) => FileRequest<Operation> {
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
