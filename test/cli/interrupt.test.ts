// Ctrl-C: whatever a script does at that moment, the run ends and says so.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
const folder = new Folder();
/** Answers `/quick` a little later, and everything else never. */
const server = createServer((request, response) => {
  if (request.url === '/quick') setTimeout(() => response.end('ok'), 50);
});

let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  expect(folder.run('build', 'computes.slu', '-o', 'module.wasm').code).toBe(0);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  folder.remove();
});

folder.write('computes.slu', 'main() { yield "begun"; int n = 0; while (true) n++; }');
folder.write(
  'nests.slu',
  'int f(int n) { if (n > 0) return f(n - 1); while (true) n++; }\nmain() { yield "begun"; return f(9000); }',
);
folder.write('waits.slu', 'main(string url) { yield "begun"; return Http.get(url); }');
folder.write(
  'goes-on.slu',
  'main(string url) { if (Http.get(url + "quick") == "ok") yield "begun"; int n = 0; while (true) n++; }',
);
folder.write(
  'looping.mjs',
  `import { defineModule } from 'sluice/plugins';
export default defineModule({ name: 'Looping', documentation: 'Loops.', functions: {
  'int now()': { documentation: 'At once.', call: () => { for (;;); } },
  'int later()': { documentation: 'After a wait.', call: async () => { await new Promise((resolve) => setTimeout(resolve, 10)); for (;;); } },
} });
`,
);
folder.write('loops-now.slu', 'main() { yield "begun"; yield Looping.now(); }');
folder.write('loops-later.slu', 'main() { yield "begun"; yield Looping.later(); }');
folder.write(
  'fails-on.slu',
  'main(string url) { try { Http.get("http://localhost:1/"); } catch (NetworkError e) { } yield "begun"; ' +
    'int n = 0; while (true) n++; }',
);

interface Interrupted {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly errors: string;
}

/** Interrupts the command once it has said something, and a little later; `prefix` may be a terminal for it. */
function interrupt(words: readonly string[], isOnTerminal = false): Promise<Interrupted> {
  const command = [process.execPath, entry, ...words];
  const [program, ...rest] = isOnTerminal
    ? ['script', '-qefc', command.map((word) => `'${word}'`).join(' '), '/dev/null']
    : command;
  const child = spawn(program!, rest, {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
  });
  let [output, errors, isDue] = ['', '', true];
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    if (!isDue || !output.includes('begun')) return;
    isDue = false;
    setTimeout(() => (isOnTerminal ? child.stdin.write('\u0003') : child.kill('SIGINT')), 200);
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output, errors })));
}

const ended = 'sluice: Ctrl-C has ended the run\n';

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each<[string, string[]]>([
    ['computes', ['computes.slu']],
    ['computes deep down', ['nests.slu']],
    ['waits', ['waits.slu']],
    ['computes after it has waited', ['goes-on.slu']],
    ['computes after it has waited in vain', ['fails-on.slu']],
    ['computes in a process', ['module.wasm']],
  ])('ends a script that %s', async (_what, [file]) => {
    const given = ['waits.slu', 'goes-on.slu', 'fails-on.slu'].includes(file!)
      ? ['-a', `url=http://127.0.0.1:${port}/`, '--allow-http=127.0.0.1', '--allow-http=localhost']
      : [];
    expect(await interrupt([file!, ...given])).toEqual({ code: 130, signal: null, output: 'begun\n', errors: ended });
  });

  it('ends a plugin that computes, and one that never comes back from a wait', async () => {
    expect(await interrupt(['loops-now.slu', '--plugin=looping.mjs'])).toEqual({
      code: 130,
      signal: null,
      output: 'begun\n',
      errors: ended,
    });
    expect(await interrupt(['loops-later.slu', '--plugin=looping.mjs'])).toEqual({
      code: null,
      signal: 'SIGINT',
      output: 'begun\n',
      errors: '',
    });
  });

  it.runIf(process.platform === 'linux')('is told on a line of its own on a terminal', async () => {
    const { code, output } = await interrupt(['computes.slu'], true);
    expect({ code, output: output.replaceAll('\r', '') }).toEqual({ code: 130, output: `begun\n^C\n${ended}` });
  });
});
