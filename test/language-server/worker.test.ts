// The bundle for workers of browsers, where it is no worker of a browser.

import { expect, it } from 'vitest';

it('says where the worker runs if Node imports it', async () => {
  await expect(import('sluice/language-server/worker')).rejects.toThrow('runs in a worker of a browser');
});
