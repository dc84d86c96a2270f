// The table of engines in docs/engines.md.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatTable, placeTable } from './results.ts';

describe('the table of engines', () => {
  it('has a row for each engine, and a place in docs/engines.md', () => {
    const results = [
      { suite: 'conformance', name: 'loops', passed: 3, failed: 1, complaints: ['x'] },
      { suite: 'host', name: 'stacks', passed: 2, failed: 0, complaints: [] },
    ];
    const table = formatTable([{ engine: 'Node', version: '26.1.0', lacking: ['suspending'], results }]);
    expect(table.split('\n').at(-1)).toBe('| Node | 26.1.0 | 5 | 1 | suspending |');
    const page = readFileSync(new URL('../../docs/engines.md', import.meta.url), 'utf8');
    expect(placeTable(page, table)).toContain(`-->\n${table}\n<!--`);
    expect(placeTable(placeTable(page, table), '')).toBe(placeTable(page, ''));
    expect(() => placeTable('text', table)).toThrow('no place for the table');
  });
});
