// The flags that say what a script may reach, as a table. Reading them is in read-flags.ts, what they allow in
// files.ts, http.ts and names.ts.

import type { Option, OptionGroup } from '../command.ts';

const group: OptionGroup = {
  title: 'Permissions',
  summary: 'a script reaches nothing unless a flag allows it, or you do when you are asked, on a terminal.',
};

/** A flag that may be given several times. */
function allow(name: string, value: string, summary: string, meantBy: readonly string[] = []): Option {
  return { name, value, repeated: true, summary, group, ...(meantBy.length === 0 ? {} : { meantBy }) };
}

/** A flag that wins over those that allow; without a value it denies all that it could name. */
function deny(name: string, value: string, summary: string, meantBy: readonly string[] = []): Option {
  return { ...allow(name, value, summary, meantBy), isValueOptional: true };
}

function limit(name: string, value: string | null, summary: string): Option {
  return { name, value, summary, group };
}

/** `meantBy` has what other runtimes call them. */
export const permissionOptions: readonly Option[] = [
  allow('allow-file-read', 'DIR', 'Let it read and list files in this directory and below.', ['allow-read', 'allow-fs-read']),
  allow('allow-file-write', 'DIR', 'Let it write, append to, delete and create files there.', ['allow-write', 'allow-fs-write']),
  allow('allow-file', 'DIR', 'Both.', ['allow-fs']),
  limit('file-extensions', 'LIST', 'Only files with these extensions: txt,csv.'),
  limit('file-max-bytes', 'SIZE', 'Only files up to this size: 4096, 10MB, 64KiB.'),
  limit('file-read-only', null, 'No changes to files, whatever else is allowed.'),
  allow('allow-http', 'DOMAIN', 'Let it send HTTP requests to this host, or with *.example.com to those below.', ['allow-net']),
  allow('allow-http-get', 'DOMAIN', 'Only GET requests.'),
  allow('allow-http-post', 'DOMAIN', 'Only POST requests.'),
  allow('allow-http-put', 'DOMAIN', 'Only PUT requests.'),
  allow('allow-http-delete', 'DOMAIN', 'Only DELETE requests.'),
  limit('http-ports', 'LIST', 'Only these ports: 80,443.'),
  limit('https-only', null, 'No http:// URLs.'),
  limit('http-timeout-ms', 'N', 'End a request after so many milliseconds; 30000 if left out.'),
  limit('http-max-bytes', 'SIZE', 'Only responses up to this size.'),
  allow('allow-env', 'NAME', 'Let it read this environment variable.'),
  allow('allow-system', 'PROPERTY', 'Let it read this property of the system, such as os.name.', ['allow-sys']),
  allow('allow-plugin', 'CATEGORY:ACTION', 'Let it use what a plugin guards with this permission.'),
  limit('allow-all', null, 'Allow everything that no limit above forbids; addresses of private networks need --allow-http all the same.'),
  deny('deny-file-read', 'PATH', 'Let it read nothing there and below, or nothing at all, whatever else is allowed.', ['deny-read']),
  deny('deny-file-write', 'PATH', 'Let it change nothing there.', ['deny-write']),
  deny('deny-file', 'PATH', 'Both.'),
  deny('deny-http', 'DOMAIN', 'Let it send no requests to this host, or none at all.', ['deny-net']),
  deny('deny-http-get', 'DOMAIN', 'No GET requests.'),
  deny('deny-http-post', 'DOMAIN', 'No POST requests.'),
  deny('deny-http-put', 'DOMAIN', 'No PUT requests.'),
  deny('deny-http-delete', 'DOMAIN', 'No DELETE requests.'),
  deny('deny-env', 'NAME', 'Let it not read this environment variable, or none.'),
  deny('deny-system', 'PROPERTY', 'Let it not read this property of the system, or none.', ['deny-sys']),
  deny('deny-plugin', 'CATEGORY:ACTION', 'Let it not use what a plugin guards with this permission, or with any.'),
  limit('audit', 'FILE', 'Add a line of JSON to this file for each thing that it asks for, with the answer.'),
  limit('no-prompt', null, 'Never ask: deny what no flag allows.'),
];
