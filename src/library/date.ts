// The Date namespace.

import { host } from '../language/implementation.ts';
import { fn, library } from './declare.ts';

export const date = library('Date', 'The clock.', [
  fn('int now()', 'The current Unix timestamp in milliseconds.', host(), 'Date.now() > 0 → true', { external: true, cost: '0' }),
]);
