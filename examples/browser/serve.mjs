// Serves the page on this machine: node examples/browser/serve.mjs [PORT]

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const packages = new URL('../../packages/', import.meta.url);
const folders = [
  new URL('./', import.meta.url),
  new URL('sluice-host/dist/browser/', packages),
  new URL('sluice/dist/', packages),
];
const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  wasm: 'application/wasm',
  slu: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** The file of that name, out of the page's folder or out of the packages; null if there is none. */
async function find(name) {
  for (const folder of folders) {
    try {
      return await readFile(new URL(name, folder));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return null;
}

const server = createServer(async (request, response) => {
  const name = new URL(request.url, 'http://page').pathname.slice(1) || 'index.html';
  const type = types[name.split('.').at(-1)];
  const content = /^[\w-]+\.\w+$/.test(name) && type !== undefined ? await find(name) : null;
  if (content === null) response.writeHead(404).end('no such page');
  else
    response
      .writeHead(200, {
        'content-type': type,
        'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:",
      })
      .end(content);
});

if ((await find('sluice.js')) === null) {
  console.error(`there is no compiler for browsers in ${fileURLToPath(folders[2])}: run npm run bundle first`);
  process.exitCode = 1;
} else {
  server.listen(Number(process.argv[2] ?? 8080), 'localhost', () =>
    console.log(`http://localhost:${server.address().port}/`),
  );
}
