// Tests that follow one another in one window: behind one that has failed no other has a chance, and what the window
// showed then is kept.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFailed } from 'vitest';
import type { EditorWindow } from './window.ts';

export function stepByStep(window: () => EditorWindow): void {
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
