// One contender behind node:http: `/?to=2` gives the integral, `/memory` what the process has taken at most, in MB.
//
//   node benchmarks/service/server.ts sluice

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contenders } from './contenders.ts';

const serve = await contenders[process.argv[2]!]!.start();

const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://127.0.0.1');
  if (url.pathname === '/memory') {
    response.end(String(process.resourceUsage().maxRSS / 1024));
    return;
  }
  serve(Number(url.searchParams.get('to'))).then(
    (value) => response.end(String(value)),
    (error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    },
  );
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
// It ends with whoever asks.
process.stdin.on('end', () => process.exit(0)).resume();
