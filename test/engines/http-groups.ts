// The contract of HTTP clients: in memory for every engine, and by fetch for pages, whose own server is the site then.

import { createBrowserHttp } from '../../runtime-host/browser/http.ts';
import { createMemoryHttp } from '../../runtime-host/memory/http.ts';
import type { HttpClient } from '../../runtime-host/platform/platform.ts';
import { answerAsSite, httpRows, runHttpRow } from '../host/http/contract-rows.ts';
import { compareGiven } from './compare-given.ts';
import type { Group } from './suites.ts';

function httpGroup(name: string, client: HttpClient, origin: () => Promise<string>, follows: boolean): Group {
  // A redirect to nowhere is an answer by the rules of fetch, and a failure in some engines.
  const rows = follows ? httpRows : httpRows.filter((row) => row.name !== 'is redirected to nowhere');
  const checks = rows.map((row) => ({
    name: row.name,
    run: async () =>
      compareGiven(
        row.name,
        [follows ? row.gives : (row.givesUnfollowed ?? row.gives)],
        [await runHttpRow(row, client, await origin())],
      ),
  }));
  return { suite: 'host', name, checks };
}

const memory = createMemoryHttp((request) => {
  const { pathname, search } = new URL(request.url);
  const answer = answerAsSite(request, `${pathname}${search}`);
  return answer === 'never' ? new Promise(() => {}) : answer;
});

export const memoryHttpGroup = httpGroup(
  'the contract of HTTP in memory',
  memory,
  async () => 'http://localhost:8080',
  true,
);

/** For pages alone. */
export const fetchGroup = httpGroup(
  'the contract of HTTP by fetch',
  createBrowserHttp(),
  async () => (globalThis as unknown as { location: { origin: string } }).location.origin,
  false,
);

/** For a client with a site of its own. */
export function siteGroup(name: string, client: HttpClient, origin: () => Promise<string>): Group {
  return httpGroup(name, client, origin, true);
}
