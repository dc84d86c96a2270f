// What only modules that call plugins need, in one piece: others never load it.

export { checkImportTypes } from '../plugins/import-types.ts';
export { linkPlugins } from '../plugins/link.ts';
export { stackOfTrap, trapped } from '../plugins/traps.ts';
export { PluginCalls } from './plugin-calls.ts';
