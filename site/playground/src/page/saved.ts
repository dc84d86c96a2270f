// The last script, kept in this browser, so that closing the page loses nothing.

import type { Shared } from './share.ts';

const key = 'sluice-playground';
const mostCharacters = 500_000;

/** Null if there is none, or this browser keeps nothing. */
export function readSaved(): Shared | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as Shared | null;
    return typeof found?.script === 'string' ? found : null;
  } catch {
    return null;
  }
}

/** Keeps it if it can: without storage the page works as well. */
export function save(shared: Shared): void {
  try {
    const text = JSON.stringify(shared);
    if (text.length <= mostCharacters) localStorage.setItem(key, text);
  } catch {
    // Storage is full or switched off.
  }
}
