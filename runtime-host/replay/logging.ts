// The way into this folder for who loads scripts.

export { hashModule } from './module-hash.ts';
export { recording } from './recorder.ts';
export { replaying } from './replayer.ts';
