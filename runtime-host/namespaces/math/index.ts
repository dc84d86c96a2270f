// What embedders import of Math.

export { seededRandom } from './functions.ts';
