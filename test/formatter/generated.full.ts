// The same as generated.test.ts, for 10,000 programs. On a busy machine a part takes some minutes.

import { it } from 'vitest';
import { formatGenerated } from './generated.ts';

const each = 250;
const parts = Array.from({ length: 10_000 / each }, (_, at) => at * each);

it.each(parts)(
  'keeps what is always so for the programs from seed %d',
  (from) => formatGenerated(from, from + each, 10),
  900_000,
);
