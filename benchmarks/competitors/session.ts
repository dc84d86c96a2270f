// A kernel that was started and waits to be asked for runs. Most are processes of their own, which read from their
// input how many runs are wanted, line by line, and answer each run with a line: its milliseconds and its result.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** One run of a kernel. */
export interface Sample {
  readonly milliseconds: number;
  readonly result: number;
}

export interface Session {
  readonly ask: (runs: number) => Promise<readonly Sample[]>;
  readonly stop: () => Promise<void>;
}

/** Starts a built kernel afresh: loaded, and nothing of it run. */
export type Start = () => Promise<Session>;

/** A kernel in a process of its own. Its first line says that it is loaded. */
export function processStart(program: string, ...args: readonly string[]): Start {
  return async () => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
    child.stdin.on('error', () => {});
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
    child.on('error', (error) => (complaint += error.message));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const line = await lines.next();
      if (line.done !== true) return line.value;
      await ended;
      throw new Error(complaint.trim() || `${program} ended without an answer`);
    };
    await next();
    return {
      ask: async (runs) => {
        child.stdin.write(`${runs}\n`);
        const samples: Sample[] = [];
        while (samples.length < runs) samples.push(parseSample(await next()));
        return samples;
      },
      stop: () => {
        child.stdin.end();
        return ended;
      },
    };
  };
}

function parseSample(line: string): Sample {
  const [milliseconds, result] = line.split(' ').map(Number) as [number, number];
  return { milliseconds, result };
}
