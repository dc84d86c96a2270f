// The flags for permissions of plugins.

import { allow, deny } from '../../../permissions/command-line/flags.ts';
import type { NamespaceFlags } from '../../../permissions/command-line/flags.ts';

export const flags: NamespaceFlags = {
  allowing: [allow('allow-plugin', 'CATEGORY:ACTION', 'Let it use what a plugin guards with this permission.')],
  denying: [
    deny('deny-plugin', 'CATEGORY:ACTION', 'Let it not use what a plugin guards with this permission, or with any.'),
  ],
};
