// The suites in real browsers, on the bundles that they get, a test for each topic. A browser that is not here is named
// with what installs it; in CI that is a failure.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaseTexts } from '../conformance-cases.ts';
import { browserKinds, openPage, whyNotHere } from './browsers.ts';
import type { BrowserPage } from './browsers.ts';
import { fetchGroup } from './http-groups.ts';
import { notShown, unexplained } from './known-differences.ts';
import { isolatedPage, servePages } from './page-server.ts';
import type { PageServer } from './page-server.ts';
import type { EngineResult } from './results.ts';
import { listGroups } from './suites.ts';
import type { GroupResult } from './suites.ts';
import { abortGroup, workerGroup } from './worker-group.ts';

const groups = [...listGroups(readCaseTexts()), fetchGroup];
const longMs = 300_000;

for (const kind of browserKinds) {
  const reason = await whyNotHere(kind);
  if (reason !== null) {
    if (process.env['CI'] === 'true') it(`${kind.name} is here`, () => expect.fail(reason));
    else it.skip(`${kind.name} is not tested: ${reason}`);
    if (process.env['CI'] !== 'true') console.log(`${kind.name} is not tested: ${reason}`);
    continue;
  }
  describe(kind.name, () => {
    let server: PageServer;
    let page: BrowserPage;
    const results: GroupResult[] = [];
    const resultOf = (found: readonly GroupResult[]): EngineResult => ({
      engine: kind.name,
      version: page.version,
      lacking: page.lacking,
      results: found,
    });
    beforeAll(async () => {
      server = await servePages();
      page = await openPage(kind, server.url);
    }, longMs);
    afterAll(async () => {
      await page?.close();
      await server?.close();
    });

    it.each(groups.map(({ suite, name, checks }) => ({ suite, name, checks: checks.length })))(
      '$suite: $name',
      async ({ suite, name, checks }) => {
        const found = await page.run(suite, name);
        expect(found.passed + found.failed).toBe(checks);
        results.push(found);
        expect(unexplained(resultOf([found]))).toEqual([]);
      },
      longMs,
    );

    it.each(['/', isolatedPage])(
      'workers of the page %s',
      async (path) => {
        const other = await openPage(kind, new URL(path, server.url).href);
        try {
          for (const { suite, name } of [workerGroup, abortGroup]) {
            const { failed, complaints } = await other.run(suite, name);
            expect({ failed, complaints }).toEqual({ failed: 0, complaints: [] });
          }
        } finally {
          await other.close();
        }
      },
      longMs,
    );

    it('differs as it is known to', () => {
      expect(notShown(resultOf(results)).map(({ what }) => what)).toEqual([]);
    });
  });
}
