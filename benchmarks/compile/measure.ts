// One kind of script, compiled in sizes that double, in a process of its own: a line of JSON for each.

import { compile } from '../../src/compile.ts';
import { kinds } from './kinds.ts';

const [, , name, ...sizes] = process.argv;
const kind = kinds.find((one) => one.name === name)!;
// The engine makes the compiler's own code fast meanwhile, in threads that count as well.
for (let round = 0; round < 2; round++) await compile('warm.slu', kind.make(16_384));
for (const size of sizes) {
  const text = kind.make(Number(size));
  // What else the machine does counts for little in it, which it would in time on the wall.
  const began = process.cpuUsage();
  const { artifact, diagnostics } = await compile('script.slu', text);
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1000;
  const said = diagnostics.length === 0 ? '' : `${diagnostics[0]!.code} × ${diagnostics.length}`;
  process.stdout.write(
    `${JSON.stringify({ bytes: text.length, ms, megabytes: process.resourceUsage().maxRSS / 1024, wasm: artifact?.wasm.length ?? null, said })}\n`,
  );
}
