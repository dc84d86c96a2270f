// The extension in a real VS Code: installed from its file, and used by keys and the mouse. One window after the other,
// since each wants a whole machine.

import { beforeAll, describe, vi } from 'vitest';
import { testDesktop } from './desktop.ts';
import { testRestricted } from './restricted.ts';
import { needCodeServer, packageExtension } from './server.ts';
import { testWeb } from './web.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let vsix: string;
beforeAll(() => {
  needCodeServer();
  vsix = packageExtension();
});

describe('the extension as on a desktop', () => {
  testDesktop(() => vsix);
});
describe('the extension in a workspace that is not trusted', () => {
  testRestricted(() => vsix);
});
describe('the extension in a browser', () => {
  testWeb(() => vsix);
});
