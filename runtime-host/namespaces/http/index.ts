// What embedders import for HTTP.

export type { PrivateNetwork } from '../../network/private-network.ts';
export { HttpGrant } from './grant.ts';
export type { HttpConstraints } from './grant.ts';
