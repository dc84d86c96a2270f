// A page as a platform: it has a network, within what the browser allows, and nothing else.

import { createBrowserHttp } from './http.ts';
import type { Platform } from '../platform/platform.ts';

export function createBrowserPlatform(): Platform {
  return { files: null, http: createBrowserHttp(), system: null };
}

/** What the page's own host serves at a URL; the status if that is no success, null if nothing answers. */
export async function fetchBytes(url: string | URL): Promise<Uint8Array | number | null> {
  try {
    const response = await fetch(url);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : response.status;
  } catch {
    return null;
  }
}
