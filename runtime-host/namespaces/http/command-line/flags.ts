// The flags for HTTP.

import { allow, deny, limit } from '../../../permissions/command-line/flags.ts';
import type { NamespaceFlags } from '../../../permissions/command-line/flags.ts';

export const flags: NamespaceFlags = {
  allowing: [
    allow('allow-http', 'DOMAIN', 'Let it send HTTP requests to this host, or with *.example.com to those below.', [
      'allow-net',
    ]),
    allow('allow-http-get', 'DOMAIN', 'Only GET requests.'),
    allow('allow-http-post', 'DOMAIN', 'Only POST requests.'),
    allow('allow-http-put', 'DOMAIN', 'Only PUT requests.'),
    allow('allow-http-delete', 'DOMAIN', 'Only DELETE requests.'),
    limit('http-ports', 'LIST', 'Only these ports: 80,443.'),
    limit('https-only', null, 'No http:// URLs.'),
    limit('http-timeout-ms', 'N', 'End a request after so many milliseconds; 30000 if left out.'),
    limit('http-max-bytes', 'SIZE', 'Only responses up to this size.'),
  ],
  denying: [
    deny('deny-http', 'DOMAIN', 'Let it send no requests to this host, or none at all.', ['deny-net']),
    deny('deny-http-get', 'DOMAIN', 'No GET requests.'),
    deny('deny-http-post', 'DOMAIN', 'No POST requests.'),
    deny('deny-http-put', 'DOMAIN', 'No PUT requests.'),
    deny('deny-http-delete', 'DOMAIN', 'No DELETE requests.'),
  ],
  exception: 'addresses of private networks need --allow-http all the same',
};
