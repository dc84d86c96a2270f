// What a script asks its host for, as typed requests: a class for each kind, so that a host may look at the class or
// switch on `kind`. All are frozen; their texts are primitive strings that were checked before.

import { freeze } from '../primordials/untampered.ts';

type FileOperation = 'Read' | 'Write' | 'Append' | 'Delete' | 'Exists' | 'List' | 'Metadata' | 'CreateDir';
type HttpOperation = 'Get' | 'Post' | 'Put' | 'Delete';

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

/** A call of the Http namespace, or a redirect to another origin. */
export class HttpRequest<Operation extends HttpOperation = HttpOperation> {
  readonly kind: `Http.${Operation}`;
  /** In canonical form. */
  readonly url: string;
  /** The function that the script called, such as `Http.getJson`. */
  readonly function: string;

  constructor(operation: Operation, url: string, called: string) {
    this.kind = `Http.${operation}`;
    this.url = url;
    this.function = called;
    freeze(this);
  }
}

class EnvGetRequest {
  readonly kind = 'Env.Get';
  /** Of the variable. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    freeze(this);
  }
}

class EnvSystemRequest {
  readonly kind = 'Env.System';
  /** Such as `os.name`. */
  readonly property: string;

  constructor(property: string) {
    this.property = property;
    freeze(this);
  }
}

/** A call of a plugin's function that is declared with a permission. */
class PluginRequest {
  readonly kind = 'Plugin';
  readonly category: string;
  readonly action: string;
  /** What the plugin tells of the call. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(category: string, action: string, details: Readonly<Record<string, unknown>>) {
    this.category = category;
    this.action = action;
    this.details = freeze({ ...details });
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

function httpRequest<Operation extends HttpOperation>(operation: Operation) {
  return class extends HttpRequest<Operation> {
    constructor(url: string, called: string) {
      super(operation, url, called);
    }
  };
}

/** The classes of requests, by namespace and operation. */
export const PermissionRequest = {
  File: {
    Read: fileRequest('Read'),
    Write: fileRequest('Write'),
    Append: fileRequest('Append'),
    Delete: fileRequest('Delete'),
    Exists: fileRequest('Exists'),
    List: fileRequest('List'),
    Metadata: fileRequest('Metadata'),
    CreateDir: fileRequest('CreateDir'),
  },
  Http: { Get: httpRequest('Get'), Post: httpRequest('Post'), Put: httpRequest('Put'), Delete: httpRequest('Delete') },
  Env: { Get: EnvGetRequest, System: EnvSystemRequest },
  Plugin: PluginRequest,
} as const;

type InstancesOf<Classes> = { readonly [Name in keyof Classes]: Classes[Name] extends abstract new (...values: never[]) => infer Instance ? Instance : never }[keyof Classes];

export type AnyFileRequest = InstancesOf<(typeof PermissionRequest)['File']>;
export type AnyHttpRequest = InstancesOf<(typeof PermissionRequest)['Http']>;
export type AnyEnvRequest = InstancesOf<(typeof PermissionRequest)['Env']>;

/** Any request; `kind` tells which. */
export type PermissionRequest = AnyFileRequest | AnyHttpRequest | AnyEnvRequest | PluginRequest;
