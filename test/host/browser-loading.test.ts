// The host for browsers as far as it runs here: modules by URL, and a platform that has a network and nothing else.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBrowserPlatform,
  createMemoryPlatform,
  Granted,
  HostError,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/browser.ts';
import type { ScriptOptions } from '../../runtime-host/api/browser.ts';
import { compile } from '../../src/compile.ts';

async function bytesOf(text: string): Promise<Uint8Array> {
  return (await compile('page.slu', text)).artifact!.wasm;
}

let origin = '';
const server = createServer((request, response) => {
  if (request.url === '/answer.wasm') void bytesOf('main() { return 42; }').then((bytes) => response.end(bytes));
  else if (request.url === '/text') response.end('hello');
  else response.writeHead(404).end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('modules by URL', () => {
  it.each(['text', 'URL'])('as %s', async (how) => {
    const url = `${origin}/answer.wasm`;
    const script = await loadScript(how === 'URL' ? new URL(url) : url);
    expect(await script.run().result).toBe(42n);
  });

  it.each([
    ['/none.wasm', 'the status of the answer is 404'],
    ['/text', 'this is not a WebAssembly module'],
  ])('%s', async (path, message) => {
    await expect(loadScript(origin + path)).rejects.toThrow(message);
    await expect(loadScript(origin + path)).rejects.toBeInstanceOf(HostError);
  });

  it('where nobody answers', async () => {
    await expect(loadScript('http://127.0.0.1:1/x.wasm')).rejects.toThrow('it cannot be fetched from here');
  });
});

describe('the platform of a page', () => {
  const run = async (text: string, options: ScriptOptions = {}): Promise<unknown> => {
    const script = await loadScript(await bytesOf(`main() { ${text} }`), { permissions: () => Granted, ...options });
    return script
      .run()
      .result.catch((error: unknown) => (error instanceof ScriptError ? `${error.name}: ${error.message}` : error));
  };

  it('has no files and tells nothing of the system', async () => {
    expect(await run('return File.read("a");')).toBe('SecurityError: File.read denied: this host has no files');
    expect(await run('return Env.get("a");')).toBe(
      'SecurityError: Env.get denied: this host tells nothing of its environment',
    );
    expect(await run('return Env.system("os.name");')).toBe(
      'SecurityError: Env.system denied: this host tells nothing of its environment',
    );
  });

  it('has a network', async () => {
    expect(await run(`return Http.get("${origin}/text");`)).toBe('hello');
  });

  it('takes files from memory beside it', async () => {
    const { files } = createMemoryPlatform({ files: { '/a': 'alpha' } });
    expect(await run('return File.read("/a");', { platform: { ...createBrowserPlatform(), files } })).toBe('alpha');
  });
});
