// The contract of HTTP clients as a suite: every row, with what arrived at the site and that nothing of the host is
// told.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpClient } from '../../../runtime-host/platform/platform.ts';
import { httpRows, runHttpRow } from './contract-rows.ts';

/** A site that is up. */
export interface ContractSite {
  readonly origin: string;
  /** What arrived, as `GET /ok`, oldest first. */
  readonly arrived: string[];
  /** Resolves once no connection is open; at once where there are none. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** `follows` is false for a client that cannot be told where a redirect leads. */
export function httpContract(
  name: string,
  makeClient: (site: ContractSite) => HttpClient,
  openSite: () => Promise<ContractSite>,
  follows: boolean,
): void {
  describe(`the contract of HTTP: ${name}`, () => {
    let site: ContractSite;
    let client: HttpClient;
    beforeAll(async () => {
      site = await openSite();
      client = makeClient(site);
    });
    afterAll(() => site.close());

    it.each(httpRows)('$name', async (row) => {
      site.arrived.length = 0;
      const gave = await runHttpRow(row, client, site.origin);
      expect(gave).toBe(follows ? row.gives : (row.givesUnfollowed ?? row.gives));
      expect(gave.replaceAll(row.url, '')).not.toMatch(/127\.0\.0\.1|ECONN|HPE_|ERR_|fetch failed|undici|\bat |node:/);
      await site.settle();
      expect(site.arrived).toEqual(follows ? (row.arrives ?? []) : (row.arrivesUnfollowed ?? row.arrives ?? []));
    });
  });
}
