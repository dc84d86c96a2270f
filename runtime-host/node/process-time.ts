// How long a process has been idle, as Linux counts it.

import { readFileSync } from 'node:fs';

/**
 * Of the milliseconds since its start, those in which its main thread neither ran nor waited for a processor; 0 if
 * unknown.
 */
export function idleMsOf(pid: number | undefined, aliveMs: number): number {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number);
    return ranNs! > 0 ? Math.max(aliveMs - (ranNs! + waitedNs!) / 1e6, 0) : 0;
  } catch {
    return 0;
  }
}
