// The service worker: after the first load the page needs no network. It also gives all files the headers that isolate
// the page from others, with which scripts can wait in shared memory, on servers that cannot be told to send any.

/** The part of the scope of a service worker that is used here. */
interface Scope {
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: Extendable & MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string; readonly active: object | null };
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

// Both are filled in by the build.
const version = '__VERSION__';
const files = '__FILES__' as unknown as readonly string[];
const prefix = 'sluice-playground-';
const scope = globalThis as unknown as Scope;
const root = scope.registration.scope;

const addresses = ['./', ...files].map((name) => new URL(name, root).href);

scope.addEventListener('install', (event) => {
  // The first one begins at once, since engines may need it to run a script, and keeps the files when the page asks.
  // One that follows takes over from what is kept, so it needs all of it before.
  event.waitUntil(scope.registration.active === null ? scope.skipWaiting() : keepAll());
});

scope.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.data !== 'keep') return;
  event.waitUntil(
    keepAll().then(
      () => port?.postMessage(true),
      () => port?.postMessage(false),
    ),
  );
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(removeOld().then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  // What scripts fetch elsewhere, if they are allowed to, is no business of ours.
  if (method !== 'GET' || !url.startsWith(root)) return;
  event.respondWith(answer(event.request));
});

async function removeOld(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && name !== prefix + version) await caches.delete(name);
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(prefix + version);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  await cache.addAll(addresses.filter((address) => !kept.has(address)));
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(prefix + version);
  const found = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
  if (found.type === 'opaque' || found.status === 0) return found;
  const headers = new Headers(found.headers);
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-embedder-policy', 'require-corp');
  headers.set('cross-origin-resource-policy', 'same-origin');
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
