// Tests live in test/; the generated Binaryen module is loaded as it is. `npm run attacks` runs the files on attacks alone:
// those of `npm test`, `*attacks.test.ts`, and those that take too long for it, `*attacks.slow.ts`.

import { defineConfig } from 'vitest/config';

const onAttacks = process.env['SLUICE_ATTACKS'] === 'all';

export default defineConfig({
  test: {
    include: onAttacks ? ['test/**/*attacks.test.ts', 'test/**/*attacks.slow.ts', 'test/attacks/**/*.test.ts'] : ['test/**/*.test.ts'],
    testTimeout: 20_000,
    server: { deps: { external: [/\/generated\/binaryen\.js$/] } },
  },
});
