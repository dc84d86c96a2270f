// The permission flags as a table: those of each namespace, and those for all namespaces. The policies of the
// namespaces say what the flags mean.

import type { Flag, NamespaceFlags } from '../../../runtime-host/permissions/command-line/flags.ts';
import { limit } from '../../../runtime-host/permissions/command-line/flags.ts';
import type { Option, OptionGroup } from '../command.ts';
import { namespaceFlags } from './generated/flags.ts';

const group: OptionGroup = {
  title: 'Permissions',
  summary: 'a script reaches nothing unless a flag allows it, or you do when you are asked, on a terminal.',
};

const namespaces: readonly NamespaceFlags[] = Object.values(namespaceFlags);
const exceptions = namespaces.flatMap(({ exception }) => (exception === undefined ? [] : [`; ${exception}`]));

const flags: readonly Flag[] = [
  ...namespaces.flatMap(({ allowing }) => allowing),
  limit('allow-all', null, `Allow everything that no limit above forbids${exceptions.join('')}.`),
  ...namespaces.flatMap(({ denying }) => denying),
  limit('audit', 'FILE', 'Add a line of JSON to this file for each thing that it asks for, with the answer.'),
  limit('no-prompt', null, 'Never ask: deny what no flag allows.'),
];

export const permissionOptions: readonly Option[] = flags.map((flag) => ({ ...flag, group }));
