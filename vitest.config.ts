// Tests live in test/; the generated Binaryen module is loaded as it is. `npm run attacks` runs the files on attacks
// alone: those of `npm test`, `*attacks.test.ts`, and those that take too long for it, `*attacks.slow.ts`.

import { configDefaults, defineConfig } from 'vitest/config';
import { browserKinds, findProgram } from './test/engines/browsers.ts';

const onAttacks = process.env['SLUICE_ATTACKS'] === 'all';

// What is bundled runs in Chromium. Where that is not installed, a developer is told so; CI fails.
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const isLacking = process.env['CI'] !== 'true' && findProgram(chromium) === null;
if (isLacking && !onAttacks) console.log(`test/bundlers is not tested: ${chromium.install} installs the browser`);

export default defineConfig({
  test: {
    include: onAttacks
      ? ['test/**/*attacks.test.ts', 'test/**/*attacks.slow.ts', 'test/attacks/**/*.test.ts']
      : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLacking ? ['test/bundlers/**'] : [])],
    testTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'runtime-host/**/*.ts'],
      exclude: ['**/generated/**', '**/*.d.ts'],
      reporter: ['text'],
    },
    server: { deps: { external: [/\/generated\/binaryen\.js$/] } },
  },
});
