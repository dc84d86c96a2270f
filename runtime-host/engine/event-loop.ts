// Turns of the event loop. A script that waits for what is there at once goes on from one promise to the next, and
// would let nothing else happen: no timer, no event, no click on a button that stops it.

/** How long a script may go on so, in milliseconds. */
const longestMs = 8;

export class EventLoopYield {
  #since = 0;

  /** Kept at once, or from time to time only when the event loop has had a turn. */
  async next(): Promise<void> {
    const now = performance.now();
    if (this.#since === 0) this.#since = now;
    if (now - this.#since < longestMs) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** A message takes a turn without the delay that browsers give to timers. */
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
