// The flags for variables of the environment and properties of the system.

import { allow, deny } from '../../../permissions/command-line/flags.ts';
import type { NamespaceFlags } from '../../../permissions/command-line/flags.ts';

export const flags: NamespaceFlags = {
  allowing: [
    allow('allow-env', 'NAME', 'Let it read this environment variable.'),
    allow('allow-system', 'PROPERTY', 'Let it read this property of the system, such as os.name.', ['allow-sys']),
  ],
  denying: [
    deny('deny-env', 'NAME', 'Let it not read this environment variable, or none.'),
    deny('deny-system', 'PROPERTY', 'Let it not read this property of the system, or none.', ['deny-sys']),
  ],
};
