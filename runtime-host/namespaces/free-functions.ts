// The functions that need no permission, of all namespaces that have such functions.

import { freeFunctions } from './generated/free-functions.ts';
import type { FreeNamespace, Sources } from './namespace.ts';

const namespaces: Readonly<Record<string, FreeNamespace>> = freeFunctions;

/** The imports of a module by namespace, for one run. */
export function bindFree(sources: Sources): Record<string, Record<string, unknown>> {
  return Object.fromEntries(Object.entries(namespaces).map(([name, { bind }]) => [name, bind(sources)]));
}
