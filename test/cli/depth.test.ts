// How deep calls may nest on the command line, and what is said where they nest deeper.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

folder.write(
  'flood.slu',
  `int fill(int[][] grid, int x, int y) {
  if (x < 0 || y < 0 || y >= grid.length() || x >= grid[y].length() || grid[y][x] != 0) return 0;
  grid[y][x] = 1;
  return 1 + fill(grid, x + 1, y) + fill(grid, x - 1, y) + fill(grid, x, y + 1) + fill(grid, x, y - 1);
}
main(int size = 100) {
  int[][] grid = [];
  for (int y = 0; y < size; y++) grid.push(new int[size]);
  return fill(grid, 0, 0);
}
`,
);
folder.write('deep.slu', 'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain(int n) { return f(n); }\n');
folder.write(
  'sums.slu',
  'double sum(double[] xs, int at) { return at == xs.length() ? 0.0 : xs[at].abs() + sum(xs, at + 1); }\n' +
    'main(int n) { double[] xs = new double[n]; for (int i = 0; i < n; i++) xs[i] = Math.sin(i); ' +
    'yield sum(xs, 0) > 0.0; }\n',
);
folder.write('yields.slu', 'void f(int n) { yield n; if (n > 0) f(n - 1); }\nmain(int n) { f(n); }\n');
folder.write(
  'catches.slu',
  'int f(int n) { return f(n + 1) + 1; }\nmain() { try { f(0); } catch (StackOverflowError e) { yield e; } }\n',
);
folder.write(
  'waits.slu',
  'string f(string url, int n) { return n == 0 ? Http.get(url) : f(url, n - 1); }\n' +
    'int g(int n) { return n == 0 ? 0 : g(n - 1) + 1; }\nmain(string url) { yield f(url, 50000); return g(100000); ' +
    '}\n',
);

describe('run', () => {
  it('reaches the depth of a built module', () => {
    expect(folder.run('flood.slu')).toEqual({ code: 0, stdout: '10000\n', stderr: '' });
    expect(folder.run('deep.slu', '-a', 'n=160000').stdout).toBe('160000\n');
    expect(folder.run('sums.slu', '-a', 'n=100000').stdout).toBe('true\n');
    expect(folder.run('yields.slu', '-a', 'n=50000').stdout.length).toBe(288_896);
    expect(folder.run('bench', 'deep.slu', '-a', 'n=160000', '--reps', '3').code).toBe(0);
    expect(folder.run('build', 'deep.slu').code).toBe(0);
    expect(folder.run('deep.wasm', '-a', 'n=160000').stdout).toBe('160000\n');
  });

  it('counts for a call what its help says', () => {
    const help = folder.run('run', '--help').stdout;
    const [, each, variable] = /--max-depth .* (\d+) bytes each and (\d+) a variable/.exec(help)!.map(Number);
    const size = `--max-depth=${100 * (each! + variable!)}`;
    expect(folder.run('deep.slu', '-a', 'n=99', size).stdout).toBe('99\n');
    expect(folder.run('deep.slu', '-a', 'n=101', size).code).toBe(3);
  });

  it('goes on as deep when it has waited deep down', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('answer'), 20));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
    const child = spawn(process.execPath, [entry, 'waits.slu', '-a', `url=${url}`, '--allow-http=127.0.0.1'], {
      cwd: folder.path,
      env: { ...process.env, NODE_OPTIONS: '', XDG_CACHE_HOME: '/dev/null' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    await new Promise((resolve) => child.on('close', resolve));
    server.close();
    expect(output).toBe('answer\n100000\n');
  });

  it('leaves the error to a clause of the script', () => {
    expect(folder.run('catches.slu', '--max-depth=64KiB').stdout).toBe('calls are nested too deep\n');
  });
});

describe('a StackOverflowError', () => {
  const helpOf = (...words: string[]): string => /^help: (.*)$/m.exec(folder.run(...words).stderr)?.[1] ?? '';

  it('says which option raises the limit, and how far', () => {
    expect(helpOf('deep.slu', '-a', 'n=1000000')).toBe(
      'calls may use 16MiB of stack in this run: --max-depth=SIZE allows up to 128MiB here',
    );
    expect(helpOf('deep.slu', '-a', 'n=1000000', '--max-depth=100KiB')).toBe(
      'calls may use 100KiB of stack in this run: --max-depth=SIZE allows up to 128MiB here',
    );
    expect(folder.run('deep.slu', '-a', 'n=1000000', '--max-depth=128MiB').stdout).toBe('1000000\n');
  });

  it('says where no option gives more', () => {
    for (const depth of ['0', '128MiB', '1GiB'])
      expect(helpOf('deep.slu', '-a', 'n=100000000', `--max-depth=${depth}`)).toBe(
        'calls may use 128MiB of stack here, and no option gives more',
      );
  });

  it('of a built module says so too', () => {
    expect(folder.run('build', 'deep.slu', '-o', 'module.wasm').code).toBe(0);
    expect(helpOf('module.wasm', '-a', 'n=1000', '--max-depth=10KiB')).toBe(
      'calls may use 10KiB of stack in this run: --max-depth=SIZE allows up to 16MiB here',
    );
    expect(helpOf('module.wasm', '-a', 'n=10000000')).toBe(
      'calls may use 16MiB of stack here, and no option gives more; ' +
        'the script itself may use 128MiB: sluice run FILE.slu --max-depth=128MiB',
    );
  });
});
