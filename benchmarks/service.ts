// A small service: scripts behind node:http, 50 connections that ask one thing after the other, beside what others give
// a script for itself: how many requests a second, how long one takes, and how much memory the server takes. Each
// contender has a process of its own; the one that asks has another, on the same machine.
//
//   npm ci --prefix benchmarks/service --ignore-scripts
//   npm run bench:service                 30 seconds each
//   npm run bench:service -- --quick      5 seconds each
//   npm run bench:service -- sluice vm    these alone

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { contenders, integral } from './service/contenders.ts';

const connections = 50;

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly memoryMb: number;
}

/** The part of autocannon that is used here. */
type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly timeout: number;
}) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly duration: number;
  readonly latency: { readonly p50: number; readonly p99: number };
}>;

const autocannon = createRequire(new URL('service/package.json', import.meta.url))('autocannon') as Autocannon;

async function startServer(name: string): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('service/server.ts', import.meta.url)), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, url: `http://127.0.0.1:${String(port).trim()}` };
}

async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function measure(name: string, seconds: number): Promise<Measured> {
  const { server, url } = await startServer(name);
  try {
    const answer = Number(await textAt(`${url}/?to=3`));
    if (!(Math.abs(answer - integral(3)) < 1e-6)) throw new Error(`${name} answers ${answer}`);
    // Until compilers have had their time.
    await autocannon({ url: `${url}/?to=2`, connections, duration: Math.min(seconds, 3), timeout: 60 });
    const {
      '2xx': done,
      non2xx,
      errors,
      timeouts,
      duration,
      latency,
    } = await autocannon({ url: `${url}/?to=2`, connections, duration: seconds, timeout: 60 });
    if (non2xx + errors + timeouts > 0)
      throw new Error(
        `${name}: ${non2xx} answers are errors, ${errors} requests failed, ${timeouts} had none; ` +
          `one of them: ${await textAt(`${url}/?to=2`)}`,
      );
    return {
      perSecond: done / duration,
      p50: latency.p50,
      p99: latency.p99,
      memoryMb: Number(await textAt(`${url}/memory`)),
    };
  } finally {
    const gone = once(server, 'exit');
    server.stdin!.end();
    await gone;
  }
}

const given = process.argv.slice(2);
const seconds = given.includes('--quick') ? 5 : 30;
const chosen = given.filter((word) => !word.startsWith('--'));
const names = chosen.length === 0 ? Object.keys(contenders) : chosen;

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]!.model}; ${connections} connections, ${seconds} s each\n`,
);
console.log(`${'a kernel of 100,000 steps'.padEnd(52)}requests/s   p50 ms   p99 ms   peak MB   × isolated-vm`);
const found = new Map<string, Measured>();
const reference = 'isolated-vm';
// What the others are measured by comes first.
for (const name of names.toSorted((a, b) => Number(b === reference) - Number(a === reference))) {
  const result = await measure(name, seconds);
  found.set(name, result);
  const ratio = found.has(reference) ? (result.perSecond / found.get(reference)!.perSecond).toFixed(1) : '';
  console.log(
    `${contenders[name]!.name.padEnd(52)}${[
      [result.perSecond.toFixed(0), 10],
      [result.p50.toFixed(0), 9],
      [result.p99.toFixed(0), 9],
      [result.memoryMb.toFixed(0), 10],
      [ratio, 16],
    ]
      .map(([text, width]) => String(text).padStart(Number(width)))
      .join('')}`,
  );
}
