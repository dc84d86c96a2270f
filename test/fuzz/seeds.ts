// The process in which the fuzzer works on seeds (watched.ts): compares the program of each, and now and then feeds the
// compiler a text. Its arguments are the kind of the programs, `any` for all, and `reduce` or `first`.

import { isKind } from './kinds.ts';
import { findDifference, programsAbout } from './programs.ts';
import { findFault } from './texts.ts';
import type { Message } from './watched.ts';

/** Texts take a good part of the time of programs, and find less. */
const programsPerText = 4;
/** Nobody writes texts so long by hand that checking them takes longer. */
const slowMs = 5000;

const [kind = 'any', habit = 'reduce'] = process.argv.slice(2);
const reduces = habit === 'reduce';
const drawn = isKind(kind) ? programsAbout(kind) : undefined;

async function work(seed: number): Promise<void> {
  const difference = await findDifference(seed, drawn, undefined, reduces, (what) => tell({ kind: 'found', what }));
  const hasText = seed % programsPerText === 0 && reduces && drawn === undefined;
  const fault = hasText ? faultOfText(seed) : null;
  const differences = [difference, fault].filter((one) => one !== null);
  tell({ kind: 'done', differences, texts: hasText ? 1 : 0 });
}

process.on('message', ({ seed }: { readonly seed: number }) => void work(seed));
process.on('disconnect', () => process.exit());

function faultOfText(seed: number): string | null {
  const started = process.cpuUsage();
  const fault = findFault(seed);
  const took = process.cpuUsage(started).user / 1000;
  return fault ?? (took < slowMs ? null : `text ${seed}: takes ${Math.round(took)} ms`);
}

function tell(message: Message): void {
  process.send!(message);
}
