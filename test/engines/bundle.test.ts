// The bundles for browsers: their size, and that they stand alone.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleFolder, bundles, gzippedSize } from '../../tools/bundle-browser.ts';
import { formatTable, placeTable } from './results.ts';

describe('the bundles for browsers', () => {
  it('hold a host of at most 34 KiB', () => {
    expect(gzippedSize('sluice-host.js')).toBeLessThanOrEqual(34 * 1024);
  });

  it('hold what plugins are made with in at most 8 KiB', () => {
    expect(gzippedSize('sluice-plugins.js')).toBeLessThanOrEqual(8 * 1024);
  });

  it.each(bundles)('import nothing but parts of their own: $file', ({ file, hasParts }) => {
    const text = readFileSync(bundleFolder + file, 'utf8');
    // What is made of an import declaration stands at the beginning of a minified module.
    expect(text).not.toMatch(/(^|;)import[\s{*`'"]/);
    expect(text).not.toMatch(hasParts ? /import\([`'"](?!\.\/sluice-host-)/ : /import\([`'"]/);
    expect(text).not.toMatch(/[`'"]node:/);
  });
});

describe('the table of engines', () => {
  it('has a row for each engine, and a place in the README', () => {
    const results = [{ suite: 'conformance', name: 'loops', passed: 3, failed: 1, complaints: ['x'] }, { suite: 'host', name: 'stacks', passed: 2, failed: 0, complaints: [] }];
    const table = formatTable([{ engine: 'Node', version: '26.1.0', lacking: ['suspending'], results }]);
    expect(table.split('\n').at(-1)).toBe('| Node | 26.1.0 | 5 | 1 | suspending |');
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(placeTable(readme, table)).toContain(`-->\n${table}\n<!--`);
    expect(placeTable(placeTable(readme, table), '')).toBe(placeTable(readme, ''));
    expect(() => placeTable('text', table)).toThrow('no place for the table');
  });
});
