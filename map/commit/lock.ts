// Who writes to an output folder: one process at a time, since a run that goes on removes what others left behind. A
// lock whose process has gone counts for nothing.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { MapError } from '../errors.ts';
import { linkOnce } from '../files.ts';

export const lockName = '_lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When that process began, as the system counts; null where it does not say. */
  readonly began: string | null;
}

/** Takes the lock of a folder, and answers with what gives it back. Throws MapError where another process has it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, lockName);
  const holder: Holder = { pid: process.pid, host: hostname(), began: beginningOf(process.pid) };
  const mine = `${JSON.stringify(holder)}\n`;
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, mine);
  try {
    while (!linkOnce(temporary, path)) {
      const text = readText(path);
      if (text === null) continue;
      const holder = JSON.parse(text) as Holder;
      if (!isGone(holder))
        throw new MapError(
          `${folder}: another process writes there (${holder.pid} on ${holder.host}); ` +
            `if it has gone, remove ${path}`,
        );
      removeOf(path, text);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return () => {
    if (readText(path) === mine) rmSync(path, { force: true });
  };
}

/** Removes the lock if it is still the one that was read; of several who try, one does. */
function removeOf(path: string, text: string): void {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Somebody else took it in between.
  if (readText(aside) !== text) linkOnce(aside, path);
  rmSync(aside, { force: true });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** Only of this machine can that be known. */
function isGone({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // Numbers of processes are used again.
  return began !== beginningOf(pid);
}

function beginningOf(pid: number): string | null {
  try {
    // Behind the name of the program, which may have anything in it, the twentieth word.
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? null
    );
  } catch {
    return null;
  }
}
