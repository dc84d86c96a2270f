// `Worker` for the engine: the page starts them. In Firefox `new Worker` in a worker blocks for ever now and then, most
// often after another one was ended; in a page it does not.

/** What the engine tells the page: to start a worker that talks through `port`, or, without one, to end it. */
export interface ToWorkers {
  readonly worker: number;
  readonly port: MessagePort | null;
}

type Post = (message: ToWorkers, moves: Transferable[]) => void;

export class PageWorkers {
  readonly #post: Post;
  readonly #started = new Map<number, PageWorker>();
  #count = 0;

  constructor(post: Post) {
    this.#post = post;
  }

  /** What the host constructs in place of the browser's own. All of them run scripts, whatever their address is. */
  get Worker(): new () => PageWorker {
    const start = (): PageWorker => this.#start();
    return function () {
      return start();
    } as unknown as new () => PageWorker;
  }

  /** The worker could not be loaded, or has failed. */
  fail(worker: number, message: string): void {
    this.#started.get(worker)?.onerror?.({ message, preventDefault: () => {} });
  }

  #start(): PageWorker {
    const number = this.#count++;
    const { port1, port2 } = new MessageChannel();
    const worker = new PageWorker(port1, () => {
      this.#started.delete(number);
      this.#post({ worker: number, port: null }, []);
    });
    this.#started.set(number, worker);
    this.#post({ worker: number, port: port2 }, [port2]);
    return worker;
  }
}

/** The part of a worker that the host uses. */
class PageWorker {
  onerror: ((event: { readonly message: string; readonly preventDefault: () => void }) => void) | null = null;
  readonly #port: MessagePort;
  readonly #end: () => void;

  constructor(port: MessagePort, end: () => void) {
    this.#port = port;
    this.#end = end;
  }

  set onmessage(listener: MessagePort['onmessage']) {
    this.#port.onmessage = listener;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  terminate(): void {
    this.#port.close();
    this.#end();
  }
}
