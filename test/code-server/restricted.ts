// The extension in a workspace that is not trusted: scripts are checked, and nothing of the workspace is started.

import { expect, it } from 'vitest';
import { Workspace } from '../language-server/client.ts';
import { openWindow } from './steps.ts';

const project = new Workspace({ 'main.slu': 'main() {\n  int count = 1;\n  yield conut;\n}\n' });

/** Registers the tests; `vsix` is the file of the extension, once there is one. */
export function testRestricted(vsix: () => string): void {
  const window = openWindow(vsix, project, { settings: { 'security.workspace.trust.enabled': true } });

  it('checks a script', async () => {
    await window().openFile('main.slu');
    await window().until("texts('.statusbar-item').some((text) => text.includes('Restricted Mode'))");
    await window().until("parts('.squiggly-error').length === 1");
  });

  it('runs none, and says why', async () => {
    await window().clickPart('.codelens-decoration a', 'Run');
    await window().until(
      "texts('.notification-list-item-message').includes('Scripts of a workspace that is not trusted are not run.')",
    );
    expect(await window().read("parts('.terminal-wrapper').length")).toBe(0);
  });
}
