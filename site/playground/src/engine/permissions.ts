// What a script asks for, in words, and the grants that follow an answer. Files exist in memory alone, and requests are
// those that the browser lets a page make.

import { Denied, EnvGrant, FileGrant, HttpGrant } from 'sluice/host';
import type { PermissionAnswer, PermissionRequest } from 'sluice/host';
import { home } from '../names.ts';
import { mostBytes } from '../network/messages.ts';
import type { Answer, Wish } from './messages.ts';

const verbs: Readonly<Record<string, string>> = {
  'File.Read': 'read the file',
  'File.Write': 'write the file',
  'File.Append': 'add to the file',
  'File.Delete': 'delete',
  'File.Exists': 'know whether there is',
  'File.List': 'list the folder',
  'File.Metadata': 'look at the size and date of',
  'File.CreateDir': 'create the folder',
  'Http.Get': 'fetch',
  'Http.Post': 'send data to',
  'Http.Put': 'replace what is at',
  'Http.Delete': 'delete what is at',
  'Env.Get': 'read the variable',
  'Env.System': 'know of this system the',
};

/** What the script wants; null for a request that no script of the page can make. */
export function wishOf(request: PermissionRequest): Wish | null {
  const verb = verbs[request.kind];
  if (verb === undefined) return null;
  return { kind: request.kind, verb, object: objectOf(request) };
}

function objectOf(request: PermissionRequest): string {
  if ('resolvedPath' in request) return request.resolvedPath;
  if ('url' in request) return request.url;
  if ('name' in request) return request.name;
  return 'property' in request ? request.property : '';
}

/** What counts as the same wish after `always`: that file, that site, that variable. */
export function keyOf(request: PermissionRequest): string {
  return `${request.kind} ${'url' in request ? new URL(request.url).origin : objectOf(request)}`;
}

export function grantOf(request: PermissionRequest, answer: Answer): PermissionAnswer {
  if (answer === 'deny') return Denied('the person at the page said no');
  if ('url' in request)
    return HttpGrant({ allowedDomains: [new URL(request.url).hostname], maxResponseSize: mostBytes });
  if ('resolvedPath' in request) return FileGrant({ allowedDirectories: [home], maxBytes: mostBytes });
  return EnvGrant({ allowedVarNames: [objectOf(request)] });
}

/** What a page knows of its system; null for the rest. */
export function describeSystem(property: string): string | null {
  switch (property) {
    case 'runtime.name':
      return 'browser';
    case 'user.locale':
      return navigator.language;
    case 'user.timezone':
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    default:
      return null;
  }
}
