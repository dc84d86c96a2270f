// The owner's side of the channel to a process: assembles messages from bytes, checks them, and checks their order.

import type { FromWorker, ToWorker } from '../worker/messages.ts';
import { frameHeader, FrameReader } from './frames.ts';
import { packOpening } from './opening.ts';
import type { ModuleBytes } from './opening.ts';
import { checkMessage } from './shapes.ts';
import { ProtocolState } from './protocol-state.ts';
import { decodeWire, encodeWire } from './wire.ts';

export interface ProcessConnectionOptions {
  /** The modules that the process runs. */
  readonly modules: ModuleBytes;
  /** How much memory one message may take here. */
  readonly mostBytes: number;
  readonly send: (chunks: readonly Uint8Array[]) => void;
  readonly onReady: () => void;
  readonly onMessage: (message: FromWorker) => void;
}

export class ProcessConnection {
  readonly #options: ProcessConnectionOptions;
  readonly #state = new ProtocolState();
  readonly #frames: FrameReader;
  /** The messages that are written at the end of this turn of the event loop. */
  readonly #leaving: Uint8Array[] = [];

  constructor(options: ProcessConnectionOptions) {
    this.#options = options;
    this.#frames = new FrameReader(options.mostBytes, (bytes) => this.#hear(bytes));
  }

  post(message: ToWorker): void {
    this.#state.told(message);
    const bytes = encodeWire(message.kind === 'open' ? packOpening(message, this.#options.modules) : message);
    if (this.#leaving.length === 0) queueMicrotask(() => this.#options.send(this.#leaving.splice(0)));
    this.#leaving.push(frameHeader(bytes.length), bytes);
  }

  /** Takes bytes from the process. Throws WireError. */
  receive(chunk: Uint8Array): void {
    this.#frames.push(chunk);
  }

  #hear(bytes: Uint8Array): void {
    const message = checkMessage(decodeWire(bytes, this.#options.mostBytes));
    this.#state.heard(message);
    if (message.kind === 'ready') this.#options.onReady();
    else this.#options.onMessage(message);
  }
}
