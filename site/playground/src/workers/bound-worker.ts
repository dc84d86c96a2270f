// Workers that keep to the policy of the page. One that is started from a file has the policy that its server sends
// with it, which servers of plain files do not; one that is started from a blob has that of whoever starts it.

/** The address of a worker that runs the module at `url` under the policy of who starts it. */
export function boundUrl(url: string): string {
  const module = JSON.stringify(new URL(url, location.href).href);
  return URL.createObjectURL(
    new Blob([`(${begin.toString()})(() => import(${module}));`], { type: 'text/javascript' }),
  );
}

/**
 * What the worker begins with: its text is in the blob, so it uses nothing from outside. The module is not imported by
 * a statement, as Firefox does not ask the service worker for those of a blob. Messages that come before it listens
 * wait, and reach it one by one, as they would have.
 */
function begin(load: () => Promise<unknown>): void {
  const early: MessageEvent[] = [];
  let handedOn: MessageEvent | undefined;
  const hold = (event: MessageEvent): void => {
    if (event === handedOn) return;
    event.stopImmediatePropagation();
    early.push(event);
  };
  const handOn = (): void => {
    const event = early.shift();
    if (event === undefined) return removeEventListener('message', hold);
    // Chromium does not dispatch one again that was stopped.
    handedOn = new MessageEvent('message', { data: event.data as unknown, ports: [...event.ports] });
    setTimeout(handOn);
    dispatchEvent(handedOn);
  };
  addEventListener('message', hold);
  load().then(handOn, (error: unknown) =>
    // Outside of the promise it is an error of the worker, which its page hears of.
    setTimeout(() => {
      throw error;
    }),
  );
}
