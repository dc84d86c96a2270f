// A world in memory for cases and examples: the same files, variables and answers every time.

import * as host from '../runtime-host/api/index.ts';
import { createMemoryPlatform, Granted } from '../runtime-host/api/index.ts';
import type { MemoryServer, PermissionAnswer, ScriptOptions } from '../runtime-host/api/index.ts';

/** What is granted, by namespace: constraints, or an empty object for everything. */
export type Grants = Readonly<Record<string, object>>;

/** Options for a script that has this world before it, and is denied what is not granted. */
export function worldFor(grants: Grants): ScriptOptions {
  const platform = createMemoryPlatform({
    baseDir: '/home',
    files: {
      '/home/note.txt': 'alpha',
      '/home/data/a.csv': 'x,y\n1,2\n',
      '/home/data/b.csv': '',
      '/home/data/deep/c.txt': 'ünï',
      '/home/broken.txt': Uint8Array.of(0xff, 0xfe, 0x61),
      '/secret/key.txt': 'SECRET',
    },
    links: { '/home/data/out': '/secret', '/home/data/in.csv': 'a.csv' },
    system: { 'os.name': 'memory', 'user.locale': 'en-GB' },
    server,
    clock: () => 1_700_000_000_000,
  });
  return {
    platform,
    environment: { HOME: '/home', EMPTY: '' },
    permissions: ({ kind }) => answer(kind.split('.')[0]!, grants),
  };
}

const site: Readonly<Record<string, string>> = {
  'GET /greeting': 'Hello',
  'DELETE /greeting': 'gone',
  'GET /point': '{"x": 3, "y": 4.0}',
  'GET /broken.json': '{"x": ',
};

/** https://example.com with a few pages, and redirects within it and away from it. */
const server: MemoryServer = ({ method, url, body }) => {
  const { hostname, pathname, searchParams } = new URL(url);
  if (hostname !== 'example.com') return hostname === 'other.example' ? { body: 'the other one' } : null;
  if (pathname === '/to') return { status: 302, headers: { location: searchParams.get('url')! } };
  if (pathname === '/loop') return { status: 302, headers: { location: '/loop' } };
  if (pathname === '/echo') return { body: body ?? '' };
  const page = site[`${method} ${pathname}`];
  return page === undefined ? { status: 404, body: 'no such page' } : { body: page };
};

/** A namespace that is not among the grants gets an answer that is none. */
function answer(namespace: string, grants: Grants): PermissionAnswer {
  const constraints = grants[namespace];
  if (constraints === undefined) return undefined as unknown as PermissionAnswer;
  if (Object.keys(constraints).length === 0) return Granted;
  // `FileGrant`, of the very host that runs the case: in a page that is another one than the sources are.
  return (host as unknown as Readonly<Record<string, (constraints: object) => PermissionAnswer>>)[`${namespace}Grant`]!(
    constraints,
  );
}
