// Plugins for the language server: their code runs in a process of its own, which ends when it has said what they
// declare. What it prints does not come between the messages of the server, and what never ends is ended.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pluginMark } from '../../library/plugins.ts';
import type { DeclaredPlugin } from '../../library/plugins.ts';

/** What the process says: what the plugins declare, or what is wrong. */
export type Loaded = { readonly declared: readonly DeclaredPlugin[] } | { readonly fault: string };

const mostMs = 20_000;

/** Written so that no bundler takes it for a file to be copied. */
const processFile = import.meta.url.replace(
  /[^/]+$/,
  import.meta.url.endsWith('.ts') ? 'plugin-process-main.ts' : 'plugin-process-main.js',
);

/** Plugins as the checker takes them, without a function that could be called. Rejects with a sentence for the user. */
export async function declarationsOf(paths: readonly string[]): Promise<readonly unknown[]> {
  const loaded = await ask(paths);
  if ('fault' in loaded) throw new Error(loaded.fault);
  return loaded.declared.map((plugin) => ({ [pluginMark]: plugin }));
}

async function ask(paths: readonly string[]): Promise<Loaded> {
  const child = fork(fileURLToPath(processFile), [...paths], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const names = paths.join(', ');
  return new Promise<Loaded>((resolve) => {
    const timer = setTimeout(
      () => resolve({ fault: `loading plugins took longer than ${mostMs / 1000} seconds: ${names}` }),
      mostMs,
    );
    child.once('message', (loaded: Loaded) => resolve(loaded));
    child.once('error', ({ message }) => resolve({ fault: `cannot load plugins: ${message}` }));
    child.once('exit', () => {
      clearTimeout(timer);
      resolve({ fault: `a plugin has ended the process that loads it: ${names}` });
    });
  }).finally(() => child.kill('SIGKILL'));
}
