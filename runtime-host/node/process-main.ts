// The main file of a process of Node: runs process/process-runtime.ts on the descriptor that its owner holds the other
// end of. It uses no events: the process reads, works and answers in turn.

import { readSync, writeSync } from 'node:fs';
import * as modules from 'node:module';
import { nextMessage, readingTransport, sendMessage } from '../process/process-runtime.ts';
import type { Channel } from '../process/process-runtime.ts';
import { serveOwner } from '../worker/worker-runtime.ts';
import { memoryGauge } from './memory.ts';

const descriptor = 3;
const chunkBytes = 65_536;

/** Serves until the owner has ended. */
export function serveAsProcess(): never {
  const engine = process;
  const depthBytes = Number(engine.argv.at(-1)) || null;
  const channel = openChannel(() => engine.exit(0));
  confine();
  const next = (): ReturnType<typeof nextMessage> => nextMessage(channel);
  const take = serveOwner((message) => sendMessage(channel, message), {
    memory: memoryGauge,
    depthBytes,
    makeTransport: (post) => readingTransport(next, post),
  });
  for (;;) take(next());
}

/** `leave` ends the process. */
function openChannel(leave: () => never): Channel {
  let chunk: Uint8Array = new Uint8Array(0);
  const fill = (into: Uint8Array): number => {
    try {
      return readSync(descriptor, into) || leave();
    } catch {
      return leave();
    }
  };
  return {
    read: (length) => {
      const bytes = new Uint8Array(length);
      let at = 0;
      while (at < length) {
        if (chunk.length === 0) {
          // A large message is read directly into its place.
          if (length - at >= chunkBytes) {
            at += fill(bytes.subarray(at));
            continue;
          }
          const room = new Uint8Array(chunkBytes);
          chunk = room.subarray(0, fill(room));
        }
        const part = chunk.subarray(0, length - at);
        bytes.set(part, at);
        chunk = chunk.subarray(part.length);
        at += part.length;
      }
      return bytes;
    },
    write: (bytes) => {
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      } catch {
        leave();
      }
    },
  };
}

/** Globals that a script never needs, but that escaped code would use. */
const needless = [
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'Worker',
  'BroadcastChannel',
  'navigator',
  'Buffer',
  'global',
  'require',
  'localStorage',
  'sessionStorage',
];

/**
 * Restricts the process further than its flags do: no module can be loaded any more, and nothing of Node is reachable.
 */
function confine(): void {
  modules.registerHooks({
    resolve: () => {
      throw new Error('nothing is loaded here');
    },
  });
  for (const name of needless) Reflect.deleteProperty(globalThis, name);
}
