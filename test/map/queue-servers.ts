// Servers of queues, each on a free port with files of its own, and processes of workers and coordinators.

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface QueueServer {
  readonly url: string;
  /** Forgets all jobs. */
  flush(): Promise<void>;
  /** As a power failure would. */
  kill(): Promise<void>;
  /** Begins again with what it has kept. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isThere) return;
    await sleep(50);
  }
  throw new Error(`nothing listens at port ${port}`);
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

/** Redis with a file of all that it is told, which is there again when it is started again. */
export async function startRedis(more: readonly string[] = [], user = ''): Promise<QueueServer> {
  if (spawnSync('redis-server', ['--version']).status !== 0)
    throw new Error('these tests need redis-server: apt-get install redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: QueueServer = {
    url: `redis://${user === '' ? '' : `${user}@`}127.0.0.1:${port}`,
    async start() {
      const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
      const keeping = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
      child = spawn('redis-server', [...words, ...keeping, ...more], { stdio: 'ignore' });
      await reachable(port);
    },
    async flush() {
      const { status } = spawnSync('redis-cli', ['-p', String(port), 'FLUSHALL']);
      if (status !== 0) throw new Error('FLUSHALL failed');
    },
    kill: async () => ended(child!, 'SIGKILL'),
    async stop() {
      await ended(child!, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** PostgreSQL refuses to be root: as that, it is the user postgres. */
export async function startPostgres(): Promise<QueueServer> {
  const [programs] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  if (programs === undefined || !existsSync(join(programs, 'initdb')))
    throw new Error('these tests need PostgreSQL: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
  const ids = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString()));
  const isRoot = process.getuid?.() === 0;
  const who = isRoot ? { uid: ids[0]!, gid: ids[1]! } : {};
  if (isRoot) chownSync(folder, ids[0]!, ids[1]!);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'sluice', '-A', 'trust', '--no-sync'], {
    ...who,
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.toString()}`);
  const port = await freePort();
  let child: ChildProcess | null = null;
  const psql = (sql: string): number | null =>
    spawnSync(join(programs, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'sluice', 'postgres', '-c', sql])
      .status;
  const server: QueueServer = {
    url: `postgres://sluice@127.0.0.1:${port}/postgres`,
    async start() {
      const words = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
      child = spawn(join(programs, 'postgres'), words, { ...who, cwd: folder, stdio: 'ignore' });
      await reachable(port);
      for (let attempt = 0; psql('SELECT 1') !== 0; attempt++) {
        if (attempt > 200) throw new Error('PostgreSQL does not answer');
        await sleep(50);
      }
    },
    async flush() {
      if (psql('DELETE FROM bullmq.job') !== 0) throw new Error('the jobs could not be removed');
    },
    // The server ends its processes by itself when its own is gone; a lock file would keep it from a new start.
    kill: async () => ended(child!, 'SIGQUIT'),
    async stop() {
      await ended(child!, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
