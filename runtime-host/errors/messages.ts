// The texts of the errors that compiled code raises itself, formatted when an error is raised: the words come from the
// table in src/abi/messages.ts, the numbers from the module.

import { messageTexts } from '../../src/abi/messages.ts';
import { useAt } from '../../src/abi/manifest.ts';
import type { LocationTable } from '../../src/abi/manifest.ts';
import { formatDouble } from '../values/text.ts';

/** The text of a row with its numbers; empty for a row that this host does not know. */
export function messageOf(row: number, numbers: readonly bigint[], locations: LocationTable): string {
  let next = 0;
  return (messageTexts[row] ?? 'an error of an unknown kind').replace(
    /\{(int|double|use)\}/g,
    (_, kind: 'int' | 'double' | 'use') => {
      const number = numbers[next++]!;
      switch (kind) {
        case 'int':
          return String(number);
        case 'double':
          return formatDouble(doubleOfBits(number));
        case 'use':
          return useAt(locations, Number(number)) ?? 'a part';
      }
    },
  );
}

function doubleOfBits(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}
