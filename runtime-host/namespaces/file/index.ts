// What embedders import for files.

export { FileGrant } from './grant.ts';
export type { FileConstraints } from './grant.ts';
