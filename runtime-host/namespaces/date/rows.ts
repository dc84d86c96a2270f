// The Date namespace.

import { host } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';

export const rows = library('Date', 'The clock.', [
  fn('int now()', 'The current Unix timestamp in milliseconds.', host(), 'Date.now() > 0 → true', {
    external: true,
    cost: '0',
  }),
]);
