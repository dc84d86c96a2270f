// Programs that nobody wrote, and mistakes in them. More of them: generated.full.ts.

import { it } from 'vitest';
import { formatGenerated } from './generated.ts';

const parts = Array.from({ length: 8 }, (_, at) => at * 3);

it.each(parts)('keeps what is always so for the programs from seed %d', (from) => formatGenerated(from, from + 3));
