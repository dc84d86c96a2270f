// The worker that a script runs in: the host's own file, which talks through a port to the engine instead of to the
// page that has started it.

addEventListener(
  'message',
  ({ ports: [port] }) => {
    Object.assign(globalThis, { postMessage: port!.postMessage.bind(port) });
    void import('sluice-host/worker').then(() => {
      // What came before waits in the port.
      port!.onmessage = ({ data }) => dispatchEvent(new MessageEvent('message', { data: data as unknown }));
    });
  },
  { once: true },
);
