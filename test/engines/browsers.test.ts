// The suites in real browsers, on the bundles that they get, a test for each topic. A browser that is not here is named
// with what installs it; in CI that is a failure.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaseTexts } from '../conformance-cases.ts';
import { browserKinds, openPage, whyNotHere } from './browsers.ts';
import type { BrowserPage } from './browsers.ts';
import { fetchGroup } from './http-groups.ts';
import { isolatedPage, servePages } from './page-server.ts';
import type { PageServer } from './page-server.ts';
import { cannotWait } from './results.ts';
import { listGroups } from './suites.ts';
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
    const waiting: string[] = [];
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
        const { passed, failed, complaints } = await page.run(suite, name);
        expect(passed + failed).toBe(checks);
        waiting.push(...complaints.filter(cannotWait));
        expect(complaints.filter((complaint) => !cannotWait(complaint))).toEqual([]);
      },
      longMs,
    );

    it.each(['/', isolatedPage])(
      'workers of the page %s',
      async (path) => {
        const other = await openPage(kind, new URL(path, server.url).href);
        try {
          for (const { suite, name } of path === '/' && kind.losesPages === true
            ? [workerGroup]
            : [workerGroup, abortGroup]) {
            const { failed, complaints } = await other.run(suite, name);
            expect({ failed, complaints }).toEqual({ failed: 0, complaints: [] });
          }
        } finally {
          await other.close();
        }
      },
      longMs,
    );

    it('cannot wait for the host only where it cannot suspend', () => {
      expect(waiting.length > 0, waiting.join('\n')).toBe(page.lacking.length > 0);
      for (const complaint of waiting) expect(complaint).toMatch(/^(http|plugins)\//);
    });
  });
}
