// The code for modules that call plugins, in one file: other modules never load it.

export { checkImportTypes } from '../plugins/import-types.ts';
export { linkPlugins } from '../plugins/link.ts';
export { stackOfTrap, trapped } from '../plugins/traps.ts';
import { describeKind, PluginWork } from '../plugins/work.ts';
import { directImport } from './direct-plugin-calls.ts';
import type { OwnWork } from './plugin-calls.ts';

export { PluginCalls } from './plugin-calls.ts';

export const ownWork: OwnWork = { PluginWork, directImport, describeKind };
