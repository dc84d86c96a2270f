// What serves requests in `npm run bench:service`: each takes a kernel of 100,000 steps as a script of somebody else's,
// gives every request an environment that no other has used, and holds it to its time and, where that can be, its
// memory.

import { createRequire } from 'node:module';
import { createContext, Script as NodeScript } from 'node:vm';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

export const steps = 100_000;
const timeMs = 5_000;
const memoryMb = 64;
/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

const sluiceText = `main(double to) {
  double sum = 0.0;
  double width = to / ${steps};
  for (int i = 0; i < ${steps}; i++) {
    double x = (i + 0.5) * width;
    sum += x * x / (1.0 + x) * width;
  }
  return sum;
}`;

const javascriptText = `(() => {
  let sum = 0;
  const width = to / ${steps};
  for (let i = 0; i < ${steps}; i++) {
    const x = (i + 0.5) * width;
    sum += x * x / (1 + x) * width;
  }
  return sum;
})()`;

/** What every answer must be, but for the last digits. */
export function integral(to: number): number {
  return (to * to) / 2 - to + Math.log(1 + to);
}

type Serve = (to: number) => Promise<number>;

export interface Contender {
  readonly name: string;
  readonly start: () => Promise<Serve>;
}

/** The part of isolated-vm that is used here. */
interface IsolatedVm {
  readonly Isolate: new (options: { readonly memoryLimit: number }) => {
    createContext(): Promise<{ readonly global: { set(name: string, value: number): Promise<void> } }>;
    compileScript(
      text: string,
    ): Promise<{ run(context: unknown, options: { readonly timeout: number }): Promise<number> }>;
    dispose(): void;
  };
}

/** The part of quickjs-emscripten that is used here. */
interface QuickJs {
  getQuickJS(): Promise<{
    evalCode(
      text: string,
      options: { readonly memoryLimitBytes: number; readonly shouldInterrupt: () => boolean },
    ): number;
  }>;
  shouldInterruptAfterDeadline(time: number): () => boolean;
}

const load = createRequire(new URL('package.json', import.meta.url));

export const contenders: Readonly<Record<string, Contender>> = {
  sluice: {
    name: 'Sluice, isolation worker',
    start: async () => {
      const [script] = await sluiceScripts('worker', 1);
      return async (to) => (await script!.run({ to }).result) as number;
    },
  },
  'sluice-50': {
    name: 'Sluice, 50 scripts in turn',
    start: async () => {
      const scripts = await sluiceScripts('worker', 50);
      let turn = 0;
      return async (to) => (await scripts[turn++ % scripts.length]!.run({ to }).result) as number;
    },
  },
  'sluice-here': {
    name: 'Sluice, in the thread of the server',
    start: async () => {
      const [script] = await sluiceScripts('none', 1);
      return async (to) => (await script!.run({ to }).result) as number;
    },
  },
  vm: {
    name: 'node:vm, a new context each',
    start: async () => {
      const script = new NodeScript(javascriptText);
      return async (to) => script.runInContext(createContext({ to }), { timeout: timeMs }) as number;
    },
  },
  'isolated-vm': {
    name: 'isolated-vm, a fresh isolate each',
    start: async () => {
      const { Isolate } = load('isolated-vm') as IsolatedVm;
      return async (to) => {
        const isolate = new Isolate({ memoryLimit: memoryMb });
        try {
          const context = await isolate.createContext();
          await context.global.set('to', to);
          return await (await isolate.compileScript(javascriptText)).run(context, { timeout: timeMs });
        } finally {
          isolate.dispose();
        }
      };
    },
  },
  quickjs: {
    name: 'quickjs-emscripten, a new runtime each',
    start: async () => {
      const { getQuickJS, shouldInterruptAfterDeadline } = load('quickjs-emscripten') as QuickJs;
      const engine = await getQuickJS();
      return async (to) =>
        engine.evalCode(`const to = ${to}; ${javascriptText}`, {
          memoryLimitBytes: memoryMb * 2 ** 20,
          shouldInterrupt: shouldInterruptAfterDeadline(Date.now() + timeMs),
        });
    },
  },
};

async function sluiceScripts(isolation: 'none' | 'worker', count: number): Promise<Script[]> {
  const { artifact } = await compile('kernel.slu', sluiceText);
  const options: ScriptOptions = {
    isolation,
    limits: { timeMs, memoryBytes: memoryMb * 2 ** 20 },
    ...(isolation === 'none' ? {} : { workerUrl }),
  };
  return Promise.all(Array.from({ length: count }, () => loadScript(artifact!.wasm, options)));
}
