// Tests live in test/; the generated Binaryen module is loaded as it is.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    server: { deps: { external: [/\/generated\/binaryen\.js$/] } },
  },
});
