// Node's modules for HTTP, loaded when a script first makes a request: few scripts do, and loading them takes half as
// long as the rest of the host. An import of node:http would even load every client that the module exports.

import type * as Http from 'node:http';
import type * as Tls from 'node:tls';

interface LateModules {
  readonly 'node:http': typeof Http;
  readonly 'node:tls': typeof Tls;
}

const load = process.getBuiltinModule.bind(process) as (name: string) => unknown;

/** The module; loaded on first use. */
export function nodeModule<Name extends keyof LateModules>(name: Name): LateModules[Name] {
  return load(name) as LateModules[Name];
}
