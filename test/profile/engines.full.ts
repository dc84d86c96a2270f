// Fuel by function and loop is the same in every engine: a module with counters runs in the browsers, and in Node, and
// all of its counters are the same.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/host.ts';
import { nodeMachine } from '../../runtime-host/node/machine.ts';
import { countExport } from '../../src/abi/imports.ts';
import { compileWith } from '../../src/compile.ts';
import type { Charge } from '../../src/profile/charges.ts';
import { instrument } from '../../src/profile/instrument.ts';
import { unitsPerSample } from '../../src/profile/samples.ts';
import { browserKinds, startBrowser, whyNotHere } from '../engines/browsers.ts';
import { servePages } from '../engines/page-server.ts';
import type { PageServer } from '../engines/page-server.ts';
import { script } from './sample-script.ts';

let charges: readonly Charge[] = [];
const { artifact } = await compileWith(
  'a.slu',
  script,
  { optimise: false, iterationsPerCall: unitsPerSample },
  {
    instrument: (program) => {
      const instrumented = instrument(program);
      charges = instrumented.charges;
      return instrumented.program;
    },
  },
);
const { wasm } = artifact!;

async function countsHere(): Promise<readonly string[]> {
  let count: (counter: number) => bigint = () => 0n;
  const onInstance = (exports: Readonly<Record<string, unknown>>): void =>
    void (count = exports[countExport] as (counter: number) => bigint);
  const loaded = await loadScript(
    wasm,
    { limits: { fuel: 1_000_000 } },
    { ...nodeMachine, stacks: null, thread: { onInstance } },
  );
  await loaded.run().forEach(() => {});
  return charges.map((_, counter) => `${count(counter)}`);
}

/** The page has no hook for instances, so it keeps what the engine makes. */
const inPage = `(async () => {
  const { Instance } = WebAssembly;
  let exports = null;
  WebAssembly.Instance = function (...given) {
    const made = new Instance(...given);
    exports = made.exports;
    return made;
  };
  const { loadScript } = await import('/sluice-host.js');
  const wasm = Uint8Array.fromBase64('${Buffer.from(wasm).toString('base64')}');
  await (await loadScript(wasm, { limits: { fuel: 1_000_000 } })).run().forEach(() => {});
  return JSON.stringify(Array.from({ length: ${charges.length} }, (_, at) => String(exports['${countExport}'](at))));
})()`;

describe('fuel by function and loop', () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await servePages();
  });
  afterAll(() => server.close());

  for (const kind of browserKinds) {
    it(`is the same in ${kind.name}`, async () => {
      const reason = await whyNotHere(kind);
      if (reason !== null) expect.fail(reason);
      const expected = await countsHere();
      expect(expected.reduce((sum, count) => sum + Number(count), 0)).toBe(34_631);
      const browser = await startBrowser(kind);
      try {
        const page = await browser.newPage();
        await page.goto(server.url);
        expect(JSON.parse((await page.evaluate(inPage)) as string)).toEqual(expected);
      } finally {
        await browser.close();
      }
    });
  }
});
