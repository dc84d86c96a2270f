// The requests of Http calls: one for each method.

import { freeze } from '../../primordials/untampered.ts';

type HttpOperation = 'Get' | 'Post' | 'Put' | 'Delete';

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

/** A class for an operation. Its type is that of what it makes: in what is published it stands once. */
function httpRequest<Operation extends HttpOperation>(
  operation: Operation,
): new (url: string, called: string) => HttpRequest<Operation> {
  return class extends HttpRequest<Operation> {
    constructor(url: string, called: string) {
      super(operation, url, called);
    }
  };
}

export const requests = {
  Get: httpRequest('Get'),
  Post: httpRequest('Post'),
  Put: httpRequest('Put'),
  Delete: httpRequest('Delete'),
} as const;

export type AnyHttpRequest = InstanceType<(typeof requests)[keyof typeof requests]>;
