// A process that swaps names while a script uses them: run with a plan of renames that it goes through in a circle,
// until it is killed.

import { appendFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';

const [plan = '', ...paths] = process.argv.slice(2);

/** Each step may fail where the script was quicker. */
function tryTo(step: () => void): void {
  try {
    step();
  } catch {
    // The next turn tries again.
  }
}

/** `name` is a directory and a link to `elsewhere` in turn; `spare` is the directory's other name. */
function swapDirectory(name: string, spare: string, elsewhere: string): void {
  tryTo(() => renameSync(name, spare));
  tryTo(() => symlinkSync(elsewhere, name));
  tryTo(() => unlinkSync(name));
  tryTo(() => renameSync(spare, name));
}

/** `name` is a file and a link to `elsewhere` in turn. */
function swapFile(name: string, spare: string, elsewhere: string): void {
  tryTo(() => writeFileSync(spare, 'public'));
  tryTo(() => renameSync(spare, name));
  tryTo(() => symlinkSync(elsewhere, spare));
  tryTo(() => renameSync(spare, name));
}

const plans: Readonly<Record<string, () => void>> = {
  directory: () => swapDirectory(paths[0]!, paths[1]!, paths[2]!),
  file: () => swapFile(paths[0]!, paths[1]!, paths[2]!),
  grow: () => tryTo(() => appendFileSync(paths[0]!, 'x'.repeat(4_096))),
};

process.stdout.write('ready\n');
for (;;) plans[plan]!();
