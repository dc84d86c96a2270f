// The contract of HTTP on the clients that this process can be: Node's, the one of pages on Node's fetch, and memory.

import { createBrowserHttp } from '../../../runtime-host/browser/http.ts';
import { createMemoryHttp } from '../../../runtime-host/memory/http.ts';
import { createNodeHttp } from '../../../runtime-host/node/http.ts';
import type { HttpMethod } from '../../../runtime-host/platform/platform.ts';
import { answerAsSite } from './contract-rows.ts';
import { httpContract } from './contract.ts';
import type { ContractSite } from './contract.ts';
import { certificateAuthority, startServer, until } from './servers.ts';

/** The site behind a real server. */
async function openServer(certificate: 'server' | null, keepsConnections: boolean): Promise<ContractSite> {
  const arrived: string[] = [];
  const server = await startServer((request, response, body) => {
    arrived.push(`${request.method} ${request.url}`);
    const sent = request.headers['content-type'] ?? null;
    const answer = answerAsSite(
      { method: request.method as HttpMethod, body: sent === null ? null : body, contentType: sent },
      request.url!,
    );
    if (answer === 'never') return;
    response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '');
  }, certificate);
  return {
    origin: server.origin,
    arrived,
    settle: () => (keepsConnections ? Promise.resolve() : until(() => server.connections() === 0)),
    close: () => server.close(),
  };
}

httpContract(
  'Node',
  () => createNodeHttp(),
  () => openServer(null, false),
  true,
);
httpContract(
  'Node with TLS',
  () => createNodeHttp({ resolve: async () => ['127.0.0.1'], certificateAuthorities: [certificateAuthority] }),
  () => openServer('server', false),
  true,
);
// The pool of Node's fetch keeps connections: what belongs to the engine is not the client's to close.
httpContract(
  'a page',
  () => createBrowserHttp(),
  () => openServer(null, true),
  false,
);

const arrived: string[] = [];
const memorySite = async (): Promise<ContractSite> => ({
  origin: 'http://localhost:8080',
  arrived,
  settle: async () => {},
  close: async () => {},
});
const memory = createMemoryHttp((request) => {
  const { pathname, search } = new URL(request.url);
  arrived.push(`${request.method} ${pathname}${search}`);
  const answer = answerAsSite(request, `${pathname}${search}`);
  return answer === 'never' ? new Promise(() => {}) : answer;
});
httpContract('memory', () => memory, memorySite, true);
