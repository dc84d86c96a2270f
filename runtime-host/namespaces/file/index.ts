// What embedders import of files.

export { FileGrant } from './grant.ts';
export type { FileConstraints } from './grant.ts';
