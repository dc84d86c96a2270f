// What pages show is formatted, as readers get it from `sluice fmt`; so are the examples and the scripts of the site.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { format } from '../../src/formatter/format.ts';
import { root } from '../../tools/entries.ts';
import { unformattedIn } from './formatted.ts';
import { allPages, readPage } from './pages.ts';

// The wrong scripts of the messages are as wrong as people write them; what is right stands beside them.
const shown = [...allPages, ...globSync('packages/*/README.md', { cwd: root }), 'examples/README.md'].filter(
  (path) => path !== 'docs/diagnostics.md',
);

describe('formatted scripts', () => {
  it.each(shown)('of %s', (path) => {
    // `node test/pages/update.ts PAGE` formats them.
    expect(unformattedIn(path, readPage(path)).map(({ line }) => line)).toEqual([]);
  });

  it.each(['examples', 'site'])('below %s', (folder) => {
    const scripts = globSync(`${folder}/**/*.slu`, { cwd: root, exclude: (path) => path.includes('node_modules') });
    expect(scripts.length).toBeGreaterThan(3);
    const faulty = scripts.filter((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return format(text).text !== text;
    });
    expect(faulty).toEqual([]);
  });
});
