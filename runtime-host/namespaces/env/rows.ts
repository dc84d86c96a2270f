// The Env namespace: every call asks the host for permission.

import { host } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';

export const rows = library('Env', "What surrounds the script, each call with the host's permission.", [
  fn(
    'string? get(string name)',
    'The environment variable, or null if it is unset. SecurityError if the host denies it.',
    host('Env.Get'),
    'Env.get("NO_SUCH_VARIABLE") == null → true',
  ),
  fn(
    'string? system(string property)',
    'One of `os.name`, `os.arch`, `os.version`, `runtime.name`, `runtime.version`, `user.locale`, ' +
      '`user.timezone`; null for any other. SecurityError if the host denies it.',
    host('Env.System'),
    'Env.system("no.such.property") == null → true',
  ),
]);
