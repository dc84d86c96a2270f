// A script in a worker does what it does in this thread: the same values, texts, errors and stacks, whatever the host
// answers, and however its values are taken.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { outcome, rows, takings } from './rows.ts';
import type { Row } from './rows.ts';

async function pair(row: Row): Promise<readonly [here: Script, there: Script]> {
  const { artifact, diagnostics } = await compile('test.slu', row.text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const given = (): ScriptOptions => row.options?.() ?? {};
  return [
    await loadScript(artifact.wasm, given()),
    await loadScript(artifact.wasm, { ...given(), isolation: 'worker' }),
  ];
}

/** A recursion goes deeper in a worker; where it ends is the only difference. */
const endsElsewhere = ['a recursion without end'];

describe('a run in a worker gives what one here gives', () => {
  it.each(rows)(
    '$name',
    async (row) => {
      const [here, there] = await pair(row);
      for (const how of takings) {
        const expected = await outcome(here, row, how);
        const found = await outcome(there, row, how);
        if (endsElsewhere.includes(row.name))
          expect(found).toMatchObject({
            error: { name: 'StackOverflowError', message: expect.stringMatching(/^calls are nested too deep: /) },
          });
        else expect(found).toStrictEqual(expected);
      }
    },
    60_000,
  );
});
