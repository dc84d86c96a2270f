// The flags for files.

import { allow, deny, limit } from '../../../permissions/command-line/flags.ts';
import type { NamespaceFlags } from '../../../permissions/command-line/flags.ts';

export const flags: NamespaceFlags = {
  allowing: [
    allow('allow-file-read', 'DIR', 'Let it read and list files in this directory and below.', [
      'allow-read',
      'allow-fs-read',
    ]),
    allow('allow-file-write', 'DIR', 'Let it write, append to, delete and create files there.', [
      'allow-write',
      'allow-fs-write',
    ]),
    allow('allow-file', 'DIR', 'Both.', ['allow-fs']),
    limit('file-extensions', 'LIST', 'Only files with these extensions: txt,csv.'),
    limit('file-max-bytes', 'SIZE', 'Only files up to this size: 4096, 10MB, 64KiB.'),
    limit('file-read-only', null, 'No changes to files, whatever else is allowed.'),
  ],
  denying: [
    deny(
      'deny-file-read',
      'PATH',
      'Let it read nothing there and below, or nothing at all, whatever else is allowed.',
      ['deny-read'],
    ),
    deny('deny-file-write', 'PATH', 'Let it change nothing there.', ['deny-write']),
    deny('deny-file', 'PATH', 'Both.'),
  ],
};
