// Node's modules for HTTP, loaded when a script first asks for something over it: few do, and loading them takes half
// as long as all else of a host. An import of node:http would even load every client that the module can hand out.

import type * as Http from 'node:http';
import type * as Tls from 'node:tls';

interface LateModules {
  readonly 'node:http': typeof Http;
  readonly 'node:tls': typeof Tls;
}

const load = process.getBuiltinModule.bind(process) as (name: string) => unknown;

/** The module itself; loaded the first time that it is asked for. */
export function nodeModule<Name extends keyof LateModules>(name: Name): LateModules[Name] {
  return load(name) as LateModules[Name];
}
