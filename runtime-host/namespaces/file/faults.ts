// The messages for faults of the file system: a fixed vocabulary, so that no text of the host reaches a script.

import type { FileFaultCode } from '../../platform/platform.ts';

export const fileFaults: Readonly<Record<FileFaultCode, string>> = {
  'not-found': 'there is no such file or directory',
  'is-directory': 'it is a directory',
  'not-directory': 'it is no directory, or lies below something that is none',
  'not-a-file': 'it is no regular file',
  'not-empty': 'the directory is not empty',
  'no-access': 'the file system does not allow it',
  'read-only': 'the file system is read-only',
  'no-space': 'there is no space left',
  'too-many-links': 'it leads through too many links',
  'too-many-entries': 'the directory has more than 100000 entries',
  'too-large': 'it is larger than a string can be',
  'name-too-long': 'a name in the path is too long',
  'not-utf8': 'it is not valid UTF-8',
  busy: 'something else is using it',
  unknown: 'the file system reported a failure',
};
