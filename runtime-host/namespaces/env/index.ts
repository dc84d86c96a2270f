// What embedders import for the environment.

export { EnvGrant } from './grant.ts';
export type { EnvConstraints } from './grant.ts';
