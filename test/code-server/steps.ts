// Tests that follow one another in one window: behind one that has failed no other has a chance, and what the window
// showed then is kept.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed } from 'vitest';
import { CodeServer } from './server.ts';
import { EditorWindow } from './window.ts';

interface Project {
  readonly path: string;
  remove(): void;
}

/**
 * Opens a folder in a window for the tests of a file, with the extension and such settings, and closes it and removes
 * the project behind them. `vsix` is the file of the extension, once there is one.
 */
export function openWindow(
  vsix: () => string,
  project: Project,
  {
    settings = {},
    folder = project.path,
  }: { readonly settings?: Readonly<Record<string, unknown>>; readonly folder?: string } = {},
): () => EditorWindow {
  let server: CodeServer;
  let window: EditorWindow;
  beforeAll(async () => {
    server = await CodeServer.start(vsix(), settings);
    window = await EditorWindow.open(server.url, folder);
  });
  afterAll(async () => {
    await window?.close();
    await server?.stop();
    project.remove();
  });
  stepByStep(() => window);
  return () => window;
}

function stepByStep(window: () => EditorWindow): void {
  let failed: string | null = null;
  beforeEach(() => {
    expect(failed, 'the step that has failed before').toBeNull();
    onTestFailed(async ({ task }) => {
      failed = task.name;
      const path = join(mkdtempSync(join(tmpdir(), 'sluice-window-')), 'window.png');
      await window().screenshot(path);
      console.log(`${task.name}: ${path} shows the window`);
    });
  });
}
