// `sluice map-keys`: makes the pair of keys by which workers know whose jobs they take.

import type { CommandInput } from './command.ts';
import { exitCodes, UsageError } from './exit.ts';
import { loadMap } from './map-package.ts';
import { stdout } from './output.ts';

export async function mapKeysCommand({ operand }: CommandInput): Promise<number> {
  const map = await loadMap();
  try {
    const { privateKey, publicKey } = map.writeKeys(operand);
    stdout.line(`${privateKey} signs jobs, for sluice map --queue URL --key ${privateKey}: keep it to yourself`);
    stdout.line(`${publicKey} is for workers: sluice map-worker --queue URL --trust ${publicKey}`);
    return exitCodes.fine;
  } catch (error) {
    if ((error as Error).name === 'MapError') throw new UsageError((error as Error).message);
    throw error;
  }
}
