// Makes the page work without a network, once it has been loaded as a whole, and isolates it from others where scripts
// need that to wait.

const attemptsMost = 5;
const pauseMs = 1_000;
/** An installation that was broken off may leave a worker that is never ready. */
const readyMs = 10_000;
const reloaded = 'sluice-playground-reloaded';

/**
 * Resolves when the page may begin. Without suspending in the engine a script waits for answers in shared memory, which
 * pages have that the service worker has answered for: where there is none yet, it is begun and the page loaded again,
 * before anybody has typed anything.
 */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated || 'Suspending' in WebAssembly || !canRegister() || !isFirstTry()) return;
  if (!(await register())) return;
  location.reload();
  await new Promise(() => {});
}

/** Resolves when all files are kept, with true, or it is clear that they will not be. */
export async function prepareOffline(): Promise<boolean> {
  if (!canRegister()) return false;
  for (let attempts = 0; attempts < attemptsMost; attempts++) {
    if ((await register()) && (await keep())) return true;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}

function canRegister(): boolean {
  return 'serviceWorker' in navigator && import.meta.env.PROD;
}

/** A browser that does not isolate the page even so is not asked twice. */
function isFirstTry(): boolean {
  try {
    const isFirst = sessionStorage.getItem(reloaded) === null;
    sessionStorage.setItem(reloaded, 'true');
    return isFirst;
  } catch {
    return false;
  }
}

/** Whether a worker is there: another tab that is closed meanwhile breaks off an installation that it has begun. */
async function register(): Promise<boolean> {
  try {
    await navigator.serviceWorker.register('./service-worker.js', { scope: './' });
    return await Promise.race([
      navigator.serviceWorker.ready.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), readyMs)),
    ]);
  } catch {
    // Private windows of some browsers refuse it: then there is no page without a network.
    return false;
  }
}

/** Has the worker keep all files; whether it does. */
async function keep(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active?.postMessage('keep', [port2]);
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data === true));
    port1.start();
  });
}
