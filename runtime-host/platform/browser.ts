// A page as a platform: it has a network, within what the browser allows, and nothing else.

import { createBrowserHttp } from './browser-http.ts';
import type { Platform } from './platform.ts';

export function createBrowserPlatform(): Platform {
  return { files: null, http: createBrowserHttp(), system: null };
}
