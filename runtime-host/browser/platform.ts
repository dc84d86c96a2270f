// A page as a platform: it has only a network, with the restrictions of the browser.

import { createBrowserHttp } from './http.ts';
import type { Platform } from '../platform/platform.ts';

export function createBrowserPlatform(): Platform {
  return { files: null, http: createBrowserHttp(), system: null };
}

/** The content at a URL of the page's server; the status if that reports no success, null if nothing answers. */
export async function fetchBytes(url: string | URL): Promise<Uint8Array | number | null> {
  try {
    const response = await fetch(url);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : response.status;
  } catch {
    return null;
  }
}
