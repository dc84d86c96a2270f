// Makes the page work without a network, once it has been loaded as a whole.

const attemptsMost = 5;
const pauseMs = 1_000;
const reloaded = 'sluice-playground-reloaded';

/** Resolves when all files are kept, with true, or it is clear that they will not be. */
export async function prepareOffline(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return false;
  for (let attempts = 0; attempts < attemptsMost; attempts++) {
    if (await register()) {
      isolate();
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}

/** Whether a worker is there: another tab that is closed meanwhile breaks off an installation that it has begun. */
async function register(): Promise<boolean> {
  try {
    await navigator.serviceWorker.register('./service-worker.js', { scope: './' });
    await navigator.serviceWorker.ready;
    return true;
  } catch {
    // Private windows of some browsers refuse it: then there is no page without a network.
    return false;
  }
}

/**
 * Without suspending in the engine a script waits for answers in shared memory, which pages have that the service
 * worker has answered for: this one from its second load on.
 */
function isolate(): void {
  if (crossOriginIsolated || 'Suspending' in WebAssembly || sessionStorage.getItem(reloaded) !== null) return;
  sessionStorage.setItem(reloaded, 'true');
  location.reload();
}
