// What embedders import of the environment.

export { EnvGrant } from './grant.ts';
export type { EnvConstraints } from './grant.ts';
