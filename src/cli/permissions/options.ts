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
  limit('no-prompt', null, 'Never ask: deny what no flag allows.'),
];
