// The world that every program finds: the same files, pages, variables, clock and random numbers for the compiled
// module, to which the host hands them, and for the reference, which has its own of all that works on them.

import { createMemoryPlatform, Granted } from '../../runtime-host/api/index.ts';
import type { ScriptOptions } from '../../runtime-host/api/index.ts';

/** When files were made, and what the clock shows first. */
export const fixedTime = 1_700_000_000_000;
/** The clock goes on by so much whenever it is read, so that it shows how often it was. */
export const tick = 7;

/** The random number that is drawn after so many others. */
export function randomAfter(drawn: number): number {
  return ((drawn * 7 + 3) % 16) / 16;
}

/** Paths begin at the working directory. */
export const firstFiles: Readonly<Record<string, string>> = {
  'a.txt': 'alpha',
  'b.txt': '12',
  'd/c.txt': 'ünï😀',
  'd/e/f.txt': '',
};
export const variables: Readonly<Record<string, string>> = { HOME: '/home', EMPTY: '', TEXT: 'a😀b' };
export const systemProperties: Readonly<Record<string, string>> = { 'os.name': 'memory', 'user.locale': 'en-GB' };

export const host = 'https://example.com';
/** What the only server answers, by method and path; to what posts and puts to /echo it gives that back. */
export const pages: Readonly<Record<string, string>> = {
  'GET /page': 'Hello',
  'DELETE /page': 'gone',
  'GET /data': '{"i": 7, "d": 2.5, "l": [3, 1, 2], "o": {"i": -1}, "s": "t😀"}',
  'GET /list': '[1, 2, 3]',
  'GET /broken': '{"x": ',
};

/** Fresh for each run. */
export function makeWorld(waits: boolean): ScriptOptions {
  let [reads, drawn] = [0, 0];
  const server = ({
    method,
    url,
    body,
  }: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
  }): { readonly status?: number; readonly body?: string } | null => {
    if (!url.startsWith(`${host}/`)) return null;
    const path = url.slice(host.length);
    const page = path === '/echo' && body !== null ? body : pages[`${method} ${path}`];
    return page === undefined ? { status: 404 } : { body: page };
  };
  return {
    clock: () => fixedTime + tick * reads++,
    random: () => randomAfter(drawn++),
    environment: variables,
    platform: createMemoryPlatform({
      baseDir: '/home',
      files: Object.fromEntries(Object.entries(firstFiles).map(([path, text]) => [`/home/${path}`, text])),
      system: systemProperties,
      server,
      clock: () => fixedTime,
    }),
    permissions: waits ? async () => Granted : () => Granted,
  };
}
