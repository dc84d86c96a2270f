// A process whose built-ins are changed as its arguments say: `world.ts MODULE WORLD`. Prints a line of JSON for each
// scenario.

import type * as Host from '../../../runtime-host/api/node.ts';
import { freezeBuiltIns } from './frozen.ts';
import { mutations } from './mutations.ts';
import { pollutions } from './pollutions.ts';

const [, , wasmPath = '', world = ''] = process.argv;
const { stringify } = JSON;
const write = process.stdout.write.bind(process.stdout);
const tell = (row: unknown): void => void write(`${stringify(row)}\n`);
const failures: string[] = [];
process.on('unhandledRejection', (error) => void (failures[failures.length] = `unhandled rejection: ${String(error)}`));

if (world === 'frozen') freezeBuiltIns();
const undo = pollutions[world]?.();

const host = (await import('../../../dist/runtime-host/api/node.js')) as unknown as typeof Host;
const { makeScenarios, readModule } = await import('./scenarios.ts');
const scenarios = await makeScenarios(host, readModule(wasmPath));

if (world === 'changed') {
  const skipped = Promise.resolve('skipped');
  for (const { name, change } of mutations) {
    write(`"${name}"\n`);
    // Filled before: a world may have a setter for the elements of lists.
    const told = scenarios.names.map(() => '');
    const running = told.map(() => skipped);
    const restore = change();
    for (let at = 0; at < scenarios.names.length; at++) {
      // A worker has built-ins of its own, and takes a while: every now and then is enough.
      running[at] = scenarios.isWorkers(at) && name.length % 7 !== 0 ? skipped : scenarios.run(at, 400);
    }
    for (let at = 0; at < running.length; at++) told[at] = await running[at]!;
    restore();
    tell([name, told, scenarios.reached()]);
  }
} else {
  const told: string[] = [];
  for (let at = 0; at < scenarios.names.length; at++) told[told.length] = await scenarios.run(at);
  undo?.();
  tell([world, told, scenarios.reached()]);
}
scenarios.close();
await new Promise((resolve) => setTimeout(resolve, 20));
tell(['failures', failures, '']);
process.exit(0);
