// What embedders import for permissions of plugins.

export { PluginGrant } from './grant.ts';
export type { PluginConstraints } from './grant.ts';
