// What is said of loops: each reason by a script, and that nobody who wants to know changes what is built.

import { describe, expect, it } from 'vitest';
import { passes } from '../../src/4-optimise/passes.ts';
import { reasons } from '../../src/4-optimise/remarks/reasons.ts';
import type { ReasonKey } from '../../src/4-optimise/remarks/reasons.ts';
import { Remarks } from '../../src/4-optimise/remarks/remarks.ts';
import type { ExplainedLoop } from '../../src/4-optimise/remarks/remarks.ts';
import { compileWith } from '../../src/compile.ts';
import { cases } from './remark-cases.ts';

async function explain(text: string): Promise<readonly ExplainedLoop[]> {
  const remarks = new Remarks();
  const { diagnostics } = await compileWith('script.slu', text, {}, { remarks });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return remarks.explained();
}

/** What is said of the loop that begins in a line, by reason. */
async function saidOf(text: string, reason: ReasonKey): Promise<readonly string[]> {
  const loops = await explain(text);
  return loops.flatMap(({ remarks }) => remarks.filter((remark) => remark.reason === reason).map((one) => one.text));
}

describe('remarks', () => {
  it('come from passes', () => {
    const names = passes.map(({ name }) => name);
    expect(Object.values(reasons).filter(({ pass }) => !names.includes(pass))).toEqual([]);
  });

  it('have a case for each reason', () => {
    const shown = new Set(cases.map(({ reason }) => reason));
    expect(Object.keys(reasons).filter((key) => !shown.has(key as ReasonKey))).toEqual([]);
  });

  it.each(cases)('$reason: $says', async ({ reason, script, says }) => {
    expect(await saidOf(script, reason)).toEqual([says]);
  });

  it.each(cases)('$reason: the module is the same without anybody who asks', async ({ script }) => {
    const asked = await compileWith('script.slu', script, {}, { remarks: new Remarks() });
    const plain = await compileWith('script.slu', script, {}, {});
    expect(Buffer.from(asked.artifact!.wasm).equals(Buffer.from(plain.artifact!.wasm))).toBe(true);
  });
});
