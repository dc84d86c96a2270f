// What Linux says of processes.

import { readdirSync, readFileSync } from 'node:fs';

/** The numbers of the processes below one, or of all. */
export function processesOf(parent: number | null): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = readStatus(name);
    // What has ended is there until somebody asks how.
    if (status === null || /^State:\s+Z/m.test(status)) continue;
    parents.set(Number(name), Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]));
  }
  if (parent === null) return [...parents.keys()];
  const isBelow = (pid: number): boolean => {
    const above = parents.get(pid);
    return above !== undefined && (above === parent || isBelow(above));
  };
  return [...parents.keys()].filter(isBelow);
}

/** Bytes that are resident and not those of a file. */
export function memoryOf(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readStatus(pid) ?? '')?.[1] ?? 0) * 1024;
}

function readStatus(pid: string | number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return null;
  }
}

/** Looks until it is as it should be, or for ten seconds. */
export async function settled<Value>(look: () => Value, wanted: Value): Promise<Value> {
  const end = performance.now() + 10_000;
  for (;;) {
    const found = look();
    if (JSON.stringify(found) === JSON.stringify(wanted) || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
