// Tests live in test/; the generated Binaryen module is loaded as it is. There are two tiers: `npm test` runs the files
// `*.test.ts`, `npm run test:full` those that take too long for it, `*.full.ts`. `npm run attacks` runs the files on
// attacks alone: those of `npm test`, `*attacks.test.ts`, and those that take too long for it, `*attacks.slow.ts`.

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { browserKinds, findProgram } from './test/engines/browsers.ts';

const onAttacks = process.env['SLUICE_ATTACKS'] === 'all';
const inFull = process.env['SLUICE_TESTS'] === 'full';

/** The files of what is asked for. */
function chooseFiles(): string[] {
  if (onAttacks) return ['test/**/*attacks.test.ts', 'test/**/*attacks.slow.ts', 'test/attacks/**/*.test.ts'];
  return inFull ? ['test/**/*.full.ts', 'test/**/*attacks.slow.ts'] : ['test/**/*.test.ts'];
}

// What is bundled runs in Chromium. Where that is not installed, a developer is told so; CI fails.
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const isLacking = process.env['CI'] !== 'true' && findProgram(chromium) === null;
if (isLacking && !onAttacks) console.log(`test/bundlers is not tested: ${chromium.install} installs the browser`);

export default defineConfig({
  test: {
    include: chooseFiles(),
    // Many wait for processes and pages, which leaves room for two on two cores.
    maxWorkers: Math.max(inFull ? 1 : 2, availableParallelism() - 1),
    exclude: [...configDefaults.exclude, ...(isLacking ? ['test/bundlers/**'] : [])],
    // They end what hangs; nothing is measured by them.
    testTimeout: inFull ? 180_000 : 40_000,
    hookTimeout: inFull ? 180_000 : 20_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'runtime-host/**/*.ts'],
      exclude: ['**/generated/**', '**/*.d.ts'],
      reporter: ['text'],
    },
    server: { deps: { external: [/\/generated\/binaryen\.js$/] } },
  },
});
