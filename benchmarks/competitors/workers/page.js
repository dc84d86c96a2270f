// A kernel in a page: what drives the browser has it prepared, and asks for runs.

let run;

/** Loads the module that the page finds at /kernel. */
export async function prepareSluice(n) {
  const { loadScript } = await import('/sluice-host.js');
  const script = await loadScript(new Uint8Array(await (await fetch('/kernel')).arrayBuffer()));
  run = () => script.run({ n }).result;
}

/** Loads the JavaScript that the page finds there. */
export async function prepareJavaScript(n) {
  const { main } = await import('/kernel');
  run = () => main(n);
}

/** Runs the work so often; JSON text of the samples. */
export async function serve(runs) {
  const samples = [];
  while (samples.length < runs) {
    const began = performance.now();
    let result = run();
    if (result instanceof Promise) result = await result;
    samples.push({ milliseconds: performance.now() - began, result: Number(result) });
  }
  return JSON.stringify(samples);
}
