// Turns of the event loop. A script whose waits are all answered at once would go from one promise to the next and let
// nothing else happen: no timer, no event, no click on a button that stops it.

/** The longest time, in milliseconds, between two turns of the event loop. */
const longestMs = 8;

export class EventLoopYield {
  #since = 0;

  /** Resolves at once, but from time to time only after a turn of the event loop. */
  async next(): Promise<void> {
    const now = performance.now();
    if (this.#since === 0) this.#since = now;
    if (now - this.#since < longestMs) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** A message takes a turn without the delay that browsers add to timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
