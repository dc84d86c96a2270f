// Plugins in the language server: what they declare is known to scripts, in workspaces that the user trusts; their code
// runs in a process of its own, whatever it does.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { CompletionItem, Diagnostic, Hover } from 'vscode-languageserver-protocol';
import { Client, usualCapabilities, Workspace } from './client.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Notes that it has run, and says things where a server must say nothing. */
const shop = `
import { writeFileSync } from 'node:fs';
import { defineModule } from 'sluice/host';
writeFileSync(new URL('has-run.txt', import.meta.url), '');
console.log('Content-Length: 2\\r\\n\\r\\n{}');
setInterval(() => {}, 1000);
export const shop = defineModule({
  name: 'Shop',
  documentation: 'A small shop.',
  types: ['type Article { string name; double price; }'],
  functions: {
    'Article find(string name)': { documentation: 'The article of a name.', call: (name) => ({ name, price: 1 }) },
    'double tax(double rate = 0.2)': { on: 'double', call: (price, rate) => price * rate },
  },
});
`;
const script = 'main() {\n  Shop.Article a = Shop.find("tea");\n  return a.price.tax();\n}\n';

const workspaces: Workspace[] = [];
const clients: Client[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.kill()));
afterAll(() => workspaces.forEach((workspace) => workspace.remove()));

function workspaceWith(plugin: string): Workspace {
  const workspace = new Workspace({ 'plugins/shop.mjs': plugin, 'main.slu': script });
  workspaces.push(workspace);
  return workspace;
}

async function start(...options: Parameters<typeof Client.start>): Promise<Client> {
  const client = await Client.start(...options);
  clients.push(client);
  return client;
}

const plugins = ['plugins/shop.mjs'];
const isClean = (found: readonly Diagnostic[]): boolean => found.length === 0;
const hasRun = (workspace: Workspace): boolean => existsSync(join(workspace.path, 'plugins/has-run.txt'));

describe('plugins', () => {
  it('of a trusted workspace are known to scripts', async () => {
    const workspace = workspaceWith(shop);
    const uri = workspace.uri('main.slu');
    const client = await start({
      folders: [workspace.uri('')],
      initializationOptions: { trusted: true, plugins },
    });
    await client.open(uri, script);
    await client.diagnosticsUntil(uri, isClean);
    const hover = await client.request<Hover>('textDocument/hover', client.at(uri, 'Shop.fi|nd'));
    expect(JSON.stringify(hover.contents)).toContain('The article of a name.');
    const items = await client.request<CompletionItem[]>('textDocument/completion', client.at(uri, 'price.|tax'));
    expect(items.map(({ label }) => label)).toContain('tax');
    expect(await client.stop()).toBe(0);
  });

  it('of any other workspace are not run, whatever it says of itself', async () => {
    const workspace = workspaceWith(shop);
    const uri = workspace.uri('main.slu');
    const client = await start({
      folders: [workspace.uri('')],
      capabilities: { ...usualCapabilities, workspace: { ...usualCapabilities.workspace, configuration: true } },
      answers: { 'workspace/configuration': [{ trusted: true, plugins }] },
    });
    await client.hears('window/logMessage', (said) => JSON.stringify(said).includes('plugins are code'));
    expect((await client.open(uri, script)).map(({ message }) => message).join()).toContain('Shop');
    expect(hasRun(workspace)).toBe(false);
    // The user trusts it now.
    await client.notify('workspace/didChangeConfiguration', { settings: { sluice: { trusted: true } } });
    await client.diagnosticsUntil(uri, isClean);
    expect(hasRun(workspace)).toBe(true);
    // And takes that back.
    await client.notify('workspace/didChangeConfiguration', { settings: { sluice: { trusted: false } } });
    await client.diagnosticsUntil(uri, (found) => found.length > 0);
  });

  it('come with the configuration that a client is asked for when it has changed', async () => {
    const workspace = workspaceWith(shop);
    const uri = workspace.uri('main.slu');
    const client = await start({
      folders: [workspace.uri('')],
      capabilities: { ...usualCapabilities, workspace: { ...usualCapabilities.workspace, configuration: true } },
      initializationOptions: { trusted: true },
      answers: { 'workspace/configuration': [{ plugins }] },
    });
    expect(await client.open(uri, script)).not.toEqual([]);
    await client.notify('workspace/didChangeConfiguration', { settings: null });
    await client.diagnosticsUntil(uri, isClean);
  });

  it('are those of the command line too, and are loaded again when their file changes', async () => {
    const workspace = workspaceWith(shop.replace('string name)', 'string title, int count)'));
    const uri = workspace.uri('main.slu');
    const client = await start({ words: [`--plugin=${join(workspace.path, 'plugins/shop.mjs')}`] });
    await client.open(uri, script);
    await client.diagnosticsUntil(uri, (found) => found.some(({ message }) => String(message).includes('count')));
    workspace.write('plugins/shop.mjs', shop);
    await client.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: workspace.uri('plugins/shop.mjs'), type: 2 }],
    });
    await client.diagnosticsUntil(uri, isClean);
  });

  it.each([
    ['that throw', 'throw new Error("no shop today");', 'no shop today'],
    ['that end their process', 'process.exit(3);', 'has ended the process'],
    ['that are none', 'export const nothing = 1;', 'exports no plugin'],
  ])('%s are told of, and the server goes on', async (_, code, message) => {
    const workspace = workspaceWith(code);
    const client = await start({
      folders: [workspace.uri('')],
      initializationOptions: { trusted: true, plugins },
    });
    await client.hears('window/showMessageRequest', (said) => JSON.stringify(said).includes(message));
    const uri = workspace.uri('main.slu');
    await client.open(uri, script);
    expect(await client.request('textDocument/hover', client.at(uri, 'Article |a'))).not.toBeNull();
  });
});
