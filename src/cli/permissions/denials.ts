// Flags that deny: they win over those that allow, over --allow-all and over what a person answers. Where a request is for what one
// of them names, it is denied at once; what grants carry of them is in denied-constraints.ts.

import { deniesHost, readDomain } from '../../../runtime-host/network/domains.ts';
import { FileRequest } from '../../../runtime-host/namespaces/file/requests.ts';
import { HttpRequest } from '../../../runtime-host/namespaces/http/requests.ts';
import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import { fileKinds, placeOf } from './files.ts';
import { httpVerbs } from './http.ts';
import { isInside } from './places.ts';
import type { DenyList, PermissionFlags } from './read-flags.ts';

/** The flag that denies a request; null if none does. */
export function denyingFlag(flags: PermissionFlags, request: PermissionRequest): string | null {
  const { all, items } = listFor(flags, request);
  if (all !== null || items.length === 0) return all;
  const isMeant = meaningOf(request);
  return items.find(({ value }) => isMeant(value))?.flag ?? null;
}

function listFor({ denied }: PermissionFlags, request: PermissionRequest): DenyList {
  if (request instanceof FileRequest) return denied[fileKinds[request.kind].verb];
  if (request instanceof HttpRequest) return denied[httpVerbs[request.kind]];
  return request.kind === 'Env.Get' ? denied.variables : request.kind === 'Env.System' ? denied.properties : denied.plugins;
}

/** Whether the value of a flag is about a request. */
function meaningOf(request: PermissionRequest): (value: string) => boolean {
  if (request instanceof FileRequest) {
    const place = placeOf(request);
    return (value) => isInside(place, value);
  }
  if (request instanceof HttpRequest) {
    const { hostname } = new URL(request.url);
    return (value) => deniesHost([readDomain(value)!], hostname);
  }
  if (request.kind === 'Env.Get') return (value) => variableKey(value) === variableKey(request.name);
  const name = request.kind === 'Env.System' ? request.property : `${request.category}:${request.action}`;
  return (value) => value === name;
}

/** Windows does not tell `Path` from `PATH`. */
function variableKey(name: string): string {
  return process.platform === 'win32' ? name.toUpperCase() : name;
}
