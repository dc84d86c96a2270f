// The contract of HTTP by Node's client, against a server on this machine, for the runtimes that have Node's modules.

import { createNodeHttp } from '../../runtime-host/node/http.ts';
import type { HttpMethod } from '../../runtime-host/platform/platform.ts';
import { answerAsSite } from '../host/http/contract-rows.ts';
import { startServer } from '../host/http/servers.ts';
import type { TestServer } from '../host/http/servers.ts';
import { siteGroup } from './http-groups.ts';

let server: Promise<TestServer> | null = null;

function start(): Promise<TestServer> {
  return startServer((request, response, body) => {
    const sent = request.headers['content-type'] ?? null;
    const answer = answerAsSite(
      { method: request.method as HttpMethod, body: sent === null ? null : body, contentType: sent },
      request.url!,
    );
    if (answer === 'never') return;
    response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '');
  });
}

export const realHttpGroup = siteGroup(
  'the contract of HTTP by Node',
  createNodeHttp(),
  async () => (await (server ??= start())).origin,
);

export async function stopSite(): Promise<void> {
  await (await server)?.close();
}
