// For how long a process has had nothing to do, as Linux counts it.

import { readFileSync } from 'node:fs';

/**
 * Of the milliseconds that it has been there, those in which its main thread neither ran nor waited for its turn; 0
 * where nothing says so.
 */
export function idleMsOf(pid: number | undefined, aliveMs: number): number {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number);
    return ranNs! > 0 ? Math.max(aliveMs - (ranNs! + waitedNs!) / 1e6, 0) : 0;
  } catch {
    return 0;
  }
}
