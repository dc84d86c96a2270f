// A page with the jobs of a queue, which changes nothing, and its counts for Prometheus at `/metrics`.

import type * as BullBoard from '@bull-board/api';
import type * as BullBoardAdapter from '@bull-board/api/bullMQAdapter';
import type * as BullBoardExpress from '@bull-board/express';
import type { RequestListener } from 'node:http';
import type { JobQueue } from './engine.ts';
import { answering, serve } from './http.ts';
import type { Address, Served } from './http.ts';
import { loadPackages } from './packages.ts';

/** Throws MapError where the packages are missing, or the address is taken. */
export async function serveDashboard(address: Address, queue: JobQueue): Promise<Served> {
  const what = '--dashboard-port';
  const needed = ['@bull-board/api', '@bull-board/express'];
  const { createBullBoard } = await loadPackages<typeof BullBoard>(what, needed);
  const { BullMQAdapter } = await loadPackages<typeof BullBoardAdapter>(what, ['@bull-board/api/bullMQAdapter']);
  const { ExpressAdapter } = await loadPackages<typeof BullBoardExpress>(what, ['@bull-board/express']);
  const serverAdapter = new ExpressAdapter();
  createBullBoard({
    queues: [new BullMQAdapter(queue.raw as never, { readOnlyMode: true, allowRetries: false })],
    serverAdapter,
  });
  const page = serverAdapter.getRouter() as RequestListener;
  const metrics = answering(async () => queue.prometheus());
  return serve(address, (request, response) => (request.url === '/metrics' ? metrics : page)(request, response));
}
